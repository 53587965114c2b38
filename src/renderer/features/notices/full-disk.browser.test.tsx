import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { addField, entry, fill, showMemory } from '../../test/memory.ts'
import { readRoute } from '../../route.ts'

const BIG = 'models/big.gguf'

test('on a full disk the window says what takes space, loses no word, and saves again once a model was deleted', async () => {
  const host = await showMemory(fill, { homeFiles: { [BIG]: 'GGUF'.repeat(500_000) }, filledBy: BIG })
  const notices = page.getByRole('region', { name: 'Notices' })
  await expect.element(notices.getByText(/Nothing can be saved in .*: the disk is full/)).toBeVisible()
  await notices.getByRole('button', { name: 'Details' }).click()
  const parts = notices.getByRole('list', { name: 'What uses space here' })
  await expect.element(parts.getByRole('listitem').first()).toHaveTextContent('Models: 2 MB Delete models…')
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  await userEvent.keyboard('{Escape}')

  await addField().fill('Has a cat.')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/the disk is full/).nth(1)).toBeVisible()
  await expect.element(addField()).toHaveValue('Has a cat.')

  await host.elsewhere['model.deleteFile']({ id: `file:${BIG}` })
  expect(await host.readFile('home', BIG)).toBe(null)
  await expect.element(notices.getByText(/the disk is full/), { timeout: 30_000 }).not.toBeInTheDocument()
  await addField().click()
  await userEvent.keyboard('{Enter}')
  await expect.element(entry('Has a cat.')).toBeVisible()
  expect(await host.readFile('home', 'memories/USER.md')).toContain('Has a cat.')
})

test('what takes space leads to the models and the backups', async () => {
  await showMemory(fill, {
    homeFiles: { [BIG]: 'GGUF'.repeat(500_000), 'backups/old.zip': 'PK' },
    filledBy: BIG,
  })
  const notices = page.getByRole('region', { name: 'Notices' })
  const details = notices.getByRole('button', { name: 'Details' })
  await details.click()
  await notices.getByRole('button', { name: 'See backups…' }).click()
  await expect.element(page.getByRole('heading', { name: 'Backups that Talaria keeps' })).toBeVisible()
  await notices.getByRole('button', { name: 'Delete models…' }).click()
  expect(readRoute(location.hash).page).toBe('models')
})
