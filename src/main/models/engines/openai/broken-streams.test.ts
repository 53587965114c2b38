import { expect, test } from 'vitest'
import type { ServedReply } from '../../../../../testing/servers/openai-server.ts'
import type { CompletionEvent, EngineFailure } from '../../interface/engine.ts'
import { firstWait } from '../shared/remote-engine.ts'
import {
  anError,
  aPrompt,
  callsOf,
  failureOf,
  never,
  setUpServer,
  textOf,
  collect,
} from '../../../../../testing/models/openai.ts'

const given = setUpServer()
const { answer } = given

const AGAIN = { text: 'At last.' }

test.for([
  ['500 once', [{ status: 500 }, AGAIN], 2],
  ['503 twice', [{ status: 503 }, { status: 503 }, AGAIN], 3],
  ['429 without a time', [{ status: 429 }, AGAIN], 2],
  ['429 with a short time', [{ status: 429, headers: { 'retry-after': '0.02' } }, AGAIN], 2],
  [
    '429 with a date in the past',
    [{ status: 429, headers: { 'retry-after': new Date(0).toUTCString() } }, AGAIN],
    2,
  ],
  ['a connection cut before the answer began', [{ breakAfter: 0 }, AGAIN], 2],
  ['a stream that ended before it began', [{ endAfter: 0 }, AGAIN], 2],
  [
    'an error with status 503 inside the stream, before any text',
    [{ error: { code: 503, message: 'busy' } }, AGAIN],
    2,
  ],
] satisfies [string, ServedReply[], number][])(
  '%s is retried, unseen by the user',
  async ([, replies, requests]) => {
    expect(textOf(await answer(replies))).toBe('At last.')
    expect(given.server.chats()).toHaveLength(requests)
  },
)

test.for([
  ['the connection breaks', { breakAfter: 2 }, 'engine_gone'],
  ['the stream ends too early', { endAfter: 2 }, 'engine_gone'],
  ['garbage follows', { after: 2, garbage: 'data: <html>\n\n' }, 'internal'],
  ['an error follows', { after: 2, error: { message: 'worker died' } }, 'engine_gone'],
  [
    'an error with a status follows',
    { after: 2, error: { code: 429, message: 'slow down' } },
    'rate_limited',
  ],
  ['silence follows', { after: 2, stallMs: 10_000 }, 'engine_gone'],
] satisfies [string, ServedReply, EngineFailure['code']][])(
  'when %s, the text so far is kept and nothing is requested twice',
  async ([, reply, code]) => {
    const toolCalls = [{ name: 'write_file', arguments: '{"path":"a"}' }]
    const events = await answer(
      { text: ['Half ', 'an answer'], toolCalls, ...reply },
      { patience: { idleMs: 150 } },
    )
    expect([textOf(events), callsOf(events), failureOf(events).code]).toEqual(['Half an answer', [], code])
    expect(given.server.chats()).toHaveLength(1)
  },
)

test('a silent server that sends signs of life is waited for', async () => {
  const patience = { firstMs: 100, idleMs: 100 }
  for (const after of [0, 1]) {
    const reply = { text: ['Slow ', 'but sure.'], after, stallMs: 300, commentMs: 20 }
    expect(textOf(await answer(reply, { patience }))).toBe('Slow but sure.')
  }
})

test('an answer that arrives while this computer stands still is read, not given up', async () => {
  given.server.reply({ text: ['One ', 'two'], delayMs: 50 })
  const events: CompletionEvent[] = []
  for await (const event of given.anEngine({ patience: { idleMs: 100 } }).complete(aPrompt(), never)) {
    // Block until the second word should have arrived and the timeout has passed.
    if (events.push(event) === 1) setTimeout(standStill, 10, 200)
  }
  expect(textOf(events)).toBe('One two')
})

function standStill(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('errors after the model has finished are ignored', async () => {
  const ended = { choices: [{ delta: {}, finish_reason: 'stop' }] }
  for (const reply of [
    { breakAfter: 2 },
    { after: 2, stallMs: 10_000 },
    { after: 2, garbage: 'data: {\n\n' },
  ]) {
    const events = await answer({ text: 'Complete.', chunks: [ended], ...reply })
    expect([textOf(events), events.at(-1)?.type]).toEqual(['Complete.', 'done'])
  }
})

test.for([
  ['before the first word', { stallMs: 10_000 }, '', true],
  ['in the middle', { text: ['One ', 'two'], after: 1, stallMs: 10_000 }, 'One ', true],
  ['while it waits to try again', { status: 503 }, '', false],
] satisfies [string, ServedReply, string, boolean][])(
  'stopping %s ends the answer without further events, and closes an open connection',
  async ([, reply, heard, cut]) => {
    given.server.reply(reply)
    const stop = new AbortController()
    const events: CompletionEvent[] = []
    const engine = given.anEngine({ patience: { retryMs: [60_000] } })
    const run = (async () => {
      for await (const event of engine.complete(aPrompt(), stop.signal)) events.push(event)
    })()
    await expect.poll(() => given.server.chats().length).toBe(1)
    await expect.poll(() => textOf(events)).toBe(heard)
    if (!cut) await given.server.chats()[0]?.cut
    stop.abort()
    await run
    expect(events.map(each => each.type)).toEqual(heard === '' ? [] : ['text'])
    expect(await given.server.chats()[0]?.cut).toBe(cut)
  },
)

test('leaving the loop closes the connection', async () => {
  given.server.reply({ text: ['One ', 'two'], after: 1, stallMs: 10_000 })
  for await (const event of given.anEngine().complete(aPrompt(), never)) if (event.type === 'text') break
  expect(await given.server.chats()[0]?.cut).toBe(true)
})

test('nothing is requested if it was stopped before it began', async () => {
  expect(await collect(given.anEngine().complete(aPrompt(), AbortSignal.abort()))).toEqual([])
  expect(given.server.requests).toEqual([])
})

test('a server that does not start to answer is given up', async () => {
  const events = await answer({ stallMs: 10_000 }, { patience: { firstMs: 100 } })
  expect(failureOf(events)).toMatchObject({
    code: 'unreachable',
    text: 'Test server did not start to answer within a second.',
  })
})

const LOADING = { status: 503, body: anError('Loading model', { code: 503, type: 'unavailable_error' }) }

test('a server that is loading its model is waited for, and shows that', async () => {
  const events = await answer([...Array.from({ length: 7 }, () => LOADING), AGAIN])
  expect(events.filter(({ type }) => type === 'progress')).toEqual(
    Array.from({ length: 7 }, () => ({ type: 'progress', phase: 'loading', done: 0, total: 0 })),
  )
  expect([textOf(events), given.server.chats().length]).toEqual(['At last.', 8])
})

test.for([
  ['The model llama-3 is currently loading', true],
  ['Model is still loading, please wait', true],
  ['model is being loaded, try again', true],
  ['Warming up the model', true],
  ['Error loading model: out of memory', false],
  ['No model is loaded', false],
  ['Service Unavailable', false],
] as const)('“%s” with 503 means a model on its way: %s', async ([message, isLoading]) => {
  const reply = { status: 503, body: anError(message) }
  const events = await answer([...Array.from({ length: 5 }, () => reply), AGAIN])
  expect(textOf(events)).toBe(isLoading ? 'At last.' : '')
})

test('a server that loads its model for too long is given up, and one can be stopped while it loads', async () => {
  const failed = failureOf(await answer(LOADING, { patience: { firstMs: 50 } }))
  expect(failed).toMatchObject({ code: 'internal', text: 'Test server is still loading its model.' })
  const stop = new AbortController()
  const types: string[] = []
  const engine = given.anEngine({ patience: { loadingMs: 60_000 } })
  for await (const { type } of engine.complete(aPrompt(), stop.signal)) {
    types.push(type)
    stop.abort()
  }
  expect(types).toEqual(['progress'])
})

test('how long a server may take to begin depends on where it is, and on whether somebody can press Stop', () => {
  const hour = 3_600_000
  expect(firstWait(true, {})).toBe(Number.POSITIVE_INFINITY)
  expect(firstWait(true, { priority: 'foreground' })).toBe(Number.POSITIVE_INFINITY)
  expect(firstWait(true, { priority: 'background' })).toBe(hour)
  expect(firstWait(true, { purpose: 'schedule' })).toBe(hour)
  expect(firstWait(true, { purpose: 'learning' })).toBe(hour)
  expect(firstWait(false, {})).toBe(600_000)
})

test('without a limit an answer that takes its time is read, and the wait for it can be stopped', async () => {
  const patience = { firstMs: Number.POSITIVE_INFINITY }
  expect(textOf(await answer({ text: 'Slow.', stallMs: 100 }, { patience }))).toBe('Slow.')
  given.server.reply({ stallMs: 60_000 })
  const events = collect(
    given.anEngine({ patience }).complete(aPrompt(), AbortSignal.any([AbortSignal.timeout(100)])),
  )
  expect(await events).toEqual([])
})

test('a time that the user set for a server holds', async () => {
  const options = { startMs: 100, patience: { firstMs: undefined } }
  expect(failureOf(await answer({ stallMs: 10_000 }, options))).toMatchObject({
    text: 'Test server did not start to answer within a second.',
    fix: expect.stringContaining('start_timeout_s'),
  })
})

test.for([
  ['in one line', { text: 'word '.repeat(400_000) }],
  ['in many lines', { text: Array.from({ length: 400 }, () => 'word '.repeat(1_000)) }],
  [
    'in one piece',
    { body: { choices: [{ message: { content: 'word '.repeat(400_000) }, finish_reason: 'stop' }] } },
  ],
] satisfies [string, ServedReply][])(
  'an answer of two million characters %s is ended, and says so',
  async ([, reply]) => {
    const events = await answer(reply)
    const text = textOf(events)
    expect(text.length).toBeGreaterThan(490_000)
    expect(text.length).toBeLessThan(600_000)
    expect(events.slice(-2)).toEqual([
      { type: 'notice', text: expect.stringContaining('ended after 500,000 characters') },
      expect.objectContaining({ type: 'done', stop: 'length' }),
    ])
  },
)
