import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { SeededCompaction } from '../../../../../testing/window/protocol.ts'
import { Fault } from '../../../../shared/rpc.ts'
import { aHistory } from '../../../test/messages.ts'
import { button, composer, openWindow, say, showWindow, transcript } from '../../../test/show-window.tsx'
import type { PreparedHost } from '../../../test/test-host.ts'

const divider = () => transcript().getByRole('button', { name: /^Earlier messages are summarised/ })
const summary = () => transcript().getByRole('region', { name: 'Summary that the model reads' })
const text = '## Goal\n- Ship the <b>page</b>\n\n## Decisions\n- The port is **4310**'
const aCompaction = (given: Partial<SeededCompaction> = {}): SeededCompaction => ({
  chatId: 'c1',
  at: 0,
  headId: 2,
  upToId: 8,
  prunedToId: 8,
  questionId: 0,
  summary: text,
  by: 'model',
  focus: '',
  tokensBefore: 12_004,
  tokensAfter: 3_190,
  ...given,
})
const aChat = (host: PreparedHost, ...compactions: SeededCompaction[]) => {
  void host.seed.chat({ id: 'c1', title: 'Garden', messages: aHistory(6) })
  for (const each of compactions) void host.seed.compaction(each)
  return 'c1'
}
const working = () => transcript().getByText('Summarising earlier messages…')

/** The content of the transcript, from top to bottom. */
const order = () => {
  const text = transcript().element().textContent
  const places = ['Answer 4', 'Earlier messages', 'Question 5', 'Answer 6', 'Question 7'].map(
    words => [words, text.indexOf(words)] as const,
  )
  return places
    .filter(([, at]) => at >= 0)
    .toSorted((a, b) => a[1] - b[1])
    .map(([words]) => words)
}

test('a divider marks the end of the summary, also after a reload, and opens to show it as plain text', async () => {
  const host = await showWindow(host => aChat(host, aCompaction({ focus: 'the port' })))
  await expect
    .element(divider())
    .toMatchTextContent('Earlier messages are summarised for the model · 12.0k → 3.2k tokens')
  expect(order()).toEqual(['Answer 4', 'Earlier messages', 'Question 5', 'Answer 6'])
  await expect.element(summary()).not.toBeInTheDocument()
  await divider().click()
  await expect.element(summary().getByRole('heading', { name: 'Decisions' })).toBeVisible()
  // Nothing in a summary is markup, whoever wrote it.
  await expect.element(summary().getByText('Ship the <b>page</b>')).toBeVisible()
  await expect.element(summary().getByText('The port is **4310**')).toBeVisible()
  await expect.element(summary().getByText(/^The model wrote this summary/)).toBeVisible()
  await expect.element(summary().getByText('You asked to keep: the port')).toBeVisible()
  await openWindow(host)
  await expect.element(divider()).toBeVisible()
})

test('a summary made without a model says so, and only the newest summary is shown', async () => {
  await showWindow(host =>
    aChat(
      host,
      aCompaction(),
      aCompaction({ upToId: 10, by: 'local', summary: '## Done\n- Asked about six things' }),
    ),
  )
  await divider().click()
  await expect.element(summary().getByText(/built this summary by fixed rules/)).toBeVisible()
  expect(divider().elements()).toHaveLength(1)
})

test('a summary of the model that was refused says why', async () => {
  await showWindow(host => aChat(host, aCompaction({ by: 'local', refused: 'instructions' })))
  await divider().click()
  await expect
    .element(
      summary().getByText(
        /^The model’s summary repeated our instructions, so Talaria built one by fixed rules\./,
      ),
    )
    .toBeVisible()
})

test('shortened tool results are noted in a line without a summary to open', async () => {
  await showWindow(host => aChat(host, aCompaction({ by: 'pruning', summary: '', upToId: 0 })))
  await expect
    .element(
      transcript().getByText(/^Older calls and their results are shortened for the model · 12.0k → 3.2k/),
    )
    .toBeVisible()
  await expect.element(transcript().getByRole('button', { name: /shortened/ })).not.toBeInTheDocument()
})

test('a summary in the middle of a turn shows its progress, then the divider', async () => {
  // Two messages of about 6,000 tokens each: with the next one the chat is longer than 0.3 of the window.
  const rest = 'The garden needs rain and sun. '.repeat(800)
  const messages = aHistory(6).map(message =>
    message.id === 7 || message.id === 8 ? { ...message, text: `${message.text}. ${rest}` } : message,
  )
  const host = await showWindow(
    ({ seed }) => {
      void seed.chat({ id: 'c1', title: 'Garden', messages })
      return 'c1'
    },
    { config: { compaction: { trigger: 0.1 } } },
  )
  await say('Question 7')
  const asked = await host.nextAsked()
  await expect.element(working()).toBeVisible()
  await asked.say(text)
  await expect.element(divider()).toBeVisible()
  await expect.element(working()).not.toBeInTheDocument()
  await (await host.nextAsked()).say('Yes.')
  await expect.element(transcript().getByText('Yes.')).toBeVisible()
  expect(order()).toEqual(['Answer 4', 'Earlier messages', 'Question 5', 'Answer 6', 'Question 7'])
})

const lookingBack = () => transcript().getByText(/^Looking for things to remember/)
const REVIEWED = { config: { learning: { mode: 'save', idle_seconds: 3_600 } } }

test('before the summary of “/compact” the messages are reviewed, and what is saved has a chip with Undo', async () => {
  const host = await showWindow(host => aChat(host), REVIEWED)
  await say('/compact')
  const first = await host.nextAsked()
  await expect.element(lookingBack()).toBeVisible()
  await expect.element(button('Skip')).toBeVisible()
  await first.say(JSON.stringify({ worth: true, facts: ['Has a garden.'], procedure: '' }))
  const review = await host.nextAsked()
  await review.call('memory', { action: 'add', target: 'user', content: 'Has a garden.' })
  await review.end()
  await (await host.nextAsked()).say('Kept that there is a garden.')
  const summarising = await host.nextAsked()
  await expect.element(working()).toBeVisible()
  await expect.element(lookingBack()).not.toBeInTheDocument()
  await summarising.say(text)
  await expect.element(divider()).toBeVisible()
  await expect.element(button('Undo: Has a garden.')).toBeVisible()
  await button('Activity').click()
  await button('Has a garden.').click()
  await expect
    .element(page.getByText('A summary was about to replace older messages, so Talaria reviewed them first.'))
    .toBeVisible()
})

test('a review before a summary can be skipped, and the summary follows at once', async () => {
  const host = await showWindow(host => aChat(host), REVIEWED)
  await say('/compact')
  const first = await host.nextAsked()
  await button('Skip').click()
  await expect.poll(() => first.isCut()).toBe(true)
  const summarising = await host.nextAsked()
  expect(summarising.text).toMatch(/^\[Summary\]/)
  await expect.element(lookingBack()).not.toBeInTheDocument()
  await summarising.say(text)
  await expect
    .element(transcript().getByText(/^Skipped. Talaria reviews the older messages later/))
    .toBeVisible()
  const { reviews } = await host.elsewhere['learning.ofChat']({ sessionId: 'c1' })
  expect(reviews).toMatchObject([{ trigger: 'compaction', state: 'queued' }])
})

test('“/compact” with a focus starts a run that adds no message', async () => {
  const host = await showWindow(host => aChat(host))
  await say('/compact the port and the names')
  const asked = await host.nextAsked()
  expect(asked.text).toMatch(/^\[Summary\].*What must not be lost: the port and the names$/s)
  await expect.element(composer()).toHaveValue('')
  await expect.element(working()).toBeVisible()
  // The summary must be about this chat, or it is refused.
  const written = '## Done\n- Question 3 and Question 4 are answered'
  await asked.say(written)
  await expect.element(divider()).toBeVisible()
  await expect.element(transcript().getByText('/compact')).not.toBeInTheDocument()
  const { compactions } = await host.elsewhere['session.compactions']({ id: 'c1' })
  expect(compactions).toMatchObject([{ summary: written, by: 'model', focus: 'the port and the names' }])
  expect(host.asked.some(each => each.name === 'chat.send')).toBe(false)
})

test('what is written during “/compact” is sent when the summary is done, as the composer says', async () => {
  const host = await showWindow(host => aChat(host))
  await say('/compact')
  const asked = await host.nextAsked()
  await expect
    .element(composer())
    .toHaveAttribute('placeholder', 'Keep writing; it is sent when the summary is done')
  await composer().fill('And then?')
  await button('Send after the summary').click()
  await expect.element(page.getByText('Will be sent when this summary is done')).toBeVisible()
  await asked.say(text)
  expect((await host.nextAsked()).text).toBe('And then?')
})

test('stopping “/compact” leaves no trace', async () => {
  const host = await showWindow(host => aChat(host))
  await say('/compact')
  const asked = await host.nextAsked()
  await expect.element(working()).toBeVisible()
  await button('Stop').click()
  await expect.poll(() => asked.isCut()).toBe(true)
  await expect.element(button('Stop')).not.toBeInTheDocument()
  await expect.element(working()).not.toBeInTheDocument()
  await expect.element(divider()).not.toBeInTheDocument()
})

test('“/compact” with nothing to summarise says so in the transcript, above the next message', async () => {
  const host = await showWindow(({ seed }) => {
    void seed.chat({ id: 'c1', title: 'Garden', messages: aHistory(1) })
    return 'c1'
  })
  await say('/compact')
  await expect.element(transcript().getByText(/nothing to summarise yet/)).toBeVisible()
  await say('Question 7')
  await (await host.nextAsked()).say('Fine.')
  await expect.element(transcript().getByText('Fine.')).toBeVisible()
  const text = transcript().element().textContent
  expect(text.indexOf('nothing to summarise')).toBeLessThan(text.indexOf('Question 7'))
})

test('“/compact” during an answer is refused with the reason, and the typed text stays', async () => {
  const host = await showWindow(host => aChat(host))
  await say('Question 7')
  await host.nextAsked()
  await say('/compact now')
  await expect
    .element(
      page.getByText('Nothing was summarised, because the agent is working. Try again when it is done.'),
    )
    .toBeVisible()
  await expect.element(page.getByText(/^Not sent/)).not.toBeInTheDocument()
  await expect.element(composer()).toHaveValue('/compact now')
  expect(host.asked.some(each => each.name === 'chat.compact')).toBe(false)
})

test('the Context tab has a button “Compact now”', async () => {
  const host = await showWindow(host => aChat(host))
  await button('Show what the model sees').click()
  host.failNext('chat.compact', new Fault('busy', 'The agent is still working on the last message.'))
  await button('Compact now').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('still working')
  await button('Compact now').click()
  const asked = await host.nextAsked()
  await expect.element(button('Compact now')).toBeDisabled()
  await asked.say(text)
  await expect.element(button('Compact now')).toBeEnabled()
})
