import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessible.ts'
import { button, say, showWindow, transcript } from '../../../test/show-window.tsx'

const card = () => page.getByRole('region', { name: 'A question for you' })
const lines = () => page.getByRole('list', { name: 'Changed files that programs obey or run' })

test('the card of a command says what it may change of what programs obey, and names what is known', async () => {
  const host = await showWindow()
  await say('Pull')
  await host.nextAsked()
  host.publishInRun({
    type: 'approval_request',
    approval: {
      id: 'pull',
      callId: 'call',
      tool: 'terminal',
      title: 'Run a command',
      detail: 'git pull',
      folder: host.workspace,
      reason: 'It may change what programs obey without being asked.',
      risk: 'execute',
      mayAllowInChat: true,
      folderRules: ['“changing files that programs obey” in /home/ada/site'],
      command: {
        whyNot: '',
        offline: false,
        obeyed: 'all',
        obeyedFiles: [
          { path: '.vscode', by: 'VS Code' },
          { path: 'AGENTS\u202e.md', by: 'agents' },
        ],
      },
    },
  })
  await expect
    .element(card())
    .toMatchTextContent(
      'It may change what VS Code and agents obey in this folder without being asked: .vscode, AGENTS⟨U+202E⟩.md, and whatever else programs obey there.',
    )
  await expectAccessible()
})

test('writing what editors obey asks with full access; the history says so, and going back asks for a yes to it', async () => {
  const host = await showWindow(({ seed }) => {
    void seed.workspaceFiles({ 'AGENTS.md': 'one\n' })
    void seed.chat({ id: 'c1', title: 'Work', approval: 'full' })
    return 'c1'
  })
  await say('Write it.')
  const asked = await host.nextAsked()
  await asked.call('write_file', { path: 'AGENTS.md', content: 'two\n' })
  await asked.end()
  await expect.element(card()).toMatchTextContent('Agents obey this file without being asked.')
  await button(/^Allow once/).click()
  const next = await host.nextAsked()
  await next.call('write_file', { path: 'Makefile', content: 'all:\n' })
  await next.end()
  const last = await host.nextAsked()
  await last.say('Done.')
  await expect.element(transcript().getByText('Done.')).toBeVisible()
  await expect.element(lines().first()).toMatchTextContent('Changed what agents obey: AGENTS.md')
  await expect.element(lines().last()).toMatchTextContent('Added what make runs: Makefile')

  await say('/undo')
  const dialog = page.getByRole('dialog', { name: 'Undo file changes too?' })
  await dialog.getByRole('checkbox', { name: 'AGENTS.md', exact: true }).click()
  const go = dialog.getByRole('button', { name: 'Restore AGENTS.md' })
  await expect.element(go).toBeDisabled()
  await expectAccessible()
  await dialog.getByRole('checkbox', { name: /^Yes, also undo changes to files that programs obey/ }).click()
  await go.click()
  await expect.element(page.getByText('AGENTS.md is as it was before.')).toBeVisible()
  expect(host.asked.find(({ name }) => name === 'files.restore')?.input).toMatchObject({ obeyed: true })
})
