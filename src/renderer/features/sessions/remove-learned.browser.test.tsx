import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aHistory } from '../../test/messages.ts'
import type { FakeHost } from '../../test/fake-host.ts'
import { button, showApp } from '../../test/show-app.tsx'

/** A chat in which two things were learned. */
function aChat(host: FakeHost) {
  const { id } = host.addSession({ id: 'c1', title: 'Garden' }, aHistory(1))
  host.notebook.add({ text: 'Has a garden.', origin: 'agent', sessionId: id, messageId: 1 })
  host.notebook.add({ text: 'Grows potatoes.', origin: 'agent', sessionId: id, messageId: 1 })
  host.notebook.add({ text: 'Lives in Bergen.' })
  return id
}
const remembered = (host: FakeHost) =>
  host.notebook
    .entries()
    .filter(entry => entry.archivedAt === null)
    .map(entry => entry.text)
const remove = async () => {
  await button('More for “Garden”').click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
}

test('whoever removes a chat hears what stays in memory, and can let it be forgotten too', async () => {
  const host = await showApp(aChat)
  await remove()
  await expect.element(page.getByText('“Garden” was removed.')).toBeVisible()
  await expect.element(page.getByText('2 things learned there stay in memory.')).toBeVisible()
  expect(remembered(host)).toHaveLength(3)
  await button('Forget them too').click()
  await expect.element(page.getByText('2 things were forgotten.')).toBeVisible()
  expect(remembered(host)).toEqual(['Lives in Bergen.'])
  await button('Undo').last().click()
  await expect.poll(() => remembered(host)).toHaveLength(3)
})

test('a chat in which nothing was learned is removed without a word about memory', async () => {
  const host = await showApp(host => host.addSession({ id: 'c1', title: 'Garden' }, aHistory(1)).id)
  await remove()
  await expect.element(page.getByText('“Garden” was removed.')).toBeVisible()
  await expect.poll(() => host.asked.some(each => each.name === 'memory.ofChat')).toBe(true)
  await expect.element(page.getByText(/stay in memory/)).not.toBeInTheDocument()
})
