import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Compaction } from '../../../../shared/contract/session.ts'
import { Fault } from '../../../../shared/rpc.ts'
import type { FakeHost } from '../../../test/fake-host.ts'
import { aHistory } from '../../../test/messages.ts'
import { button, composer, openWindow, say, showApp, transcript } from '../../../test/show-app.tsx'

const divider = () => transcript().getByRole('button', { name: /^Earlier messages are summarised/ })
const summary = () => transcript().getByRole('region', { name: 'Summary that the model reads' })
const aCompaction = (given: Partial<Compaction> = {}): Compaction => ({
  id: 1,
  at: 0,
  headId: 2,
  upToId: 8,
  prunedToId: 8,
  summary: '## Goal\n- Ship the <b>page</b>\n\n## Decisions\n- The port is **4310**',
  by: 'model',
  focus: '',
  tokensBefore: 12_004,
  tokensAfter: 3_190,
  ...given,
})
const aChat = (host: FakeHost, ...compactions: Compaction[]) => {
  host.compactions.set('c1', compactions)
  return host.addSession({ id: 'c1', title: 'Garden' }, aHistory(6)).id
}

/** What stands in the transcript, from top to bottom. */
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

test('a divider stands where the summary ends, also after a reload, and opens to the summary as it is', async () => {
  const host = await showApp(host => aChat(host, aCompaction({ focus: 'the port' })))
  await expect
    .element(divider())
    .toMatchTextContent('Earlier messages are summarised for the model · 12.0k → 3.2k tokens')
  expect(order()).toEqual(['Answer 4', 'Earlier messages', 'Question 5', 'Answer 6'])
  await expect.element(summary()).not.toBeInTheDocument()
  await divider().click()
  await expect.element(summary().getByRole('heading', { name: 'Decisions' })).toBeVisible()
  // Whoever wrote it, nothing in it is markup.
  await expect.element(summary().getByText('Ship the <b>page</b>')).toBeVisible()
  await expect.element(summary().getByText('The port is **4310**')).toBeVisible()
  await expect.element(summary().getByText(/^The model wrote this summary/)).toBeVisible()
  await expect.element(summary().getByText('You asked to keep: the port')).toBeVisible()
  await openWindow(host)
  await expect.element(divider()).toBeVisible()
})

test('a summary without a model says so, and only the newest one is shown', async () => {
  await showApp(host =>
    aChat(
      host,
      aCompaction(),
      aCompaction({ id: 2, upToId: 10, by: 'local', summary: '## Done\n- Asked about six things' }),
    ),
  )
  await divider().click()
  await expect.element(summary().getByText(/put together by rules/)).toBeVisible()
  expect(divider().elements()).toHaveLength(1)
})

test('results that were only shortened are told in a line that opens to nothing', async () => {
  await showApp(host => aChat(host, aCompaction({ by: 'pruning', summary: '', upToId: 0 })))
  await expect
    .element(transcript().getByText(/^Older tool results are shortened for the model · 12.0k → 3.2k/))
    .toBeVisible()
  await expect.element(transcript().getByRole('button', { name: /shortened/ })).not.toBeInTheDocument()
})

test('in the middle of a turn it is told while it happens, and then the divider is there', async () => {
  const host = await showApp(host => aChat(host))
  await say('Question 7')
  const run = await host.nextRun()
  run.emit({ type: 'compacting', tokens: 12_004, contextTokens: 16_000 })
  await expect.element(transcript().getByText('Summarising earlier messages…')).toBeVisible()
  run.emit({ type: 'compacted', compaction: aCompaction() })
  await expect.element(divider()).toBeVisible()
  await expect.element(transcript().getByText('Summarising earlier messages…')).not.toBeInTheDocument()
  run.reply({ text: 'Yes.' })
  run.end()
  expect(order()).toEqual(['Answer 4', 'Earlier messages', 'Question 5', 'Answer 6', 'Question 7'])
})

test('“/compact” and what must stay begin a run of their own, which leaves no message behind', async () => {
  const host = await showApp(host => aChat(host))
  await say('/compact the port and the names')
  const run = await host.nextRun()
  expect(host.asked.findLast(each => each.name === 'chat.compact')?.input).toEqual({
    sessionId: 'c1',
    focus: 'the port and the names',
  })
  await expect.element(composer()).toHaveValue('')
  run.emit({ type: 'compacting', tokens: 12_004, contextTokens: 16_000 })
  await expect.element(transcript().getByText('Summarising earlier messages…')).toBeVisible()
  run.emit({ type: 'compacted', compaction: aCompaction() })
  run.end()
  await expect.element(divider()).toBeVisible()
  await expect.element(transcript().getByText('/compact')).not.toBeInTheDocument()
  expect(host.asked.some(each => each.name === 'chat.send')).toBe(false)
})

test('a stop in the middle of it leaves no trace but a line', async () => {
  const host = await showApp(host => aChat(host))
  await say('/compact')
  const run = await host.nextRun()
  run.emit({ type: 'compacting', tokens: 12_004, contextTokens: 16_000 })
  await button('Stop').click()
  await expect.poll(() => run.stopped.aborted).toBe(true)
  run.end('stopped')
  await expect.element(transcript().getByText('Summarising earlier messages…')).not.toBeInTheDocument()
  await expect.element(divider()).not.toBeInTheDocument()
})

test('a chat with nothing to summarise says so where the conversation is, and goes on below', async () => {
  const host = await showApp(host => aChat(host))
  await say('/compact')
  const run = await host.nextRun()
  run.emit({ type: 'warning', text: 'There is nothing to summarise yet: the chat is short.' })
  run.end()
  await expect.element(transcript().getByText(/nothing to summarise yet/)).toBeVisible()
  await say('Question 7')
  const next = await host.nextRun()
  next.reply({ text: 'Fine.' })
  next.end()
  await expect.element(transcript().getByText('Fine.')).toBeVisible()
  const text = transcript().element().textContent
  expect(text.indexOf('nothing to summarise')).toBeLessThan(text.indexOf('Question 7'))
})

test('what cannot be begun says why, and what was typed stays', async () => {
  const host = await showApp(host => aChat(host))
  await say('Question 7')
  const run = await host.nextRun()
  await say('/compact now')
  await expect.element(page.getByText('Not sent: Wait until this answer is done.')).toBeVisible()
  await expect.element(composer()).toHaveValue('/compact now')
  run.end()
  expect(host.asked.some(each => each.name === 'chat.compact')).toBe(false)
})

test('the Context tab has a button for it', async () => {
  const host = await showApp(host => aChat(host))
  await button('Show what the model sees').click()
  host.failNext('chat.compact', new Fault('busy', 'The agent is still working on the last message.'))
  await button('Compact now').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('still working')
  await button('Compact now').click()
  const run = await host.nextRun()
  await expect.element(button('Compact now')).toBeDisabled()
  run.end()
  await expect.element(button('Compact now')).toBeEnabled()
})
