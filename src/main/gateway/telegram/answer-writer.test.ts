import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAnswerWriter, type Written } from './answer-writer.ts'
import { createChatPace, type PaceClock } from './chat-pace.ts'
import { plainText, type RichText } from './text/rich-text.ts'
import { MORE, writeParts } from './text/write-parts.ts'

/** A clock that goes on only when a test says so. */
function handClock(): PaceClock & { advance(ms: number): Promise<void> } {
  let time = 1_000_000
  const waits = new Set<{ at: number; end: () => void }>()
  const settle = async () => {
    for (let turn = 0; turn < 12; turn++) await Promise.resolve()
  }
  return {
    now: () => time,
    wait: (ms, signal) =>
      new Promise(resolve => {
        const wait = { at: time + ms, end: () => (waits.delete(wait), resolve()) }
        waits.add(wait)
        if (signal?.aborted) wait.end()
        signal?.addEventListener('abort', wait.end, { once: true })
      }),
    async advance(ms) {
      const to = time + ms
      await settle()
      for (;;) {
        const [next] = [...waits].filter(({ at }) => at <= to).toSorted((a, b) => a.at - b.at)
        if (!next) break
        time = Math.max(time, next.at)
        next.end()
        await settle()
      }
      time = to
    },
  }
}

type Fault =
  | { kind: 'retry-after'; seconds: number }
  | { kind: 'bad-request' | 'not-sent' | 'maybe-sent'; why: string }
/** What goes wrong with the next calls, in their order; `late`: the call arrives all the same. */
type Plan = (Fault | 'fine' | 'late')[]

/** A chat as its reader sees it, which refuses what is too fast. */
function aChat(plan: Plan = [], { lawful = true } = {}) {
  const clock = handClock()
  const stop = new AbortController()
  const messages = new Map<number, { part: RichText; isSilent: boolean }>()
  const log: string[] = []
  let free = 0
  let ids = 0

  async function call<T>(what: string, take: () => T) {
    log.push(what)
    const planned = plan.shift() ?? 'fine'
    if (planned === 'late') {
      take()
      return { kind: 'maybe-sent' as const, why: 'The connection broke.' }
    }
    if (planned !== 'fine') {
      if (planned.kind === 'retry-after') free = clock.now() + planned.seconds * 1_000
      return planned
    }
    if (lawful && clock.now() < free) {
      free = clock.now() + 5_000
      return { kind: 'retry-after' as const, seconds: 5 }
    }
    free = clock.now() + 1_000
    return { kind: 'ok' as const, result: take() }
  }

  const writer = createAnswerWriter({
    send: (part, isSilent) =>
      call('send', () => {
        messages.set(++ids, { part, isSilent })
        return ids
      }),
    edit: async (id, part) => {
      const there = messages.get(id)
      if (!there) {
        log.push('gone')
        return { kind: 'bad-request', why: 'Bad Request: message to edit not found' }
      }
      return call('edit', () => (there.part = part))
    },
    remove: id => call('remove', () => messages.delete(id)),
    pace: createChatPace(clock),
    clock,
    signal: stop.signal,
  })
  const shown = () => [...messages.values()].map(({ part }) => part)
  const finish = async (text: string, seconds = 60): Promise<Written | undefined> => {
    const results: Written[] = []
    void writer.finishWith(text).then(result => results.push(result))
    for (let second = 0; second < seconds && results.length === 0; second++) await clock.advance(1_000)
    return results[0]
  }
  return { writer, clock, stop, messages, log, shown, finish }
}

const PIECES = ['A **b** ', '`c`, ', 'more. ', '\n\n', '\n- i', '\n```\nlet a\n```\n', '关。']

test('a thousand fragments, one a second, end as the stored text, and nothing is sent too fast', async () => {
  const { writer, clock, log, shown, finish } = aChat()
  let text = ''
  for (let at = 0; at < 1_000; at++) {
    text += PIECES[(at * 7 + (at >> 3)) % PIECES.length]
    writer.growTo(text)
    await clock.advance(1_000)
  }
  expect(shown().at(-1)?.text.endsWith(MORE)).toBe(true)
  expect((await finish(text))?.kind).toBe('written')
  expect(shown()).toEqual(writeParts(text))
  expect(shown().length).toBeGreaterThan(1)
  expect(log.filter(what => what === 'send').length).toBe(shown().length)
  expect(log.length).toBeLessThanOrEqual(1_030)
})

test('between two edits only the latest text counts, and only the first message rings', async () => {
  const { writer, clock, log, messages, finish } = aChat()
  const text = 'Words of an answer. '.repeat(500)
  for (let end = 100; end < text.length; end += 10) {
    writer.growTo(text.slice(0, end))
    await clock.advance(10)
  }
  const written = await finish(text)
  expect([...messages.values()].map(({ isSilent }) => isSilent)).toEqual([false, true, true])
  expect(written?.messages.map(({ part }) => part)).toEqual(writeParts(text))
  expect(log.length).toBeLessThan(20)
})

test('one demand to wait is kept by everything that goes to the chat', async () => {
  const { writer, clock, log, finish, shown } = aChat(['fine', { kind: 'retry-after', seconds: 30 }])
  writer.growTo('One two three ')
  await clock.advance(1_000)
  writer.growTo('One two three four five ')
  await clock.advance(1_000)
  expect(log).toEqual(['send', 'edit'])
  const end = finish('One two three four five six.')
  await clock.advance(28_000)
  expect(log.length).toBe(2)
  expect((await end)?.kind).toBe('written')
  expect([log.length, shown()]).toEqual([3, [plainText('One two three four five six.')]])
})

test('what surely did not leave is sent again, and what may have arrived says so', async () => {
  const never = aChat([
    { kind: 'not-sent', why: 'No network.' },
    { kind: 'not-sent', why: 'No network.' },
  ])
  expect((await never.finish('Done.'))?.messages).toEqual([
    { id: 1, part: plainText('Done.'), mayBeTwice: false },
  ])

  const late = aChat(['late'])
  const written = await late.finish('Done.')
  expect(written?.messages.map(({ mayBeTwice }) => mayBeTwice)).toEqual([true])
  expect(late.shown().map(({ text }) => text)).toEqual(['Done.', 'Done.\n\n(perhaps sent twice)'])
  // An edit that arrives twice changes nothing.
  const edit = aChat(['fine', 'late'])
  edit.writer.growTo('Not yet ')
  await edit.clock.advance(2_000)
  await edit.finish('Done.')
  expect(edit.shown()).toEqual([plainText('Done.')])
})

test('a message that may have arrived is not sent again and again', async () => {
  const { finish, messages } = aChat(Array<'late'>(20).fill('late'))
  const written = await finish('Done.')
  expect([written?.kind, messages.size]).toEqual(['failed', 4])
})

test('a message that the person deleted is written anew', async () => {
  const { writer, clock, messages, finish, shown } = aChat()
  writer.growTo('Half of ')
  await clock.advance(1_000)
  messages.clear()
  expect((await finish('Half of it.'))?.kind).toBe('written')
  expect(shown()).toEqual([plainText('Half of it.')])
})

test('an answer that gets shorter takes its other messages back', async () => {
  const { writer, clock, finish, shown } = aChat()
  writer.growTo('Words. '.repeat(1_500))
  await clock.advance(10_000)
  expect(shown().length).toBe(3)
  expect((await finish('Only this.'))?.kind).toBe('written')
  expect(shown()).toEqual([plainText('Only this.')])
})

test('where the looks are refused the text arrives all the same', async () => {
  const { finish, shown } = aChat([{ kind: 'bad-request', why: "Bad Request: can't parse entities: no" }])
  expect((await finish('A **b**'))?.kind).toBe('written')
  expect(shown()).toEqual([plainText('A b')])
})

test('a stop ends the wait, and what is wrong is told at the end', async () => {
  const stopped = aChat(Array.from({ length: 50 }, (): Fault => ({ kind: 'not-sent', why: 'No network.' })))
  const end = stopped.writer.finishWith('Done.')
  await stopped.clock.advance(5_000)
  stopped.stop.abort()
  expect(await end).toEqual({ kind: 'stopped', messages: [] })

  const refused = aChat([{ kind: 'bad-request', why: 'Bad Request: chat not here' }])
  refused.writer.growTo('Some text ')
  await refused.clock.advance(1_000)
  expect(await refused.finish('Some text.')).toMatchObject({ kind: 'failed', messages: [] })
})

const plans = fc.array(
  fc.constantFrom<Plan[number]>(
    'fine',
    'fine',
    { kind: 'not-sent', why: 'No network.' },
    { kind: 'retry-after', seconds: 7 },
  ),
  { maxLength: 20 },
)

test('whatever goes wrong on the way, the chat ends with the stored text and nothing twice', async () => {
  const growth = fc.array(fc.tuple(fc.constantFrom(...PIECES), fc.nat({ max: 3_000 })), {
    minLength: 1,
    maxLength: 20,
  })
  await fc.assert(
    fc.asyncProperty(plans, growth, fc.integer({ min: 1, max: 40 }), async (plan, pieces, times) => {
      const { writer, clock, finish, shown } = aChat(plan)
      let text = ''
      for (const [piece, ms] of pieces) {
        text += piece.repeat(times)
        writer.growTo(text)
        await clock.advance(ms)
      }
      expect((await finish(text, 2_000))?.kind).toBe('written')
      expect(shown()).toEqual(writeParts(text))
    }),
    { numRuns: 25 },
  )
})
