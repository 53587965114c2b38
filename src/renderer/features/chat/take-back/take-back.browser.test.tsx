import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessible.ts'
import type { Asked } from '../../../test/model-script.ts'
import { button, openWindow, say, showWindow, transcript } from '../../../test/show-window.tsx'
import type { TestHost } from '../../../test/test-host.ts'

const chips = () => transcript().getByRole('list', { name: 'Files changed in this turn' })
const dialog = () => page.getByRole('dialog', { name: 'Undo file changes?' })
const write = (path: string, content: string): [string, Record<string, unknown>] => [
  'write_file',
  { path, content },
]

/** A chat with full access, in a folder with one file. */
async function aWorkingChat(): Promise<TestHost> {
  return showWindow(({ seed }) => {
    void seed.workspaceFiles({ 'notes.md': 'one\n' })
    void seed.chat({ id: 'c1', title: 'Work', approval: 'full' })
    return 'c1'
  })
}

/** Ask, and let the agent make these calls before it answers. */
async function ask(
  host: TestHost,
  text: string,
  answer: string,
  ...calls: [name: string, given: Record<string, unknown>][]
) {
  await say(text)
  let asked: Asked = await host.nextAsked()
  for (const [name, given] of calls) {
    await asked.call(name, given)
    await asked.end()
    asked = await host.nextAsked()
  }
  await asked.say(answer)
  await expect.element(transcript().getByText(answer)).toBeVisible()
  await expect.element(button('Stop')).not.toBeInTheDocument()
}

test('a file that a turn wrote is deleted from its chip, with Undo in the notice and Redo on the chip', async () => {
  const host = await aWorkingChat()
  await ask(host, 'Write it.', 'Done.', write('./shopping.txt', 'milk\n'))
  await ask(host, 'And now?', 'Nothing.')
  const readings = host.asked.filter(({ name }) => name === 'files.changed').length
  expect(readings).toBe(0)
  await expect.element(chips()).toMatchTextContent('Changed shopping.txt')
  await button('Undo: shopping.txt').click()
  await expect.element(dialog().getByText('It is deleted: it did not exist before.')).toBeVisible()
  await expect.element(dialog().getByText(/^The answer to “Write it.” changed this/)).toBeVisible()
  await expect.element(dialog().getByRole('checkbox', { name: 'shopping.txt' })).toBeChecked()
  await dialog().getByRole('button', { name: 'Changes to shopping.txt' }).click()
  await expect.element(dialog().getByText('-milk')).toBeVisible()
  await expectAccessible()
  await dialog().getByRole('button', { name: 'Delete shopping.txt' }).click()
  await expect.element(page.getByText('shopping.txt was deleted.')).toBeVisible()
  await expect.element(chips()).toMatchTextContent('Undone: shopping.txt')
  // The messages stay.
  await expect.element(transcript().getByText('Nothing.')).toBeVisible()
  await button('Undo').click()
  await expect.element(page.getByText('shopping.txt is as the answer left it.')).toBeVisible()
  await expect.element(chips()).toMatchTextContent('Changed shopping.txt')

  // By keys alone.
  button('Undo: shopping.txt').element().focus()
  await userEvent.keyboard('{Enter}')
  await dialog().getByRole('button', { name: 'Delete shopping.txt' }).click()
  await expect.element(button('Redo: shopping.txt')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Undo: shopping.txt')).toHaveFocus()
  const calls = host.asked.flatMap(({ name, input }) => (name === 'files.changed' ? [input] : []))
  expect(calls).toHaveLength(2)
})

test('of several files some are taken back, and the rest later', async () => {
  const host = await aWorkingChat()
  await ask(
    host,
    'Write all.',
    'Done.',
    write('notes.md', 'two\n'),
    write('a.md', 'a\n'),
    write('b.md', 'b\n'),
  )
  await expect.element(chips()).toMatchTextContent('Changed 3 files')
  await button('Undo: 3 files').click()
  await expect.element(dialog().getByRole('button', { name: 'Undo changes to 3 files' })).toBeEnabled()
  await dialog().getByRole('checkbox', { name: 'a.md' }).click()
  await dialog().getByRole('button', { name: 'Undo changes to 2 files' }).click()
  await expect.element(page.getByText('Changes to 2 files were undone.')).toBeVisible()
  await expect.element(chips()).toMatchTextContent('Undone: 2 files')
  await button('Undo more of: 3 files').click()
  const stay = dialog().getByRole('region', { name: 'Files that stay as they are' })
  await expect.element(stay.getByText('notes.md: The file is already as it was before.')).toBeVisible()
  await dialog().getByRole('button', { name: 'Delete a.md' }).click()
  await expect.element(chips()).toMatchTextContent('Undone: 3 files')
  await button('Redo: 3 files').click()
  await expect.element(chips()).toMatchTextContent('Changed 3 files')
})

test('what changed since is named with the reason, and what is as before is said in words', async () => {
  const host = await aWorkingChat()
  await ask(host, 'Write one.', 'First.', write('notes.md', 'two\n'))
  await ask(host, 'Write two.', 'Second.', write('notes.md', 'three\n'))
  await expect.element(chips().nth(1)).toBeVisible()
  await button('Undo: notes.md').first().click()
  const cannot = page.getByRole('dialog', { name: 'This change cannot be undone' })
  await expect.element(cannot.getByText(/A later answer in this chat changed it again/)).toBeVisible()
  await expectAccessible()
  await cannot.getByRole('button', { name: 'Close' }).last().click()
  await host.seed.workspaceFiles({ 'notes.md': 'mine\n' })
  await button('Undo: notes.md').last().click()
  await expect.element(cannot.getByText(/changed since by something else/)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await host.seed.workspaceFiles({ 'notes.md': 'three\n' })
  await button('Undo: notes.md').last().click()
  await dialog().getByRole('button', { name: 'Restore notes.md' }).click()
  await expect.element(page.getByText('notes.md is as it was before.')).toBeVisible()
  // After a reload, the page has forgotten the undo.
  await openWindow(host)
  await button('Undo: notes.md').last().click()
  await expect.element(page.getByText('notes.md is already as it was before.')).toBeVisible()
})

test('what programs obey needs a yes of its own, and hidden characters are shown', async () => {
  const host = await aWorkingChat()
  await say('Write it.')
  const asked = await host.nextAsked()
  await asked.call('write_file', { path: 'AGENTS.md', content: 'two\n' })
  await asked.end()
  await button(/^Allow once/).click()
  const next = await host.nextAsked()
  await next.call('write_file', { path: 'a\u202etxt.md', content: 'a\n' })
  await next.end()
  const last = await host.nextAsked()
  await last.say('Done.')
  await button('Undo: 2 files').click()
  await dialog().getByRole('checkbox', { name: 'a⟨U+202E⟩txt.md' }).click()
  const go = dialog().getByRole('button', { name: 'Delete AGENTS.md' })
  await expect.element(go).toBeDisabled()
  await dialog()
    .getByRole('checkbox', { name: /^Yes, also undo changes to files that programs obey/ })
    .click()
  await go.click()
  await expect.element(page.getByText('AGENTS.md was deleted.')).toBeVisible()
  expect(host.asked.find(({ name }) => name === 'files.restore')?.input).toMatchObject({ obeyed: true })
})

test('the palette takes back the files of the newest answer that changed some', async () => {
  const host = await aWorkingChat()
  await ask(host, 'Write it.', 'Done.', write('shopping.txt', 'milk\n'))
  await ask(host, 'And now?', 'Nothing.')
  for (const word of ['undo', 'revert', 'restore file', 'take back']) {
    await userEvent.keyboard('{Control>}k{/Control}')
    await page.getByRole('combobox').fill(word)
    await expect
      .element(page.getByRole('option', { name: /^Undo file changes of the last answer/ }))
      .toBeVisible()
    if (word !== 'take back') await userEvent.keyboard('{Escape}')
  }
  await page.getByRole('option', { name: /^Undo file changes of the last answer/ }).click()
  await expect.element(dialog().getByRole('checkbox', { name: 'shopping.txt' })).toBeChecked()
})
