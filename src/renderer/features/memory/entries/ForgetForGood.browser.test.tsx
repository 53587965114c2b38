import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button } from '../../../test/show-window.tsx'
import { choose, entry, showMemory, viewOf } from '../../../test/memory.ts'

test('an entry is forgotten for good from its menu, after a dialog that names what goes and which chats keep it', async () => {
  const host = await showMemory()
  await choose('Lives in Bern.', 'Forget for good…')
  const dialog = page.getByRole('dialog', { name: 'Forget for good?' })
  await expect
    .element(dialog.getByRole('list', { name: 'What is removed' }))
    .toHaveTextContent('Lives in Bern.')
  await expect.element(dialog.getByText(/You cannot undo it/)).toBeVisible()
  await expect
    .element(dialog.getByText(/Exports and copies outside Talaria’s folder are not removed/))
    .toBeVisible()
  await dialog.getByRole('button', { name: 'Forget for good' }).click()
  await expect.element(page.getByText('The entry was forgotten for good.')).toBeVisible()
  await expect.element(entry('Lives in Bern.')).not.toBeInTheDocument()
  const { entries } = await viewOf(host)
  expect(entries.map(({ text }) => text)).not.toContain('Lives in Bern.')
})

test('Cancel leaves everything as it was', async () => {
  await showMemory()
  await choose('Lives in Bern.', 'Forget for good…')
  await button('Cancel').click()
  await expect.element(entry('Lives in Bern.')).toBeVisible()
})
