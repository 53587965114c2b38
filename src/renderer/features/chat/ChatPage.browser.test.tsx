import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { aHistory, aReply, aResult, aUserMessage } from '../../test/messages.ts'
import { button, composer, say, showApp, transcript } from '../../test/show-app.tsx'

const command = { id: 'call-1', name: 'terminal', arguments: { command: 'date' } }
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

/** Scroll as a reader does: with a hand on the wheel. */
function scrollByHand(top: number) {
  const scroller = transcript().element()
  scroller.dispatchEvent(new WheelEvent('wheel', { bubbles: true, deltaY: -100 }))
  scroller.scrollTop = top
}

test('a first message makes a chat, and its answer streams in as Markdown', async () => {
  const host = await showApp()
  await say('Hello')
  const run = await host.nextRun()
  await expect.element(transcript().getByText('Hello')).toBeVisible()
  run.emit({ type: 'progress', phase: 'reading', done: 38, total: 100 })
  await expect.element(transcript().getByText('Reading your message… 38%')).toBeVisible()
  run.write('It is **no')
  await expect.element(transcript().getByText('no', { exact: true })).toHaveStyle({ fontWeight: '600' })
  run.write('on** now.')
  run.reply({ text: 'It is **noon** now.', usage })
  run.end()
  await expect.element(transcript().getByText('It is noon now.')).toBeVisible()
  await expect.element(page.getByText('Context 38%')).toBeVisible()
  expect([...host.sessions.values()].map(session => session.title)).toEqual(['Hello'])
  expect(location.hash).toBe(`#chat=${[...host.sessions.keys()][0]}`)
})

test('the figures of an answer are there for whoever asks for them', async () => {
  await showApp(host => host.addSession({}, [aUserMessage(), aReply({ usage })]).id)
  await button('Show figures').click()
  await expect
    .element(page.getByText('31.4 tok/s · first token 0.42 s · 89 tokens · 200 reused · context 38%'))
    .toBeVisible()
})

test('Esc stops an answer and what was written stays', async () => {
  const host = await showApp()
  await say('Count')
  const run = await host.nextRun()
  run.write('One, two, ')
  await expect.element(transcript().getByText('One, two,')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => run.stopped.aborted).toBe(true)
  run.reply({ text: 'One, two, ', interrupted: true })
  run.end('stopped')
  await expect.element(transcript().getByText('This answer was cut short here.')).toBeVisible()
  await expect.element(transcript().getByText('One, two,')).toBeVisible()
  await expect.element(button('Stop')).not.toBeInTheDocument()
})

test('a stop that comes before the run has begun still stops it', async () => {
  const host = await showApp()
  await say('Count')
  await button('Stop').click()
  const run = await host.nextRun()
  await expect.poll(() => run.stopped.aborted).toBe(true)
})

test('a message that is sent while an answer is under way waits, can be changed, and goes out after it', async () => {
  const host = await showApp()
  await say('First')
  const run = await host.nextRun()
  await say('Second')
  await say('Third')
  const queue = page.getByRole('region', { name: 'Messages that wait' })
  await expect.element(queue).toMatchTextContent('Will be sent when this answer is done')
  await queue.getByRole('button', { name: 'Remove' }).nth(1).click()
  await queue.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Queued message' }).fill('Second, but better')
  await userEvent.keyboard('{Enter}')
  run.reply({ text: 'Done.' })
  run.end()
  expect((await host.nextRun()).text).toBe('Second, but better')
  await expect.element(queue).not.toBeInTheDocument()
})

test('after a stop the queue waits for the person', async () => {
  const host = await showApp()
  await say('First')
  const run = await host.nextRun()
  await say('Second')
  run.end('stopped')
  const queue = page.getByRole('region', { name: 'Messages that wait' })
  await expect.element(queue).toMatchTextContent('Waiting, because the last answer did not end well')
  await queue.getByRole('button', { name: 'Send now' }).click()
  expect((await host.nextRun()).text).toBe('Second')
})

test('thoughts are closed and say how long they took', async () => {
  const host = await showApp()
  await say('Think')
  const run = await host.nextRun()
  run.think('The user wants a thought.')
  await expect.element(button('Thinking…')).toHaveAttribute('aria-expanded', 'false')
  run.reply({ text: 'So it is.', reasoning: 'The user wants a thought.' })
  await button(/^Thought for/).click()
  await expect.element(transcript().getByText('The user wants a thought.')).toBeVisible()
})

test('a tool’s card shows its state, and open its arguments, output, result and why it ran', async () => {
  const host = await showApp()
  await say('Run date')
  const run = await host.nextRun()
  run.reply({ calls: [command] })
  run.call(command, 'Run date')
  await button('Run date Running').click()
  run.emit({ type: 'tool_output', callId: 'call-1', text: 'Mon Jul 27' })
  await expect.element(transcript().getByText('Mon Jul 27')).toBeVisible()
  run.result({ callId: 'call-1', text: 'Mon Jul 27 2026' })
  await expect.element(button('Run date 0.8 s')).toHaveAttribute('aria-expanded', 'true')
  await expect.element(transcript().getByText('Mon Jul 27 2026')).toBeVisible()
  await expect.element(transcript().getByText('Why it ran: allowed by you')).toBeVisible()
})

test('looks in a row are one card that opens to the single ones', async () => {
  const look = (id: string) => ({ id, name: 'read_file', arguments: { path: `${id}.md` } })
  await showApp(
    host =>
      host.addSession({}, [
        aReply({ id: 2, text: '', calls: [look('one'), look('two')] }),
        aResult({ id: 3, callId: 'one' }),
        aResult({ id: 4, callId: 'two' }),
      ]).id,
  )
  await button(/Read 2 files/).click()
  await expect.element(button(/Read one.md/)).toBeVisible()
  await expect.element(button(/Read two.md/)).toBeVisible()
})

test('an error stands with its fix, and the message can be sent once more', async () => {
  const host = await showApp()
  await say('Hello')
  const run = await host.nextRun()
  run.emit({ type: 'error', text: 'The model file is gone.', fix: 'Choose another model.' })
  run.end('failed')
  await expect.element(transcript().getByText('The model file is gone.')).toBeVisible()
  await expect.element(transcript().getByText('Choose another model.')).toBeVisible()
  await button('Try again').click()
  expect((await host.nextRun()).text).toBe('Hello')
})

test('a message that cannot be sent comes back into the field with the reason', async () => {
  const host = await showApp()
  host.failNext('chat.send', new Fault('not_ready', 'The store is being repaired.'))
  await say('Hello')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Not sent: The store is being repaired.')
  await expect.element(composer()).toHaveValue('Hello')
})

test('a lost connection is waited for, and the answer goes on without a gap or a double', async () => {
  const host = await showApp()
  await say('Count')
  const run = await host.nextRun()
  run.write('One, ')
  await expect.element(transcript().getByText('One,')).toBeVisible()
  host.disconnect()
  await expect.element(page.getByText(/connection to Talaria was lost/)).toBeVisible()
  run.write('two, ')
  host.reconnect()
  run.write('three.')
  await expect.element(transcript().getByText('One, two, three.')).toBeVisible()
  await expect.element(page.getByText(/connection to Talaria was lost/)).not.toBeInTheDocument()
})

test('a message that is sent while the line is down comes back, and goes out when it is up again', async () => {
  const host = await showApp(host => host.addSession({ messageCount: 1 }).id)
  await expect.element(composer()).toBeVisible()
  host.disconnect()
  await say('Hello')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Not sent')
  host.reconnect()
  await userEvent.keyboard('{Enter}')
  expect((await host.nextRun()).text).toBe('Hello')
})

test('a run that another window started is followed here', async () => {
  const host = await showApp(host => host.addSession({ id: 'c1', title: 'Shared' }).id)
  await expect.element(composer()).toBeVisible()
  const run = host.sendElsewhere('c1', 'From the terminal')
  run.write('Hello there.')
  await expect.element(transcript().getByText('From the terminal')).toBeVisible()
  await expect.element(transcript().getByText('Hello there.')).toBeVisible()
})

test('a chat opens with its last page, and older messages come when they are scrolled to, without a jump', async () => {
  const host = await showApp(host => host.addSession({ id: 'long', title: 'Long' }, aHistory(500)).id)
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

test('a page that folds into a few rows fetches the one before it by itself', async () => {
  const looks = Array.from({ length: 200 }, (_, index) => {
    const call = { id: `call-${index}`, name: 'read_file', arguments: { path: 'notes.md' } }
    return [
      aReply({ id: index * 2 + 2, text: '', calls: [call] }),
      aResult({ id: index * 2 + 3, callId: call.id }),
    ]
  })
  await showApp(host => host.addSession({}, [aUserMessage({ text: 'Read it all' }), ...looks.flat()]).id)
  await expect.element(transcript().getByText('Read it all')).toBeVisible()
  await expect.element(button(/Read 200 files/)).toBeVisible()
})

test('whoever scrolls up while an answer streams stays where they are, until they want to go back', async () => {
  const host = await showApp(host => host.addSession({ id: 'c1', title: 'Long' }, aHistory(20)).id)
  await expect.element(transcript().getByText('Answer 20', { exact: true })).toBeVisible()
  const run = host.sendElsewhere('c1', 'Go on')
  run.write('First line.\n\n')
  await expect.element(transcript().getByText('First line.')).toBeVisible()
  const scroller = transcript().element()
  scrollByHand(scroller.scrollTop - 300)
  await expect.element(button('Jump to latest')).toBeVisible()
  const placeOf = (text: string) =>
    transcript().getByText(text, { exact: true }).element().getBoundingClientRect().top
  const place = placeOf('Answer 19')
  for (let line = 0; line < 20; line++) run.write(`Line ${line}.\n\n`)
  const below = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
  await expect.poll(below).toBeGreaterThan(500)
  expect(placeOf('Answer 19')).toBeCloseTo(place, 0)
  await button('Jump to latest').click()
  await expect.element(transcript().getByText('Line 19.')).toBeVisible()
  run.write('The end.')
  await expect.element(transcript().getByText('The end.')).toBeInViewport()
})

test('raw HTML and dangerous links in an answer are only text', async () => {
  const text =
    '<img src=x onerror=alert(1)> <b>bold</b> [run](javascript:alert(1)) [site](https://example.org)'
  await showApp(host => host.addSession({}, [aReply({ text })]).id)
  const link = transcript().getByRole('link')
  await expect.element(link).toHaveAttribute('href', 'https://example.org/')
  await expect.element(link).toHaveAttribute('target', '_blank')
  await expect.element(link).toHaveAttribute('rel', 'noreferrer')
  expect(transcript().element().querySelectorAll('img, b')).toHaveLength(0)
})

test('finished sentences are announced, not tokens', async () => {
  const host = await showApp()
  await say('Speak')
  const run = await host.nextRun()
  const announcer = page.getByTestId('announcer')
  run.write('It is noon. The su')
  await expect.element(announcer).toMatchTextContent(/^It is noon\.$/)
  run.reply({ text: 'It is noon. The sun shines' })
  await expect.element(announcer).toMatchTextContent(/^The sun shines$/)
})

test('a void reply is taken back, a quiet line says so, and the second try is announced from its beginning', async () => {
  const host = await showApp()
  await say('Speak')
  const run = await host.nextRun()
  const announcer = page.getByTestId('announcer')
  run.think('Hm hm hm.')
  run.write('La la la la. La la la la. La')
  await expect.element(announcer).toMatchTextContent(/^La la/)
  run.emit({ type: 'retry', reason: 'looping' })
  await expect.element(announcer).toMatchTextContent(/^The model repeated itself/)
  await expect.element(transcript().getByText(/^The model repeated itself/)).toBeVisible()
  await expect.element(transcript().getByText(/La la la la/)).not.toBeInTheDocument()
  await expect.element(transcript().getByText('Working…')).toBeVisible()
  await expect.element(button('Thinking…')).not.toBeInTheDocument()
  run.write('Oh. Now')
  await expect.element(announcer).toMatchTextContent(/^Oh\.$/)
  run.reply({ text: 'Oh. Now I know.' })
  run.end()
  await expect.element(announcer).toMatchTextContent(/^Now I know\.$/)
  await expect.element(transcript().getByText('Oh. Now I know.')).toBeVisible()
  await expect.element(transcript().getByText(/^The model repeated itself/)).toBeVisible()
})

test('Enter that ends a word of an input method does not send', async () => {
  const host = await showApp()
  await composer().fill('にほん')
  const enter = { key: 'Enter', bubbles: true, cancelable: true }
  composer()
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { ...enter, isComposing: true }))
  await expect.element(composer()).toHaveValue('にほん')
  expect(host.asked.some(each => each.name === 'chat.send')).toBe(false)
})

test('a draft is kept with its chat', async () => {
  const host = await showApp(host => {
    host.addSession({ id: 'c2', title: 'Other', updatedAt: 1, messageCount: 1 })
    return host.addSession({ id: 'c1', title: 'Mine', messageCount: 1 }).id
  })
  await composer().fill('Dear landlord')
  await expect.poll(() => host.sessions.get('c1')?.draft).toBe('Dear landlord')
  await button(/^Other/)
    .first()
    .click()
  await expect.element(composer()).toHaveValue('')
  await button(/^Mine/).first().click()
  await expect.element(composer()).toHaveValue('Dear landlord')
})
