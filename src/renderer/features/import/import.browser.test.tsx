import axe from 'axe-core'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ImportPreview, ImportProgress } from '../../../shared/contract/transfer.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { FakeHost, FakeHostOptions } from '../../test/fake-host.ts'
import { feed } from '../../test/feed.ts'
import { button, showApp } from '../../test/show-app.tsx'

const path = '/home/ada/Downloads/export.zip'
const field = () => page.getByRole('textbox', { name: 'File or folder' })
const dialog = () => page.getByRole('dialog', { name: 'Import chats and memories' })
const heading = (name: string) => dialog().getByRole('heading', { name, exact: true })
const withMemories = () => page.getByRole('checkbox', { name: 'Also take over the memories' })
const counts = () =>
  dialog()
    .getByRole('definition')
    .elements()
    .map(each => each.textContent.trim())
const asked = (host: FakeHost, name: string) =>
  host.asked.filter(question => question.name === name).map(({ input }) => input)

const anExport: Partial<ImportPreview> = {
  sessions: 1_204,
  messages: 30_000,
  memories: 5,
  known: 4,
  titles: ['A boat for two', 'סירה', ...Array.from({ length: 18 }, (_, at) => `Chat ${at + 3}`)],
  skipped: [
    { what: 'attachment', why: 'only what was written is brought over', count: 3 },
    { what: 'conversations-002.json', why: 'it is damaged', count: 1 },
  ],
}
const report: ImportProgress = {
  type: 'done',
  sessions: 1_200,
  messages: 29_900,
  memories: 4,
  skipped: [{ what: 'memory', why: 'it is remembered already', count: 1 }],
}

async function open() {
  await button('Settings').click()
  await button('Data').click()
  await button('Import chats and memories…').click()
}

/** Draw the window and open the dialog; imports bring `found`. */
async function showImport(found: Partial<ImportPreview> = anExport, options?: FakeHostOptions) {
  const host = await showApp(({ imports }) => {
    imports.preview = { ...imports.preview, ...found }
  }, options)
  await open()
  return host
}

async function look(given = path) {
  await field().fill(given)
  await userEvent.keyboard('{Enter}')
}

/** An import that goes on as the test says. */
function slowly(host: FakeHost) {
  const coming = feed<ImportProgress>()
  host.link.client['import.run'] = (_input, { signal } = {}) => coming.listen(signal)
  return coming
}

test('an export is looked into and imported by key, and the report says what came and what did not', async () => {
  const host = await showImport()
  host.imports.progress = [{ type: 'progress', done: 0, total: 1_209 }, report]
  await expect.element(field()).toHaveFocus()
  await expect.element(button('Look inside')).toBeDisabled()
  await look(` ${path} `)
  await expect.element(heading('From ChatGPT')).toHaveFocus()
  expect(asked(host, 'import.preview')).toEqual([{ path }])
  await expect.element(dialog().getByText(path)).toBeVisible()
  expect(counts()).toEqual(['1,204 (4 already here)', '30,000', '5'])
  const titles = page.getByRole('list', { name: 'Among the chats' }).getByRole('listitem')
  expect(titles.elements().map(each => each.textContent)).toEqual([
    'A boat for two',
    'סירה',
    'Chat 3',
    'Chat 4',
    'Chat 5',
    'Chat 6',
    'and 1,198 others',
  ])
  await expect
    .element(page.getByRole('list', { name: 'Left out' }))
    .toHaveTextContent(
      '3 attachments: only what was written is brought overconversations-002.json: it is damaged',
    )
  expect(asked(host, 'import.run')).toEqual([])

  await userEvent.tab()
  await expect.element(withMemories()).toHaveFocus()
  await userEvent.tab()
  await userEvent.tab()
  await expect.element(button('Import')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(heading('Imported')).toHaveFocus()
  expect(asked(host, 'import.run')).toEqual([{ id: 'import-1', memories: true }])
  expect(counts()).toEqual(['1,200', '29,900', '4'])
  await expect.element(dialog().getByText('1 memory: it is remembered already')).toBeVisible()
  await dialog().getByText('Close', { exact: true }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
  await open()
  await expect.element(field()).toHaveValue('')
})

test('memories stay behind when they are not wanted', async () => {
  const host = await showImport()
  host.imports.progress = [{ ...report, memories: 0, skipped: [] }]
  await look()
  await withMemories().click()
  await button('Import').click()
  await expect.element(heading('Imported')).toBeVisible()
  expect(asked(host, 'import.run')).toEqual([{ id: 'import-1', memories: false }])
})

test('progress is told, and a cancelled import says what became of it', async () => {
  const host = await showImport()
  const coming = slowly(host)
  await look()
  await button('Import').click()
  await expect.element(heading('Importing from ChatGPT')).toHaveFocus()
  coming.say({ type: 'progress', done: 25, total: 1_209 })
  await expect.element(dialog().getByText('25 of 1,209')).toBeVisible()
  const bar = page.getByRole('progressbar', { name: 'Importing from ChatGPT' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', '25 of 1,209')
  coming.say({ type: 'progress', done: 1_209, total: 1_209 })
  await expect.element(dialog().getByText('Preparing the search…')).toBeVisible()
  await button('Cancel').click()
  await expect.element(heading('Stopped')).toHaveFocus()
  await expect.element(dialog().getByText(/whole or not at all/)).toBeVisible()
  await button('Import more').click()
  await expect.element(field()).toHaveFocus()
})

test('an import goes on while its dialog is closed: it can be seen again, and its end is told', async () => {
  const host = await showImport()
  const coming = slowly(host)
  await look()
  await button('Import').click()
  await expect.element(heading('Importing from ChatGPT')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  coming.say({ type: 'progress', done: 50, total: 1_209 })
  await open()
  await expect.element(dialog().getByText('50 of 1,209')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  coming.say(report)
  await expect.element(page.getByText('Imported 1,200 chats and 4 memories.')).toBeVisible()
})

test('what cannot be imported is said at the field, which keeps the path and the focus', async () => {
  const host = await showImport()
  const sentence = 'There is nothing at /home/ada/Downloads/export.zip.'
  host.failNext('import.preview', new Fault('bad_input', sentence))
  await field().fill(path)
  await button('Look inside').click()
  await expect.element(page.getByRole('alert').getByText(sentence)).toBeVisible()
  await expect.element(field()).toHaveFocus()
  await expect.element(field()).toHaveValue(path)
  await expect.element(field()).toHaveAccessibleDescription(sentence)
  await userEvent.keyboard('x')
  await expect.element(page.getByText(sentence)).not.toBeInTheDocument()
})

test('an import that cannot begin, and one that breaks off, say so at the field', async () => {
  const host = await showImport()
  const sentence = 'This preview is not there any more. Look at the file again.'
  host.failNext('import.run', new Fault('not_found', sentence))
  await look()
  await button('Import').click()
  await expect.element(field()).toHaveAccessibleDescription(sentence)
  const coming = slowly(host)
  await userEvent.keyboard('{Enter}')
  await button('Import').click()
  await expect.element(heading('Importing from ChatGPT')).toBeVisible()
  coming.say({ type: 'progress', done: 25, total: 1_209 })
  await expect.element(dialog().getByText('25 of 1,209')).toBeVisible()
  coming.end(new Fault('disconnected', 'The host went away.'))
  await expect
    .element(field())
    .toHaveAccessibleDescription(/^The host went away\. What came until then is here/)
  await expect.element(field()).toHaveFocus()
})

test('an import that breaks off while its dialog is closed is told of, and waits at the field', async () => {
  const host = await showImport()
  const coming = slowly(host)
  await look()
  await button('Import').click()
  await expect.element(heading('Importing from ChatGPT')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  coming.end(new Fault('internal', 'The disk is full.'))
  await expect.element(page.getByText('The disk is full.')).toBeVisible()
  await open()
  await expect.element(field()).toHaveAccessibleDescription('The disk is full.')
  await expect.element(field()).toHaveValue(path)
})

test('looking can be cancelled, and what is found after that is not shown', async () => {
  const host = await showImport()
  const { promise, resolve } = Promise.withResolvers<ImportPreview>()
  let heard: AbortSignal | undefined
  host.link.client['import.preview'] = (_input, { signal } = {}) => {
    heard = signal
    return promise
  }
  await look()
  await expect.element(field()).toHaveAttribute('readonly')
  await button('Cancel').click()
  expect(heard?.aborted).toBe(true)
  resolve(host.imports.preview)
  await expect.element(button('Look inside')).toBeEnabled()
  await expect.element(field()).toHaveFocus()
  await expect.element(heading('From ChatGPT')).not.toBeInTheDocument()
})

const nothing = { sessions: 0, messages: 0, memories: 0, known: 0, titles: [] }

test.for<[string, Partial<ImportPreview>, string]>([
  ['an empty export', nothing, 'There is nothing in it to import.'],
  [
    'an export that came before',
    { ...nothing, sessions: 3, known: 3, titles: ['A', 'B', 'C'] },
    'There is nothing new in it: all its chats are here already.',
  ],
])('%s offers no import, but another file', async ([, found, sentence]) => {
  await showImport(found)
  await look()
  await expect.element(dialog().getByText(sentence)).toBeVisible()
  await expect.element(button('Import')).not.toBeInTheDocument()
  await button('Choose another').click()
  await expect.element(field()).toHaveFocus()
  await expect.element(field()).toHaveValue('')
})

test('when only memories are new, they have to be wanted', async () => {
  await showImport({ ...anExport, kind: 'hermes', sessions: 2, known: 2 })
  await look()
  await expect.element(heading('From Hermes')).toBeVisible()
  await expect.element(button('Import')).toBeEnabled()
  await withMemories().click()
  await expect.element(button('Import')).toBeDisabled()
})

test.for([
  ['light', 1_280],
  ['dark', 1_280],
  ['light', 400],
  ['dark', 400],
] as const)('nothing stands in the way of anyone in any step, %s and %i wide', async ([theme, width]) => {
  const check = async () => {
    for (const animation of document.getAnimations()) animation.cancel()
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
    const box = dialog().element()
    expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth)
    expect(box.getBoundingClientRect().right).toBeLessThanOrEqual(width)
  }
  const host = await showImport(
    { ...anExport, path: `/home/ada/${'long-'.repeat(40)}`, titles: ['A title '.repeat(30)] },
    { hello: { settings: { theme, sendWith: 'enter' } } },
  )
  await page.viewport(width, 700)
  await expect.poll(() => document.documentElement.dataset['theme']).toBe(theme)
  host.failNext('import.preview', new Fault('bad_input', 'There is nothing at that place.'))
  await look(`/home/ada/${'long-'.repeat(40)}`)
  await expect.element(dialog().getByRole('alert')).toBeVisible()
  await check()
  const coming = slowly(host)
  await look(`/home/ada/${'long-'.repeat(40)}`)
  await expect.element(button('Import')).toBeVisible()
  await check()
  await button('Import').click()
  coming.say({ type: 'progress', done: 400, total: 1_209 })
  await expect.element(dialog().getByText('400 of 1,209')).toBeVisible()
  await check()
  coming.say(report)
  await expect.element(heading('Imported')).toBeVisible()
  await check()
})
