import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aHistory } from '../../test/messages.ts'
import { button, showWindow } from '../../test/show-window.tsx'
import type { PreparedHost, TestHost } from '../../test/test-host.ts'

function aChat({ seed }: PreparedHost) {
  void seed.chat({ id: 'c1', title: 'Garden', messages: aHistory(1) })
  return 'c1'
}
/** A chat in which two things were learned. */
function aLearnedChat(host: PreparedHost) {
  const { seed } = host
  const learned = { origin: 'agent', sessionId: aChat(host), messageId: 1 } as const
  void seed.entry({ ...learned, text: 'Has a garden.' })
  void seed.entry({ ...learned, text: 'Grows potatoes.' })
  void seed.entry({ text: 'Lives in Bergen.' })
  return 'c1'
}
const remembered = async (host: TestHost) =>
  (await host.elsewhere['memory.view']({})).entries.map(entry => entry.text)
const remove = async () => {
  await button('More for “Garden”').click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
}

test('removing a chat reports what it left in memory, and offers to forget it', async () => {
  const host = await showWindow(aLearnedChat)
  await remove()
  await expect.element(page.getByText('“Garden” was removed. It is under Recently deleted.')).toBeVisible()
  await expect.element(page.getByText('2 things learned there stay in memory.')).toBeVisible()
  expect(await remembered(host)).toHaveLength(3)
  await button('Forget them too').click()
  await expect.element(page.getByText('2 things were forgotten.')).toBeVisible()
  expect(await remembered(host)).toEqual(['Lives in Bergen.'])
  await button('Undo').last().click()
  await expect.poll(() => remembered(host)).toHaveLength(3)
})

test('removing a chat that left nothing in memory does not mention memory', async () => {
  const host = await showWindow(aChat)
  await remove()
  await expect.element(page.getByText('“Garden” was removed. It is under Recently deleted.')).toBeVisible()
  await expect.poll(() => host.asked.some(each => each.name === 'memory.ofChat')).toBe(true)
  await expect.element(page.getByText(/stay in memory/)).not.toBeInTheDocument()
})
