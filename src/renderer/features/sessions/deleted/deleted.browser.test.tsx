import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { aHistory } from '../../../test/messages.ts'
import { button, showWindow } from '../../../test/show-window.tsx'
import type { PreparedHost } from '../../../test/test-host.ts'

/** Two chats, which are deleted before the window opens. */
async function showDeleted() {
  const host = await showWindow(({ seed }: PreparedHost) => {
    void seed.chat({ id: 'garden', title: 'Garden', messages: aHistory(1) })
    void seed.chat({ id: 'kitchen', title: 'Kitchen' })
    return 'garden'
  })
  for (const id of ['garden', 'kitchen']) await host.elsewhere['session.remove']({ id })
  await button(/^Recently deleted/).click()
  await expect.element(dialog()).toBeVisible()
  return host
}

const dialog = () => page.getByRole('dialog', { name: 'Recently deleted' })
const rows = () => dialog().getByRole('listitem')

test('a deleted chat is listed with the days that are left, and restored', async () => {
  await showDeleted()
  await expect.element(rows().first()).toMatchTextContent(/^Kitchen.*30 days left/)
  await expect.element(dialog().getByText(/You can restore a deleted chat for 30 days/)).toBeVisible()
  await button('Restore “Garden”').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect
    .element(
      page.getByRole('navigation', { name: 'Chats' }).getByRole('button', { name: 'Garden', exact: true }),
    )
    .toBeVisible()
})

test('Delete now asks first and removes the chat for good', async () => {
  const host = await showDeleted()
  await button('Delete now: “Garden”').click()
  await expect
    .element(dialog().getByRole('group', { name: 'Delete for good? This cannot be undone.' }))
    .toBeVisible()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  expect(host.asked.some(each => each.name === 'session.purge')).toBe(false)
  await button('Delete now: “Garden”').click()
  await dialog().getByRole('button', { name: 'Delete now', exact: true }).click()
  await expect.poll(() => rows().elements().length).toBe(1)
  await expect.poll(async () => (await host.elsewhere['session.deleted']({})).removing).toBe(0)
  await expect(host.elsewhere['session.restore']({ id: 'garden' })).rejects.toThrow('no longer exists')
})

test('all deleted chats are removed at once after a question', async () => {
  await showDeleted()
  await button('Delete all now').click()
  await expect
    .element(dialog().getByRole('group', { name: 'Delete 2 chats for good? This cannot be undone.' }))
    .toBeVisible()
  await dialog().getByRole('button', { name: 'Delete all now' }).click()
  await expect.element(dialog().getByText('There are no chats to restore.')).toBeVisible()
})

test('what cannot be removed is listed with its reason, and tried again when asked', async () => {
  const host = await showDeleted()
  // A folder in place of the training data file, so that it cannot be rewritten.
  await host.seed.files({ 'trajectories/success.jsonl/file': '' })
  await button('Delete now: “Garden”').click()
  await dialog().getByRole('button', { name: 'Delete now', exact: true }).click()
  const left = dialog().getByRole('region', { name: 'Not deleted' })
  await expect
    .element(left.getByRole('listitem'))
    .toMatchTextContent(/success\.jsonl\s*it is a folder.*The chat was deleted .*\.$/)
  await expectAccessibleAt(1_280, 420)
  await left.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => host.asked.filter(each => each.name === 'session.purge').length).toBe(2)
  await expect.element(left.getByRole('listitem')).toBeVisible()
})

test('the deleted chats are accessible in wide and narrow windows', async () => {
  await showDeleted()
  await expectAccessibleAt(1_280, 420)
})
