import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { button } from '../../test/show-app.tsx'
import { changes, choose, entry, fill, list, note, showMemory, tab } from './test-memory.ts'

test('the room that is left is told in characters and tokens, by file', async () => {
  const host = await showMemory()
  await expect.element(page.getByText('65 of 400 characters · about 17 tokens')).toBeVisible()
  await expect.element(page.getByRole('meter', { name: 'About you' })).toHaveAttribute('value', '65')
  await tab(/^Notes/).click()
  await expect.element(page.getByRole('meter', { name: 'Notes, everywhere' })).toHaveAttribute('max', '600')
  await expect.element(page.getByRole('meter', { name: 'Notes of garden' })).toHaveAttribute('value', '23')
  await expect.element(page.getByText(/Nearly full/)).not.toBeInTheDocument()
  host.notebook.limits.memory = 32
  host.notebook.change('make', 'The build is started with make')
  await expect.element(page.getByText(/Nearly full/)).toBeVisible()
  const first = page.getByRole('button', { name: 'The build is started with make', exact: true }).first()
  await first.click()
  await expect.element(note('The build is started with make')).toHaveFocus()
})

test('using it and learning are switched apart', async () => {
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

test('the block is shown as the model gets it, for the folder of a chat', async () => {
  await showMemory()
  await button('As the model sees it').click()
  const dialog = page.getByRole('dialog', { name: 'As the model sees it' })
  await expect.element(dialog.getByText(/- Lives in Bern\./)).toBeVisible()
  await expect.element(dialog.getByText(/^\d+ tokens$/)).toBeVisible()
  await expect.element(dialog.getByText(/- Bed 3 has the potatoes\./)).not.toBeInTheDocument()
  await dialog.getByRole('combobox').selectOptions('garden – /home/ada/garden')
  await expect.element(dialog.getByText(/- Bed 3 has the potatoes\./)).toBeVisible()
})

test('everything is forgotten only after the word was typed, and can come back', async () => {
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
  expect(host.notebook.entries()).toEqual([])
  await button('Undo').click()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  expect(host.notebook.entries()).toHaveLength(5)
})

test('a file that another program changed shows both versions, and either can stay', async () => {
  const host = await showMemory()
  const edit = { before: 'Lives in Bern.', after: 'Lives in Basel.' }
  host.notebook.change('bern', 'Lives in Basel.', 'file')
  host.notebook.outside({ id: 'o1', ...edit })
  const card = page.getByRole('region', { name: 'USER.md was changed by another program' })
  await expect.element(card.getByText('Bern', { exact: true })).toBeVisible()
  expect(card.element().querySelector('del')?.textContent).toBe('Bern')
  expect(card.element().querySelector('ins')?.textContent).toBe('Basel')
  await button('Bring ours back').click()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()
  host.notebook.outside({ id: 'o2', ...edit })
  await button('Keep theirs').click()
  await expect.element(card).not.toBeInTheDocument()
  expect(changes(host).map(each => each.input)).toEqual([
    { id: 'o1', keep: 'ours' },
    { id: 'o2', keep: 'theirs' },
  ])
})

test('a window that is turned to again looks at the files again', async () => {
  const host = await showMemory()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  const looks = () => host.asked.filter(({ name }) => name === 'memory.view').length
  const before = looks()
  window.dispatchEvent(new Event('focus'))
  await expect.poll(looks).toBe(before + 1)
})

test('a file that cannot be read is named, with the reason', async () => {
  await showMemory(host => {
    fill(host)
    host.notebook.unreadable('/home/ada/.talaria/memories/MEMORY.md', 'it is not text')
  })
  await expect.element(page.getByText(/MEMORY\.md cannot be read \(it is not text\)/)).toBeVisible()
  await expect.element(button('Look again')).toBeVisible()
})

test('the archive is searched, and what is brought back is where it was', async () => {
  const host = await showMemory()
  await choose('Lives in Bern.', 'Delete')
  await choose('Prefers short answers.', 'Delete')
  await tab(/^Archive 2/).click()
  const archive = list('Archive')
  await expect.element(archive.getByText('Lives in Bern.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search in the archive' }).fill('short')
  await expect.element(archive.getByText('Lives in Bern.')).not.toBeInTheDocument()
  host.failNext('memory.restore', new Fault('bad_input', 'Not saved: this would take 500 of 400.'))
  await button('Bring back “Prefers short answers.”').click()
  await expect.element(page.getByText('Not saved: this would take 500 of 400.')).toBeVisible()
  await button('Bring back “Prefers short answers.”').click()
  await expect.element(page.getByText('Nothing in the archive has “short”.')).toBeVisible()
  await tab(/^About you/).click()
  await expect.element(entry('Prefers short answers.')).toBeVisible()
  await expect.element(button('Unlock “Prefers short answers.”')).toBeVisible()
})
