import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { button } from '../../test/show-window.tsx'
import {
  addField,
  aFile,
  agentWrites,
  changes,
  choose,
  editor,
  entriesOf,
  entry,
  entryOf,
  fill,
  list,
  note,
  showMemory,
  tab,
  tight,
} from '../../test/memory.ts'

test('each file shows its used characters and tokens, and warns when nearly full', async () => {
  const host = await showMemory(fill, { config: { memory: { user_limit: 400, notes_limit: 200 } } })
  await expect.element(page.getByText('65 of 400 characters · about 15 tokens')).toBeVisible()
  await expect.element(page.getByRole('meter', { name: 'About you' })).toHaveAttribute('value', '65')
  await tab(/^Notes/).click()
  await expect.element(page.getByRole('meter', { name: 'Notes, everywhere' })).toHaveAttribute('max', '200')
  await expect.element(page.getByRole('meter', { name: 'Notes of garden' })).toHaveAttribute('value', '23')
  await expect.element(page.getByText(/Nearly full/)).not.toBeInTheDocument()
  const long = `The build is started with ${'make '.repeat(30)}`.trim()
  await agentWrites(host, 'make', long)
  await expect.element(page.getByText(/Nearly full/)).toBeVisible()
  await page.getByRole('button', { name: long, exact: true }).first().click()
  await expect.element(note(long)).toHaveFocus()
})

test('using memory and learning are separate switches', async () => {
  const host = await showMemory()
  await page.getByRole('switch', { name: 'Learn from chats' }).click()
  await expect
    .element(page.getByRole('switch', { name: 'Learn from chats' }))
    .toHaveAttribute('aria-checked', 'false')
  await expect
    .element(page.getByRole('switch', { name: 'Use in chats' }))
    .toHaveAttribute('aria-checked', 'true')
  expect(changes(host).map(each => each.input)).toEqual([{ learnFromChats: false }])
})

test('the preview shows the memory as the model sees it, for a chosen folder', async () => {
  const host = await showMemory()
  await button('What the model sees').click()
  const dialog = page.getByRole('dialog', { name: 'What the model sees' })
  await expect.element(dialog.getByText(/- Lives in Bern\./)).toBeVisible()
  await expect.element(dialog.getByText(/^\d+ tokens$/)).toBeVisible()
  await expect.element(dialog.getByText(/- Bed 3 has the potatoes\./)).not.toBeInTheDocument()
  await dialog.getByRole('combobox').selectOptions(`garden – ${host.workspace}/garden`)
  await expect.element(dialog.getByText(/- Bed 3 has the potatoes\./)).toBeVisible()
})

test('“Forget everything” needs a typed word and can be undone', async () => {
  const host = await showMemory()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Forget everything…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Forget everything?' })
  const forget = dialog.getByRole('button', { name: 'Forget everything' })
  await expect.element(forget).toBeDisabled()
  await userEvent.keyboard('forge{Enter}')
  expect(changes(host)).toEqual([])
  host.failNext('memory.forgetAll', new Fault('bad_input', 'Not saved: the disk is full.'))
  await userEvent.keyboard('t{Enter}')
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('Not saved: the disk is full.')
  await forget.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(await entriesOf(host)).toEqual([])
  await button('Undo').click()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  expect(await entriesOf(host)).toHaveLength(5)
})

test('a file changed by another program shows both versions, and either can be kept', async () => {
  const host = await showMemory()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  const others = ['Prefers short answers.', 'Uses pnpm for packages.']
  const writeElsewhere = async () => {
    await host.seed.files({ 'memories/USER.md': aFile('Lives in Basel.', ...others) })
    window.dispatchEvent(new Event('focus'))
  }
  await writeElsewhere()
  const card = page.getByRole('region', { name: 'USER.md was changed by another program' })
  await expect.element(card.getByText('Bern', { exact: true })).toBeVisible()
  expect(card.element().querySelector('del')?.textContent).toBe('Bern')
  expect(card.element().querySelector('ins')?.textContent).toBe('Basel')
  await button('Restore the earlier version').click()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()
  expect(await host.readFile('home', 'memories/USER.md')).toBe(aFile('Lives in Bern.', ...others))
  await writeElsewhere()
  await button('Keep theirs').click()
  await expect.element(card).not.toBeInTheDocument()
  expect((await entryOf(host, 'bern'))?.text).toBe('Lives in Basel.')
  expect(changes(host)).toMatchObject([{ input: { keep: 'ours' } }, { input: { keep: 'theirs' } }])
})

test('focusing the window reads the files again', async () => {
  const host = await showMemory()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  const looks = () => host.asked.filter(({ name }) => name === 'memory.view').length
  const before = looks()
  window.dispatchEvent(new Event('focus'))
  await expect.poll(looks).toBe(before + 1)
})

test('an unreadable file is named, with the reason', async () => {
  await showMemory(host => {
    fill(host)
    void host.seed.files({ 'memories/MEMORY.md': null, 'memories/MEMORY.md/a-file.md': '' })
  })
  await expect.element(page.getByText(/MEMORY\.md cannot be read \(it is a folder\)/)).toBeVisible()
  await expect.element(button('Check again')).toBeVisible()
})

test('a file over its limit is named, and so is one that agents may not change', async () => {
  const part = 'Written by another program. '.repeat(6).trim()
  await showMemory(
    ({ seed }) =>
      void seed.files({
        'memories/USER.md': aFile(`${part} One.`, `${part} Two.`),
        'memories/MEMORY.md': aFile(`${part} ${part}`),
      }),
    { config: tight },
  )
  const alert = page.getByRole('alert')
  await expect
    .element(alert.getByText(/USER\.md is over its limit: \d+ of 200 characters\. Everything is kept/))
    .toBeVisible()
  await expect
    .element(
      alert.getByText(/MEMORY\.md has an entry of \d+ characters, but the limit for the whole file is 200/),
    )
    .toBeVisible()
})

test('an order that is written is shown as a statement, which can be taken or not', async () => {
  const host = await showMemory()
  await addField().fill('Always respond concisely')
  await expect.element(page.getByText(/As a statement: “Prefers concise answers\.”/)).toBeVisible()
  await button('Use the statement').click()
  await expect.element(addField()).toHaveValue('Prefers concise answers.')
  await expect.element(addField()).toHaveFocus()
  await expect.element(button('Use the statement')).not.toBeInTheDocument()
  // The person decides: an order can be saved too.
  await addField().fill('Never use emojis.')
  await userEvent.keyboard('{Enter}')
  await expect.element(entry('Never use emojis.')).toBeVisible()
  await choose('Never use emojis.', 'Edit')
  await button('Use the statement').click()
  await expect.element(editor()).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(entry('Does not want the agent to use emojis.')).toBeVisible()
  expect((await entriesOf(host)).map(each => each.text)).toContain('Does not want the agent to use emojis.')
})

test('the archive can be searched, and an entry is restored once there is space', async () => {
  const host = await showMemory(fill, { config: tight })
  await choose('Lives in Bern.', 'Archive')
  await choose('Prefers short answers.', 'Archive')
  await tab(/^Archive 2/).click()
  const archive = list('Archive')
  await expect.element(archive.getByText('Lives in Bern.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search the archive' }).fill('short')
  await expect.element(archive.getByText('Lives in Bern.')).not.toBeInTheDocument()
  const { revisions } = await host.elsewhere['memory.add']({ target: 'user', text: 'x'.repeat(170) })
  await button('Restore “Prefers short answers.”').click()
  await expect.element(page.getByText(/Not saved: this would take 221 of 200 characters\./)).toBeVisible()
  await host.elsewhere['memory.remove']({ ids: revisions.map(each => each.entryId) })
  await button('Restore “Prefers short answers.”').click()
  await expect.element(page.getByText('Nothing in the archive matches “short”.')).toBeVisible()
  await tab(/^About you/).click()
  await expect.element(entry('Prefers short answers.')).toBeVisible()
  await expect.element(button('Unlock “Prefers short answers.”')).toBeVisible()
})
