import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { Fault } from '../../../shared/rpc.ts'
import { aHistory, aReply, aResult, aUserMessage } from '../../test/messages.ts'
import { button, composer, say, showWindow, transcript } from '../../test/show-window.tsx'
import type { PreparedHost } from '../../test/test-host.ts'

const usage = {
  promptTokens: 300,
  reusedTokens: 200,
  evaluatedTokens: 100,
  outputTokens: 89,
  contextTokens: 1_024,
  firstTokenMs: 420,
  prefillPerSecond: 900,
  tokensPerSecond: 31.4,
}

/** An open chat with earlier messages. */
function aChat(host: PreparedHost, messages: readonly Message[] = aHistory(1), title = 'Shared') {
  void host.seed.chat({ id: 'c1', title, messages })
  return 'c1'
}

/** Scroll as a user does, with a wheel event. */
function scrollByHand(top: number) {
  const scroller = transcript().element()
  scroller.dispatchEvent(new WheelEvent('wheel', { bubbles: true, deltaY: -100 }))
  scroller.scrollTop = top
}

test('the first message creates a chat, and its answer streams in as Markdown', async () => {
  const host = await showWindow()
  await say('Hello')
  const asked = await host.nextAsked()
  expect(asked.text).toBe('Hello')
  await expect.element(transcript().getByText('Hello')).toBeVisible()
  host.publishInRun({ type: 'progress', phase: 'reading', done: 38, total: 100 })
  await expect.element(transcript().getByText('Reading your message… 38%')).toBeVisible()
  await asked.write('It is **no')
  await expect.element(transcript().getByText('no', { exact: true })).toHaveStyle({ fontWeight: '600' })
  await asked.write('on** now.')
  await asked.end({ usage: { prompt_tokens: 12_000, completion_tokens: 89, total_tokens: 12_089 } })
  await expect.element(transcript().getByText('It is noon now.')).toBeVisible()
  await expect.element(button('Context 37% used. Show figures of the last answer')).toBeVisible()
  const { sessions } = await host.elsewhere['session.list']({})
  expect(sessions.map(session => session.title)).toEqual(['Hello'])
  expect(location.hash).toBe(`#chat=${sessions[0]!.id}`)
})

test('“Show figures” shows the statistics of an answer', async () => {
  await showWindow(host => aChat(host, [aUserMessage(), aReply({ usage })]))
  await button('Show figures').click()
  await expect
    .element(page.getByText('31.4 tok/s · first token 0.42 s · 89 tokens · 200 reused · context 38%'))
    .toBeVisible()
})

test('an answer says who wrote it, if it was not the model of the chat', async () => {
  await showWindow(host =>
    aChat(host, [
      aUserMessage(),
      aReply({ text: 'Good morning.', model: 'Quick model' }),
      aUserMessage({ id: 3, text: 'And now?' }),
      aReply({ id: 4, text: 'Noon.', model: 'Served model' }),
    ]),
  )
  await expect.element(transcript().getByText('Noon.')).toBeVisible()
  await expect.element(transcript().getByText('Written by Quick model')).toBeVisible()
  expect(
    transcript()
      .getByText(/^Written by/)
      .elements(),
  ).toHaveLength(1)
})

test('Esc stops an answer, and the text so far stays', async () => {
  const host = await showWindow()
  await say('Count')
  const asked = await host.nextAsked()
  await asked.write('One, two, ')
  await expect.element(transcript().getByText('One, two,')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => asked.isCut()).toBe(true)
  await expect.element(transcript().getByText('This answer was cut short here.')).toBeVisible()
  await expect.element(transcript().getByText('One, two,')).toBeVisible()
  await expect.element(button('Stop')).not.toBeInTheDocument()
})

test('Stop works even before the run has begun', async () => {
  const host = await showWindow()
  const begin = host.holdNext('chat.send')
  await say('Count')
  await button('Stop').click()
  await expect.element(button('Stopping…')).toBeVisible()
  begin()
  await expect.element(transcript().getByText('You stopped this answer.')).toBeVisible()
  const { sessions } = await host.elsewhere['session.list']({})
  expect(sessions[0]?.activeRunId).toBeNull()
})

test('a message sent during an answer is queued, can be edited, and is sent after it', async () => {
  const host = await showWindow()
  await say('First')
  const asked = await host.nextAsked()
  await say('Second')
  await say('Third')
  const queue = page.getByRole('region', { name: 'Queued messages' })
  await expect.element(queue).toMatchTextContent('The model gets it before its next step')
  await queue.getByRole('button', { name: 'Remove' }).nth(1).click()
  await queue.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Queued message' }).fill('Second, but better')
  await userEvent.keyboard('{Enter}')
  await asked.say('Done.')
  expect((await host.nextAsked()).text).toBe('Second, but better')
  await expect.element(queue).not.toBeInTheDocument()
})

test('after a stop the queue is paused until the user sends it', async () => {
  const host = await showWindow()
  await say('First')
  await (await host.nextAsked()).write('One')
  await expect.element(transcript().getByText('One')).toBeVisible()
  await say('Second')
  await button('Stop').click()
  const queue = page.getByRole('region', { name: 'Queued messages' })
  await expect.element(queue).toMatchTextContent('Paused because the last answer did not finish')
  await queue.getByRole('button', { name: 'Send now' }).click()
  expect((await host.nextAsked()).text).toBe('Second')
})

test('what is sent after a stop is answered, even before the stopped answer has ended', async () => {
  const host = await showWindow()
  await say('First')
  await (await host.nextAsked()).write('One')
  await expect.element(transcript().getByText('One')).toBeVisible()
  await composer().fill('Second')
  const stop = button('Stop').element() as HTMLElement
  // Both clicks at once, so the host cannot end the answer in between.
  stop.click()
  composer()
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  expect((await host.nextAsked()).text).toBe('Second')
})

test('thoughts are collapsed and say how long they took', async () => {
  const host = await showWindow()
  await say('Think')
  const asked = await host.nextAsked()
  await asked.think('The user wants a thought.')
  await expect.element(button('Thinking…')).toHaveAttribute('aria-expanded', 'false')
  await asked.say('So it is.')
  await button(/^Thought for/).click()
  await expect.element(transcript().getByText('The user wants a thought.')).toBeVisible()
})

test('a tool card shows its state and, when open, the output, the result and why it ran', async () => {
  const host = await showWindow()
  await say('Wait for the file')
  const asked = await host.nextAsked()
  // The command runs until the test creates the file.
  const command = 'echo waiting; until [ -e done.txt ]; do sleep 0.02; done; cat done.txt'
  await asked.call('terminal', { command })
  await asked.end()
  await button(/^Allow once/).click()
  await button(/^Run echo waiting.* Running/).click()
  await expect.element(transcript().getByText('waiting', { exact: true })).toBeVisible()
  await host.seed.workspaceFiles({ 'done.txt': 'Mon Jul 27 2026\n' })
  await expect.element(button(/^Run echo waiting.* [\d.]+ s$/)).toHaveAttribute('aria-expanded', 'true')
  await expect.element(transcript().getByText(/Mon Jul 27 2026/)).toBeVisible()
  await expect.element(transcript().getByText('Why it ran: allowed by you')).toBeVisible()
})

test('consecutive reads are one card that opens to show each of them', async () => {
  const look = (id: string) => ({ id, name: 'read_file', arguments: { path: `${id}.md` } })
  await showWindow(host =>
    aChat(host, [
      aReply({ id: 2, text: '', calls: [look('one'), look('two')] }),
      aResult({ id: 3, callId: 'one' }),
      aResult({ id: 4, callId: 'two' }),
    ]),
  )
  await button(/Read 2 files/).click()
  await expect.element(button(/Read one.md/)).toBeVisible()
  await expect.element(button(/Read two.md/)).toBeVisible()
})

test('an error shows its fix, and the message can be sent again', async () => {
  const host = await showWindow()
  await say('Hello')
  const asked = await host.nextAsked()
  await asked.fail(404, 'model "qwen3-8b" not found')
  const failure = transcript().getByText('Served model does not have the model “qwen3-8b”.')
  await expect.element(failure).toBeVisible()
  await expect.element(transcript().getByText(/^Load or pull it on the server/)).toBeVisible()
  await button('Try again').click()
  await host.nextAsked()
  const sent = host.asked.filter(({ name }) => name === 'chat.send')
  expect(sent.map(({ input }) => input)).toEqual([sent[0]!.input, sent[0]!.input])
})

test('a message that cannot be sent returns to the field with the reason', async () => {
  const host = await showWindow()
  host.failNext('chat.send', new Fault('internal', 'The disk is full.'))
  await say('Hello')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Not sent: The disk is full.')
  await expect.element(composer()).toHaveValue('Hello')
})

test('after a reconnect the answer continues without gaps or repeats', async () => {
  const host = await showWindow()
  await say('Count')
  const asked = await host.nextAsked()
  await asked.write('One, ')
  await expect.element(transcript().getByText('One,')).toBeVisible()
  await host.disconnect()
  await expect.element(page.getByText(/connection to Talaria was lost/)).toBeVisible()
  await asked.write('two, ')
  host.reconnect()
  await asked.write('three.')
  await expect.element(transcript().getByText('One, two, three.')).toBeVisible()
  await expect.element(page.getByText(/connection to Talaria was lost/)).not.toBeInTheDocument()
})

test('a message sent while disconnected returns to the field and can be sent after the reconnect', async () => {
  const host = await showWindow(aChat)
  await expect.element(transcript().getByText('Answer 1')).toBeVisible()
  await host.disconnect()
  await say('Hello')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Not sent')
  host.reconnect()
  await expect.element(page.getByText(/connection to Talaria was lost/)).not.toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  expect((await host.nextAsked()).text).toBe('Hello')
})

test('a run that another window started is shown here', async () => {
  const host = await showWindow(aChat)
  await expect.element(transcript().getByText('Answer 1')).toBeVisible()
  await host.elsewhere['chat.send']({ sessionId: 'c1', text: 'From the terminal' })
  await (await host.nextAsked()).write('Hello there.')
  await expect.element(transcript().getByText('From the terminal')).toBeVisible()
  await expect.element(transcript().getByText('Hello there.')).toBeVisible()
})

test('a chat opens at its latest messages, and scrolling up loads older ones without a jump', async () => {
  const host = await showWindow(host => aChat(host, aHistory(500)))
  await expect.element(transcript().getByText('Answer 500', { exact: true })).toBeVisible()
  const pages = () => host.asked.filter(each => each.name === 'session.messages').length
  expect(pages()).toBe(1)
  const scroller = transcript().element()
  scrollByHand(200)
  await expect.poll(pages).toBe(2)
  await expect.poll(() => scroller.scrollTop).toBeGreaterThan(1_000)
  await button('Jump to latest').click()
  await expect.element(transcript().getByText('Answer 500', { exact: true })).toBeVisible()
})

test('older pages load by themselves when the loaded ones collapse into few rows', async () => {
  const looks = Array.from({ length: 200 }, (_, index) => {
    const call = { id: `call-${index}`, name: 'read_file', arguments: { path: `${index}.md` } }
    return [
      aReply({ id: index * 2 + 2, text: '', calls: [call] }),
      aResult({ id: index * 2 + 3, callId: call.id }),
    ]
  })
  await showWindow(host => aChat(host, [aUserMessage({ text: 'Read it all' }), ...looks.flat()]))
  await expect.element(transcript().getByText('Read it all')).toBeVisible()
  await expect.element(button(/Read 200 files/)).toBeVisible()
})

test('scrolling up during an answer keeps the position until “Jump to latest”', async () => {
  const host = await showWindow(host => aChat(host, aHistory(20)))
  await expect.element(transcript().getByText('Answer 20', { exact: true })).toBeVisible()
  await host.elsewhere['chat.send']({ sessionId: 'c1', text: 'Go on' })
  const asked = await host.nextAsked()
  await asked.write('First line.\n\n')
  await expect.element(transcript().getByText('First line.')).toBeVisible()
  const scroller = transcript().element()
  scrollByHand(scroller.scrollTop - 300)
  await expect.element(button('Jump to latest')).toBeVisible()
  const placeOf = (text: string) =>
    transcript().getByText(text, { exact: true }).element().getBoundingClientRect().top
  const place = placeOf('Answer 19')
  for (let line = 0; line < 20; line++) await asked.write(`Line ${line}.\n\n`)
  const below = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
  await expect.poll(below).toBeGreaterThan(500)
  expect(Math.abs(placeOf('Answer 19') - place)).toBeLessThan(1)
  await button('Jump to latest').click()
  await expect.element(transcript().getByText('Line 19.')).toBeVisible()
  await asked.write('The end.')
  await expect.element(transcript().getByText('The end.')).toBeInViewport()
})

test('a button in a message keeps the focus while Page Up scrolls it out of sight', async () => {
  await showWindow(host => aChat(host, aHistory(100)))
  const answer = () => transcript().getByText('Answer 100', { exact: true })
  await expect.element(answer()).toBeVisible()
  const copy = button('Copy answer as Markdown').last().element() as HTMLElement
  copy.focus()
  const scroller = transcript().element()
  const start = scroller.scrollTop
  for (let page = 1; page <= 5; page++) {
    const before = scroller.scrollTop
    await userEvent.keyboard('{PageUp}')
    await expect.poll(() => scroller.scrollTop).toBeLessThan(before)
  }
  await expect.poll(() => start - scroller.scrollTop).toBeGreaterThan(2_000)
  expect(document.activeElement).toBe(copy)
  await composer().click()
  await expect.element(answer()).not.toBeInTheDocument()
})

test('raw HTML and dangerous links in an answer are shown as text', async () => {
  const text =
    '<img src=x onerror=alert(1)> <b>bold</b> [run](javascript:alert(1)) [site](https://example.org)'
  await showWindow(host => aChat(host, [aReply({ text })]))
  const link = transcript().getByRole('link')
  await expect.element(link).toHaveAttribute('href', 'https://example.org/')
  await expect.element(link).toHaveAttribute('target', '_blank')
  await expect.element(link).toHaveAttribute('rel', 'noreferrer')
  expect(transcript().element().querySelectorAll('img, b')).toHaveLength(0)
})

test('screen readers hear finished sentences, not tokens', async () => {
  const host = await showWindow()
  await say('Speak')
  const asked = await host.nextAsked()
  const announcer = page.getByTestId('announcer')
  await asked.write('It is noon. The su')
  await expect.element(announcer).toMatchTextContent(/^It is noon\.$/)
  await asked.say('n shines')
  await expect.element(announcer).toMatchTextContent(/^The sun shines$/)
})

test('a repeating reply is discarded with a note, and its second try is announced from the beginning', async () => {
  const host = await showWindow()
  await say('Speak')
  const asked = await host.nextAsked()
  const announcer = page.getByTestId('announcer')
  await asked.think('Hm hm hm.')
  const again = 'The moon goes round the earth, and the earth goes round the sun. '
  await asked.write(`${again}The moon`)
  await expect.element(announcer).toMatchTextContent(/^The moon goes round/)
  await asked.write(` ${again.repeat(40)}`)
  await expect.poll(() => asked.isCut()).toBe(true)
  await expect.element(announcer).toMatchTextContent(/^The model repeated itself/)
  await expect.element(transcript().getByText(/^The model repeated itself/)).toBeVisible()
  await expect.element(transcript().getByText(/The moon goes round/)).not.toBeInTheDocument()
  await expect.element(transcript().getByText('Working…')).toBeVisible()
  await expect.element(button('Thinking…')).not.toBeInTheDocument()
  const second = await host.nextAsked()
  await second.write('Oh. Now')
  await expect.element(announcer).toMatchTextContent(/^Oh\.$/)
  await second.say(' I know.')
  await expect.element(announcer).toMatchTextContent(/^Now I know\.$/)
  await expect.element(transcript().getByText('Oh. Now I know.')).toBeVisible()
  await expect.element(transcript().getByText(/^The model repeated itself/)).toBeVisible()
})

test('Enter that confirms an input method’s word does not send', async () => {
  const host = await showWindow()
  await composer().fill('にほん')
  const enter = { key: 'Enter', bubbles: true, cancelable: true }
  composer()
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { ...enter, isComposing: true }))
  await expect.element(composer()).toHaveValue('にほん')
  expect(host.asked.some(each => each.name === 'chat.send')).toBe(false)
})

test('a draft is kept with its chat', async () => {
  const host = await showWindow(host => {
    void host.seed.chat({ id: 'c2', title: 'Other', updatedAt: 1, messages: aHistory(1, 11) })
    return aChat(host, aHistory(1), 'Mine')
  })
  await composer().fill('Dear landlord')
  const draft = async () => (await host.elsewhere['session.get']({ id: 'c1' })).draft
  await expect.poll(draft).toBe('Dear landlord')
  await button(/^Other/)
    .first()
    .click()
  await expect.element(composer()).toHaveValue('')
  await button(/^Mine/).first().click()
  await expect.element(composer()).toHaveValue('Dear landlord')
})
