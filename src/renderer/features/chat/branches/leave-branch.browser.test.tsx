import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessible.ts'
import type { Asked } from '../../../test/model-script.ts'
import { button, composer, say, showWindow, transcript } from '../../../test/show-window.tsx'
import type { TestHost } from '../../../test/test-host.ts'

const dialog = () =>
  page.getByRole('dialog', { name: /^Undo (?:file changes too|more than the messages)\?$/ })
const SKILL = '---\nname: tidy\ndescription: Sort tables.\n---\n\nSort by the first column.\n'
const changedIn = async (host: TestHost) =>
  (await host.elsewhere['files.changed']({ sessionId: 'c1' })).files.map(({ name }) => name)

/** A chat with full access, in a folder with one file. */
async function aWorkingChat(): Promise<TestHost> {
  return showWindow(({ seed }) => {
    void seed.workspaceFiles({ 'notes.md': 'one\n' })
    void seed.chat({ id: 'c1', title: 'Work', approval: 'full' })
    return 'c1'
  })
}

/** Ask, and let the agent make these calls before it answers. */
async function ask(host: TestHost, text: string, ...calls: [name: string, given: Record<string, unknown>][]) {
  await say(text)
  let asked: Asked = await host.nextAsked()
  for (const [name, given] of calls) {
    await asked.call(name, given)
    await asked.end()
    asked = await host.nextAsked()
  }
  await asked.say('Done.')
  await expect.element(transcript().getByText('Done.')).toBeVisible()
}

test('undoing a turn offers its files with a diff, none chosen, and restoring them can be undone', async () => {
  const host = await aWorkingChat()
  await ask(
    host,
    'Write it.',
    ['write_file', { path: 'notes.md', content: 'two\n' }],
    ['write_file', { path: 'new.md', content: 'fresh\n' }],
    ['terminal', { command: 'touch made' }],
    ['memory', { action: 'add', target: 'user', content: 'Likes herons.' }],
    ['skill_manage', { action: 'create', name: 'tidy', content: SKILL }],
  )
  await say('/undo')
  await expect
    .element(dialog().getByRole('group', { name: 'Changes to 2 files can be undone' }))
    .toBeVisible()
  await expect.element(dialog().getByText(/command or server call ran/)).toBeVisible()
  await expect.element(dialog().getByRole('checkbox', { name: 'notes.md' })).not.toBeChecked()
  await dialog().getByRole('button', { name: 'Changes to notes.md' }).click()
  await expect.element(dialog().getByText('-two')).toBeVisible()
  await expectAccessible()
  await dialog().getByRole('button', { name: 'Undo: Likes herons.' }).click()
  await expect.element(dialog().getByText('Undone: Likes herons.')).toBeVisible()
  await dialog().getByRole('button', { name: 'Undo: tidy' }).click()
  await expect.element(dialog().getByText('Undone: tidy')).toBeVisible()
  await dialog().getByRole('checkbox', { name: 'notes.md' }).click()
  await dialog().getByRole('button', { name: 'Restore notes.md' }).click()
  await expect.element(page.getByText('notes.md is as it was before.')).toBeVisible()
  await expect.element(composer()).toHaveValue('Write it.')
  await expect.element(composer()).toHaveFocus()
  expect(await changedIn(host)).toEqual(['new.md'])
  await button('Undo').click()
  await expect.element(page.getByText('notes.md is as the answer left it.')).toBeVisible()
  expect(await changedIn(host)).toEqual(['notes.md', 'new.md'])
})

test('a file that somebody changed since is named with the reason, and Cancel moves nothing', async () => {
  const host = await aWorkingChat()
  await ask(host, 'Write it.', ['write_file', { path: 'notes.md', content: 'two\n' }])
  await host.seed.workspaceFiles({ 'notes.md': 'mine\n' })
  await button('Edit message').click()
  await page.getByRole('textbox', { name: 'Your message' }).fill('Write something else.')
  await button('Send').first().click()
  const stays = dialog().getByRole('region', { name: 'Files that stay as they are' })
  await expect.element(stays.getByText(/changed since by something else/)).toBeVisible()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await expect
    .element(page.getByRole('textbox', { name: 'Your message' }))
    .toHaveValue('Write something else.')
  expect((await host.elsewhere['session.get']({ id: 'c1' })).pathMoves).toBe(0)
})

test('where only commands ran, that is said afterwards', async () => {
  const host = await aWorkingChat()
  await ask(host, 'Do it.', ['terminal', { command: 'touch made' }])
  await say('/undo')
  await expect.element(page.getByText(/command or server call ran/)).toBeVisible()
  await expect.element(composer()).toHaveValue('Do it.')
})

test('a file that goes is called deleted, and with none chosen the button keeps the files', async () => {
  const host = await aWorkingChat()
  await ask(host, 'Write it.', ['write_file', { path: 'new.md', content: 'fresh\n' }])
  await say('/undo')
  const only = page.getByRole('dialog', { name: 'Undo file changes too?' })
  await expect.element(only.getByText('It is deleted: it did not exist before.')).toBeVisible()
  await expect.element(only.getByRole('button', { name: 'Keep the files as they are' })).toBeEnabled()
  await only.getByRole('checkbox', { name: 'new.md' }).click()
  await only.getByRole('button', { name: 'Delete new.md' }).click()
  await expect.element(page.getByText('new.md was deleted.')).toBeVisible()
})
