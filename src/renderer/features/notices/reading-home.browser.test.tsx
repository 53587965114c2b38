import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { addField, aFile, entry, fill, showMemory } from '../../test/memory.ts'

const elsewhere = () => ({
  homeFiles: { '.lock.computer': JSON.stringify({ computer: 'kitchen', at: Date.now() - 90_000 }) },
})
const SAYS = /Nothing can be saved in .*: the computer kitchen is using it/

test('of a home that another computer has the window says why nothing is saved, shows everything, and loses no word', async () => {
  const host = await showMemory(fill, elsewhere())
  const notices = page.getByRole('region', { name: 'Notices' })
  await expect.element(notices.getByText(SAYS)).toBeVisible()
  await expect.element(notices.getByText(/You can read everything, and nothing is lost/)).toBeVisible()
  await expect.element(notices.getByText(/talaria data take-over/)).toBeVisible()
  await expect.element(entry('Lives in Bern.')).toBeVisible()

  await addField().fill('Has a cat.')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(SAYS).nth(1)).toBeVisible()
  await expect.element(addField()).toHaveValue('Has a cat.')
  expect(await host.readFile('home', 'memories/USER.md')).not.toContain('cat')
})

test('a memory file that waits there is shown, and choosing says why it cannot be settled', async () => {
  const theirs = aFile('<<<<<<< HEAD\nLives in Bern.\n=======\nLives in Basel.\n>>>>>>> laptop')
  const host = await showMemory(home => {
    fill(home)
    void home.seed.files({ 'memories/USER.md': theirs })
  }, elsewhere())
  const card = page.getByRole('region', { name: 'Which version of USER.md is right?' })
  await expect.element(card.getByText('Lives in Basel.')).toBeVisible()
  expect(card.element().textContent).not.toContain('talaria-reading')
  await card.getByRole('button', { name: 'Keep both' }).click()
  await expect.element(page.getByText(SAYS).nth(1)).toBeVisible()
  expect(await host.readFile('home', 'memories/USER.md')).toBe(theirs)
})
