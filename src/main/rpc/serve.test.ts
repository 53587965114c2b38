import { expect, test } from 'vitest'
import { z } from 'zod'
import { call, stream, type Channel, type Handlers } from '../../shared/rpc.ts'
import { serveContract } from './serve.ts'

const contract = {
  'echo.say': call(z.object({ text: z.string() }), z.string()),
  'wait.on': call(z.object({}), z.null()),
  'list.all': call(z.array(z.string()), z.null()),
  'count.on': stream(z.object({}), z.int()),
}

/** A host whose peer is the test: `say` sends to it, `said` is what it posted. */
function aHost(handlers: Partial<Handlers<typeof contract>> = {}, post?: (message: unknown) => void) {
  const said: unknown[] = []
  const reports: unknown[] = []
  const signals: AbortSignal[] = []
  let say = (_message: unknown) => {}
  let hangUp = () => {}
  const channel: Channel = {
    post: post ?? (message => void said.push(message)),
    onMessage: listener => {
      say = listener
    },
    onClose: listener => {
      hangUp = listener
    },
    close: () => hangUp(),
  }
  const wait = (_input: unknown, signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<null>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    )
  }
  const all: Handlers<typeof contract> = {
    'echo.say': ({ text }) => text,
    'wait.on': wait,
    'list.all': () => null,
    async *'count.on'(_input, signal) {
      signals.push(signal)
      for (let n = 0; ; n++) {
        await settle()
        yield n
      }
    },
    ...handlers,
  }
  serveContract(contract, all, channel, error => void reports.push(error))
  return { said, reports, signals, say: (message: unknown) => say(message), hangUp: () => hangUp() }
}

const settle = () => new Promise(resolve => setImmediate(resolve))

test('a client with too many running calls is refused, and can continue after one has ended', async () => {
  const host = aHost()
  for (let id = 1; id <= 257; id++) host.say({ t: 'call', id, name: 'wait.on', input: {} })
  await settle()
  expect(host.said).toEqual([
    { t: 'fail', id: 257, code: 'busy', message: expect.any(String), data: undefined },
  ])
  host.say({ t: 'cancel', id: 1 })
  await settle()
  host.say({ t: 'call', id: 1, name: 'echo.say', input: { text: 'a' } })
  await settle()
  expect(host.said.at(-1)).toEqual({ t: 'end', id: 1, value: 'a' })
})

test('a second call with the id of a running one is dropped, and the first continues', async () => {
  const host = aHost()
  host.say({ t: 'call', id: 1, name: 'wait.on', input: {} })
  host.say({ t: 'call', id: 1, name: 'echo.say', input: { text: 'a' } })
  await settle()
  expect([host.said, host.signals.map(signal => signal.aborted)]).toEqual([[], [false]])
  expect(host.reports).toEqual([new Error('Dropped a message: the call 1 is already running.')])
})

test.each([
  null,
  undefined,
  'call',
  42,
  [],
  { t: 'call' },
  { t: 'call', id: 1.5, name: 'echo.say' },
  { t: 'call', id: '1', name: 'echo.say' },
  { t: 'call', id: 1, name: ['echo.say'] },
  { t: 'shout', id: 1 },
  { t: '__proto__', id: 1 },
  { t: 'item', id: 1 },
])('the malformed message %j is dropped and reported', message => {
  const host = aHost()
  host.say(message)
  expect([host.said, host.reports.length]).toEqual([[], 1])
})

test('cancelling a call that is not running does nothing', () => {
  const host = aHost()
  host.say({ t: 'cancel', id: 7 })
  expect([host.said, host.reports]).toEqual([[], []])
})

test('a channel that throws stops only its own stream', async () => {
  const host = aHost({}, () => {
    throw new Error('The channel is dead.')
  })
  host.say({ t: 'call', id: 1, name: 'echo.say', input: { text: 'a' } })
  host.say({ t: 'call', id: 2, name: 'count.on', input: {} })
  for (let turns = 0; turns < 5; turns++) await settle()
  host.say({ t: 'call', id: 2, name: 'nothing' })
  await settle()
  expect(host.reports.length).toBeGreaterThan(0)
  expect(host.reports).not.toContainEqual(new Error('Dropped a message: the call 2 is already running.'))
})

test('closing a channel aborts everything, and nothing is posted afterwards', async () => {
  const host = aHost()
  host.say({ t: 'call', id: 1, name: 'wait.on', input: {} })
  host.say({ t: 'call', id: 2, name: 'count.on', input: {} })
  await settle()
  host.hangUp()
  const saidBefore = host.said.length
  for (let turns = 0; turns < 5; turns++) await settle()
  expect(host.signals.map(signal => signal.aborted)).toEqual([true, true])
  expect([host.said.length, host.reports]).toEqual([saidBefore, []])
})

test('a bug that appears after a cancellation is still reported', async () => {
  const bug = new TypeError('x is undefined')
  const host = aHost({
    'wait.on': async (_input, signal) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      throw bug
    },
  })
  host.say({ t: 'call', id: 1, name: 'wait.on', input: {} })
  host.say({ t: 'cancel', id: 1 })
  await settle()
  expect(host.said).toMatchObject([{ t: 'fail', id: 1, code: 'cancelled' }])
  expect(host.reports).toEqual([bug])
})

test('an input with thousands of mistakes is answered with the first few', async () => {
  const host = aHost()
  host.say({ t: 'call', id: 1, name: 'list.all', input: Array(5_000).fill(1) })
  await settle()
  expect(host.said).toMatchObject([{ t: 'fail', code: 'bad_input', data: { length: 20 } }])
})
