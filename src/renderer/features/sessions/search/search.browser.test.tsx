import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../../shared/rpc.ts'
import { aHistory, aReply, aUserMessage } from '../../../test/messages.ts'
import { button, showWindow, transcript } from '../../../test/show-window.tsx'
import type { PreparedHost } from '../../../test/test-host.ts'

const chats = () => page.getByRole('navigation', { name: 'Chats' })
const field = () => page.getByRole('searchbox')
const hit = (name: string | RegExp) => chats().getByRole('button', { name })
const day = 86_400_000

/** A long chat in which something was said far up, and a newer one that is open. */
function twoChats(host: PreparedHost) {
  // Row heights vary and are unknown until rendered.
  const long = aHistory(400).map(message =>
    message.id % 3 === 0
      ? { ...message, text: `${message.text}\n\n${'More. '.repeat(message.id % 150)}` }
      : message,
  )
  long[20] = aUserMessage({ id: 21, text: 'The potatoes go beside the old wall.', at: Date.now() - 40 * day })
  long[21] = aReply({ id: 22, text: 'Potatoes like the sun.', at: Date.now() - 2 * day })
  const letter = [
    aUserMessage({ id: 1_001, text: 'Hello', at: Date.now() }),
    aReply({ id: 1_002, at: Date.now() }),
  ]
  void host.seed.chat({ id: 'c1', title: 'Garden', updatedAt: Date.now() - day, messages: long })
  void host.seed.chat({ id: 'c2', title: 'Letter', messages: letter })
  return 'c2'
}

/** The position of an element once it has not moved for more frames than a jump to a message needs. */
async function whenStill(place: () => number): Promise<number> {
  let last = place()
  for (let frames = 0; frames < 10; frames++) {
    await new Promise(requestAnimationFrame)
    if (place() !== last) frames = 0
    last = place()
  }
  return last
}

const asked = (host: PreparedHost) => host.asked.filter(each => each.name === 'recall.search')

test('a search finds messages with their chat, time and author', async () => {
  const host = await showWindow(twoChats)
  await field().fill('potatoes')
  await expect.element(chats().getByText('1 chat found')).toBeVisible()
  await expect.element(hit('Garden')).toBeVisible()
  await expect.element(hit(/^You.*The potatoes go beside/)).toBeVisible()
  await expect.element(hit(/^Talaria.*Potatoes like/)).toBeVisible()
  const marks = [...chats().element().querySelectorAll('mark')].map(mark => mark.textContent)
  expect(marks).toEqual(['Potatoes', 'potatoes'])
  expect(asked(host).map(each => each.input)).toEqual([{ query: 'potatoes', limit: 30 }])
})

test('chats of schedules and sub-agents are found too, and say so', async () => {
  await showWindow(host => {
    for (const [at, origin] of (['schedule', 'sub_agent', 'window'] as const).entries()) {
      const messages = [aUserMessage({ id: at + 1, text: 'The potatoes.' })]
      void host.seed.chat({ id: `c${at}`, title: `By ${origin}`, origin, messages })
    }
    return 'c2'
  })
  await field().fill('potatoes')
  await expect.element(hit('By schedule Scheduled')).toBeVisible()
  await expect.element(hit('By sub_agent Sub-agent')).toBeVisible()
  await expect.element(hit(/^By window$/)).toBeVisible()
})

test('a chat that is archived is found too, and says so', async () => {
  await showWindow(host => {
    const messages = [aUserMessage({ id: 1, text: 'The potatoes.' })]
    void host.seed.chat({ id: 'c1', title: 'Garden', origin: 'import', archived: true, messages })
    void host.seed.chat({ id: 'c2', title: 'Kitchen' })
    return 'c2'
  })
  await field().fill('potatoes')
  await expect.element(hit('Garden Imported Archived')).toBeVisible()
})

test('Enter opens the chat at the message, even far up, and highlights it briefly', async () => {
  await showWindow(twoChats)
  await field().fill('potatoes')
  await expect.element(hit(/^You/)).toBeVisible()
  ;(field().element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  await expect.element(hit(/^You/)).toHaveFocus()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await userEvent.keyboard('{Enter}')
  const message = transcript().getByText('The potatoes go beside the old wall.')
  await expect.element(message).toBeInViewport()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Garden' })).toBeVisible()
  expect(message.element().closest('.row-marked')).not.toBeNull()
  expect(location.hash).toBe('#chat=c1')
  const place = () => message.element().getBoundingClientRect().top
  const before = await whenStill(place)
  vi.runOnlyPendingTimers()
  await expect.poll(() => document.querySelector('.row-marked')).toBeNull()
  // Positions are rounded to fractions of a pixel.
  expect(Math.abs(place() - before)).toBeLessThan(1)
  await expect.element(button('Jump to latest')).toBeVisible()
})

test('the same message can be opened again, and another one in the same chat', async () => {
  await showWindow(twoChats)
  await field().fill('potatoes')
  await hit(/^You/).click()
  const message = transcript().getByText('The potatoes go beside the old wall.')
  await expect.element(message).toBeInViewport()
  await button('Jump to latest').click()
  await expect.element(transcript().getByText('Answer 400', { exact: true })).toBeInViewport()
  await hit(/^You/).click()
  await expect.element(message).toBeInViewport()
  await field().fill('question 300')
  await hit(/^You.*Question 300/).click()
  await expect.element(transcript().getByText('Question 300', { exact: true })).toBeInViewport()
})

test('a chat that fits the window does not scroll to the message', async () => {
  await showWindow(host => {
    twoChats(host)
    return 'c1'
  })
  await field().fill('hello')
  await hit(/^You.*Hello/).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Letter' })).toBeVisible()
  await expect.poll(() => document.querySelector('.row-marked')).not.toBeNull()
  await expect.element(button('Jump to latest')).not.toBeInTheDocument()
})

test('an address that names a message opens its chat there', async () => {
  history.replaceState(null, '', '#token=secret&chat=c1&message=21')
  await showWindow(host => void twoChats(host))
  await expect.element(transcript().getByText('The potatoes go beside the old wall.')).toBeInViewport()
  expect(location.hash).toBe('#token=secret&chat=c1')
})

test('a message that cannot be loaded says why, and the chat still opens', async () => {
  await showWindow(host => {
    twoChats(host)
    return 'c1'
  }).then(async host => {
    await expect.element(transcript().getByText('Answer 400', { exact: true })).toBeVisible()
    await field().fill('potatoes')
    await expect.element(hit(/^You/)).toBeVisible()
    host.failEach('session.messages', new Fault('internal', 'The disk is gone.'))
    await hit(/^You/).click()
  })
  await expect.element(page.getByText('The message could not be shown: The disk is gone.')).toBeVisible()
  await expect.element(transcript().getByText('Answer 400', { exact: true })).toBeVisible()
})

test('a search can be limited to a period and an author, and widened again', async () => {
  const host = await showWindow(twoChats)
  await field().fill('potatoes')
  await button('When: Any time').click()
  await page.getByRole('menuitemradio', { name: 'Last week' }).click()
  await expect.element(hit(/^Talaria.*Potatoes like/)).toBeVisible()
  await expect.element(hit(/^You/)).not.toBeInTheDocument()
  await button('Who said it: Anyone').click()
  await page.getByRole('menuitemradio', { name: 'You' }).click()
  await expect.element(chats().getByText('Nothing found for “potatoes”.')).toBeVisible()
  expect(asked(host).at(-1)?.input).toMatchObject({ role: 'user', from: expect.any(Number) })
  await button('Search everywhere').click()
  await expect.element(hit(/^You/)).toBeVisible()
  await expect.element(button('When: Any time')).toBeVisible()
})

test('part of a word finds titles, and a search without results suggests what to try', async () => {
  await showWindow(twoChats)
  await field().fill('gard')
  await expect.element(chats().getByText('1 chat found')).toBeVisible()
  await field().fill('quark')
  await expect.element(chats().getByText('Nothing found for “quark”.')).toBeVisible()
  await expect.element(chats().getByText(/^Try fewer words/)).toBeVisible()
})

test('a search that fails says why and can be tried again', async () => {
  const host = await showWindow(twoChats)
  const heal = host.failEach('recall.search', new Fault('internal', 'The index is being built.'))
  await field().fill('potatoes')
  await expect.element(chats().getByText('The search failed: The index is being built.')).toBeVisible()
  heal()
  await chats().getByRole('button', { name: 'Try again' }).click()
  await expect.element(chats().getByText('1 chat found')).toBeVisible()
})

test('in a narrow window a result closes the list and shows the message', async () => {
  await page.viewport(480, 800)
  await showWindow(twoChats)
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
  await field().fill('potatoes')
  await hit(/^You/).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(transcript().getByText('The potatoes go beside the old wall.')).toBeInViewport()
})
