import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
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
  await page.getByRole('menuitem', { name: 'Delete' }).click()
}

test('removing a chat reports what it left in memory, and offers to forget it', async () => {
  const host = await showWindow(aLearnedChat)
  await remove()
  await expect.element(page.getByText('“Garden” was deleted. It is under Recently deleted.')).toBeVisible()
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
  await expect.element(page.getByText('“Garden” was deleted. It is under Recently deleted.')).toBeVisible()
  await expect.poll(() => host.asked.some(each => each.name === 'memory.ofChat')).toBe(true)
  await expect.element(page.getByText(/stay in memory/)).not.toBeInTheDocument()
})

describe('a temporary chat', () => {
  /** A window with an open temporary chat “Secret” and another chat. */
  async function aWindow() {
    const host = await showWindow(aChat)
    const { id } = await host.elsewhere['session.create']({ temporary: true })
    await host.elsewhere['session.update']({ id, title: 'Secret', draft: 'not sent' })
    await expect.element(row('Secret')).toBeVisible()
    return { host, id }
  }
  const row = (title: string) =>
    page.getByRole('navigation', { name: 'Chats' }).getByRole('button', { name: new RegExp(`^${title}`) })
  const GONE = /temporary.* gone for good/

  test('that is removed has ended: nothing offers to undo that', async () => {
    const { host, id } = await aWindow()
    await button('More for “Secret”').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect
      .element(page.getByText('“Secret” was temporary. It has ended and is gone for good.'))
      .toBeVisible()
    await expect.element(button('Undo')).not.toBeInTheDocument()
    await expect.element(row('Secret')).not.toBeInTheDocument()
    await expect(host.elsewhere['session.get']({ id })).rejects.toThrow()
    expect((await host.elsewhere['session.deleted']({})).chats).toEqual([])
  })

  test('that is removed among others is not among what Undo brings back', async () => {
    const { host } = await aWindow()
    await row('Garden').click({ modifiers: ['ControlOrMeta'] })
    await row('Secret').click({ modifiers: ['ControlOrMeta'] })
    await userEvent.keyboard('{Delete}')
    await expect.element(page.getByText(GONE)).toBeVisible()
    await expect.element(page.getByText('1 chat was deleted. See Recently deleted.')).toBeVisible()
    await button('Undo').click()
    await expect.element(row('Garden')).toBeVisible()
    await expect.element(row('Secret')).not.toBeInTheDocument()
    expect((await host.elsewhere['session.deleted']({})).chats).toEqual([])
  })
})
