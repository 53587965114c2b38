import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { goTo } from '../../route.ts'
import { button, transcript } from '../../test/show-window.tsx'
import {
  agentWrites,
  choose,
  editor,
  entry,
  entryOf,
  fill,
  list,
  showMemory,
  tab,
} from '../../test/memory.ts'

const details = () => page.getByRole('complementary', { name: 'Entry' })
const changed = () => list('Changes')

test('the details show where an entry came from and quote its source', async () => {
  await showMemory()
  await button('Details of “Uses pnpm for packages.”').click()
  expect(location.hash).toBe('#page=memory&entry=pnpm')
  await expect.element(details().getByText('The agent saved it.')).toBeVisible()
  await expect.element(details().getByText('Please use pnpm here, I never use npm.')).toBeVisible()
  await details().getByRole('button', { name: 'Open the chat at this message' }).click()
  await expect.element(transcript().getByText('Noted.')).toBeVisible()
  expect(location.hash).toContain('#chat=c1')
})

test('an address of an entry opens its tab and its details, as a dialog in a narrow window', async () => {
  await showMemory(fill, { entryId: 'beds' })
  await expect.element(tab(/^Notes/)).toHaveAttribute('aria-selected', 'true')
  await expect.element(details().getByText('Notes of garden')).toBeVisible()
  await page.viewport(800, 700)
  const dialog = page.getByRole('dialog', { name: 'Entry' })
  await expect.element(dialog.getByText('Notes of garden')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(location.hash).toBe('#page=memory')
})

test('an address of an entry that does not exist says so', async () => {
  await showMemory(fill, { entryId: 'nothing' })
  await expect.element(details().getByText('This entry does not exist.')).toBeVisible()
})

test('a removed source is reported, and the entry stays', async () => {
  const host = await showMemory()
  await host.elsewhere['session.remove']({ id: 'c1' })
  goTo({ page: 'memory', entryId: 'pnpm' })
  await expect.element(details().getByText('The chat it came from was deleted.')).toBeVisible()
})

test('an older version is compared word by word and can be restored', async () => {
  const host = await showMemory(fill, { entryId: 'bern' })
  await expect.element(details().getByText('Added by you', { exact: false })).toBeVisible()
  await agentWrites(host, 'bern', 'Lives in Basel.')
  await expect.element(details().getByText('Changed by the agent', { exact: false })).toBeVisible()
  expect(details().element().querySelector('del')?.textContent).toBe('Bern')
  expect(details().element().querySelector('ins')?.textContent).toBe('Basel')
  host.failNext('memory.restore', new Fault('bad_input', 'Not saved: the disk is full.'))
  await button('Restore this version').click()
  await expect.element(page.getByText('Not saved: the disk is full.')).toBeVisible()
  await button('Restore this version').click()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  await button('Undo').click()
  await expect.element(entry('Lives in Basel.')).toBeVisible()
})

test('the details of a deleted entry keep its text and versions', async () => {
  const host = await showMemory(fill, { entryId: 'bern' })
  await expect.element(details().getByText('Added by you', { exact: false })).toBeVisible()
  await host.elsewhere['memory.remove']({ ids: ['bern'] })
  await expect.element(details().getByText('This entry is in the archive.')).toBeVisible()
  await details().getByRole('button', { name: 'Restore this version' }).click()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
})

test('the history shows who changed what, and each change can be undone', async () => {
  const host = await showMemory()
  await entry('Lives in Bern.').click()
  await editor().fill('Lives in Basel.')
  await button('Save').click()
  await choose('Uses pnpm for packages.', 'Move to Notes, everywhere')
  await button('Lock “Lives in Basel.”').click()
  await tab(/^History/).click()
  await expect.element(changed().getByText('Locked by you')).toBeVisible()
  await expect.element(changed().getByText(/From About you to Notes, everywhere/)).toBeVisible()
  await button('Undo: Changed by you “Lives in Basel.”').click()
  await expect.element(changed().getByText('undone', { exact: true })).toBeVisible()
  await expect.element(changed().getByText('undoes an earlier change')).toBeVisible()
  await button('Undo: Moved by you “Uses pnpm for packages.”').click()
  await expect.poll(async () => (await entryOf(host, 'pnpm'))?.target).toBe('user')
  await tab(/^About you/).click()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  await expect.element(entry('Uses pnpm for packages.')).toBeVisible()
})

test('a change in the history links to its entry', async () => {
  await showMemory()
  await tab(/^History/).click()
  await changed().getByRole('button', { name: 'Show the entry' }).nth(2).click()
  await expect.element(tab(/^About you/)).toHaveAttribute('aria-selected', 'true')
  await expect.element(details().getByText('Please use pnpm here, I never use npm.')).toBeVisible()
})

test('an undo that fails says why', async () => {
  const host = await showMemory()
  await tab(/^History/).click()
  host.failNext('memory.undo', new Fault('bad_input', 'Not saved: the disk is full.'))
  await button('Undo: Added by you “Lives in Bern.”').click()
  await expect.element(page.getByText('Not saved: the disk is full.')).toBeVisible()
})

test('a long history loads page by page', async () => {
  await showMemory(host => {
    for (let index = 1; index <= 60; index++) void host.seed.entry({ text: `Fact ${index}.` })
  })
  await tab(/^History/).click()
  await expect.element(changed().getByText('Fact 60.')).toBeVisible()
  await expect.element(changed().getByText('Fact 10.')).not.toBeInTheDocument()
  await button('Show more').click()
  await expect.element(changed().getByText('Fact 1.', { exact: true })).toBeInTheDocument()
  expect(changed().element().children).toHaveLength(60)
  await expect.element(button('Show more')).not.toBeInTheDocument()
})
