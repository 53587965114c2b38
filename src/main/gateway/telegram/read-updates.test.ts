import { expect, onTestFinished, test } from 'vitest'
import { seededNumbers } from '../../../../testing/gguf/seeded-numbers.ts'
import { startBotServer } from '../../../../testing/telegram/bot-server.ts'
import { makeHandClock } from '../../../../testing/telegram/hand-clock.ts'
import { until } from '../../../../testing/until.ts'
import { createBotApi } from './bot-api.ts'
import { readUpdates, type PollState } from './read-updates.ts'

const ANNA = 41

/** A fake server, and a reader that stores like the gateway: texts and offset together. */
async function aReader() {
  const clock = makeHandClock()
  const server = await startBotServer({ clock })
  const api = createBotApi({ fetch, token: server.token, address: server.address, wait: clock.wait })
  const stored: { texts: string[]; offset?: number } = { texts: [] }
  const states: PollState[] = []
  const stop = new AbortController()

  async function run(isStored = () => true): Promise<void> {
    const updates = readUpdates({
      api,
      offset: () => stored.offset,
      now: clock.now,
      wait: clock.wait,
      signal: stop.signal,
      onState: state => states.push(state),
    })
    for await (const batch of updates) {
      if (!isStored()) throw new Error('The power went off.')
      stored.texts.push(...batch.updates.map(({ message }) => message?.text ?? 'other'))
      stored.offset = batch.offset
    }
  }
  onTestFinished(async () => {
    stop.abort()
    await server.close()
  })
  const { phone } = server
  return { clock, server, phone, stored, states, stop, run }
}

const methods = (server: { calls: { method: string }[] }) => server.calls.map(({ method }) => method)

test('proves the way, removes a webhook without losing what waits, and polls', async () => {
  const { server, phone, stored, states, stop, run } = await aReader()
  phone.write(ANNA, 'while you were off')
  const running = run()
  await until(() => stored.texts.length === 1 && server.openPolls() === 1)
  expect(methods(server)).toEqual(['getMe', 'deleteWebhook', 'getUpdates', 'getUpdates'])
  expect(server.calls[2]!.values).toEqual({
    timeout: 50,
    allowed_updates: ['message', 'edited_message', 'callback_query', 'my_chat_member'],
  })
  expect(states).toMatchObject([{ kind: 'open', bot: { username: 'talaria_test_bot' } }])
  phone.write(ANNA, 'now')
  await until(() => stored.texts.includes('now'))
  stop.abort()
  await running
  expect(stored.texts).toEqual(['while you were off', 'now'])
})

test('what was not stored comes again after a crash, and nothing that was', async () => {
  const { server, phone, stored, run } = await aReader()
  phone.write(ANNA, 'one')
  await expect(run(() => false)).rejects.toThrow('The power went off.')
  expect(stored.texts).toEqual([])
  void run()
  await until(() => server.openPolls() === 1)
  expect(stored.texts).toEqual(['one'])
})

test('updates that come again because their offset was not stored do not come in a race', async () => {
  const { clock, server, phone, stored, run } = await aReader()
  phone.write(ANNA, 'one')
  Object.defineProperty(stored, 'offset', { get: () => undefined, set: () => {} })
  void run()
  await until(() => stored.texts.length === 1 && clock.waits().filter(ms => ms === 5_000).length === 2)
  expect(methods(server)).toHaveLength(4)
  await clock.advance(5_000)
  await until(() => stored.texts.length === 2)
})

test('a poll without anything to tell is followed by the next', async () => {
  const { clock, server, phone, stored, states, run } = await aReader()
  void run()
  for (let polls = 1; polls <= 3; polls++) {
    await until(
      () =>
        server.openPolls() === 1 && methods(server).filter(each => each === 'getUpdates').length === polls,
    )
    await clock.advance(50_000)
  }
  phone.write(ANNA, 'at last')
  await until(() => stored.texts.includes('at last'))
  expect(states).toHaveLength(1)
})

test('waits longer after each failure, then proves the way again', async () => {
  const { clock, server, phone, stored, states, run } = await aReader()
  const gone = { status: 502, description: 'Bad Gateway' }
  server.trouble('getMe', gone, gone, gone, gone, gone, gone)
  void run()
  for (const [at, seconds] of [5, 10, 20, 40, 60, 60].entries()) {
    await until(() => states.length === at + 1)
    expect(states[at]).toMatchObject({
      kind: 'waiting',
      until: clock.now() + seconds * 1_000,
      conflict: false,
    })
    await clock.advance(seconds * 1_000 - 1)
    expect(methods(server)).toHaveLength(at + 1)
    await clock.advance(1)
  }
  await until(() => server.openPolls() === 1)
  // The connection is cut in the middle of a poll.
  await clock.advance(15_000)
  server.cutAll()
  await until(() => states.length === 8)
  expect(states.slice(6)).toMatchObject([{ kind: 'open' }, { kind: 'waiting', until: clock.now() + 5_000 }])
  phone.write(ANNA, 'back')
  await clock.advance(5_000)
  await until(() => stored.texts.includes('back'))
  expect(methods(server).slice(-4)).toContain('getMe')
})

test('a wait that the server demands is kept', async () => {
  const { clock, server, states, run } = await aReader()
  server.trouble('getUpdates', { status: 429, description: 'x', parameters: { retry_after: 33 } })
  void run()
  await until(() => states.length === 2)
  expect(states[1]).toMatchObject({ why: 'Telegram asks to wait.', until: clock.now() + 33_000 })
  await clock.advance(33_000)
  await until(() => server.openPolls() === 1)
})

test('after a sleep of the computer the dead poll is given up within seconds, and the way proved', async () => {
  const { clock, server, phone, stored, states, run } = await aReader()
  void run()
  await until(() => server.openPolls() === 1)
  clock.sleep(8 * 3_600_000)
  phone.write(ANNA, 'good morning')
  await until(() => stored.texts.includes('good morning') && server.openPolls() === 1)
  const before = methods(server).length
  clock.sleep(8 * 3_600_000)
  await clock.advance(10_000)
  await until(() => methods(server).length === before + 3 && server.openPolls() === 1)
  expect(methods(server).slice(before)).toEqual(['getMe', 'deleteWebhook', 'getUpdates'])
  expect(states.map(({ kind }) => kind)).not.toContain('waiting')
})

test('a sleep ends a wait as well', async () => {
  const { clock, server, states, run } = await aReader()
  const gone = { status: 502 }
  server.trouble('getMe', ...Array.from({ length: 5 }, () => gone))
  void run()
  for (const [at, seconds] of [5, 10, 20, 40].entries()) {
    await until(() => states.length === at + 1)
    await clock.advance(seconds * 1_000)
  }
  await until(() => states.length === 5)
  clock.sleep(3_600_000)
  await clock.advance(5_000)
  await until(() => server.openPolls() === 1)
})

test('a second home with the same bot: each says so and leaves the other a minute', async () => {
  const { clock, server, states, run } = await aReader()
  void run()
  await until(() => server.openPolls() === 1)
  const other = createBotApi({ fetch, token: server.token, address: server.address, wait: clock.wait })
  void other.getUpdates({ seconds: 50, kinds: ['message'] })
  await until(() => states.length === 2)
  expect(states[1]).toMatchObject({ kind: 'waiting', conflict: true, until: clock.now() + 60_000 })
  await clock.advance(59_999)
  expect(states).toHaveLength(2)
  await clock.advance(1)
  await until(() => states.length === 3 && server.openPolls() === 1)
})

test('a revoked token ends it, once and for all', async () => {
  const { server, states, run } = await aReader()
  const running = run()
  await until(() => server.openPolls() === 1)
  server.revoke()
  await running
  expect(states.at(-1)).toEqual({ kind: 'unauthorized' })
})

test('stops at once in the middle of a poll and of a wait', async () => {
  const first = await aReader()
  const polling = first.run()
  await until(() => first.server.openPolls() === 1)
  first.stop.abort()
  await polling
  const second = await aReader()
  second.server.trouble('getMe', { status: 502 })
  const waiting = second.run()
  await until(() => second.states.length === 1)
  second.stop.abort()
  await waiting
  expect(second.clock.waits()).toEqual([])
})

test('numbers that begin anew after a week of silence are not taken for old ones', async () => {
  const { server, phone, stored, run } = await aReader()
  phone.write(ANNA, 'high')
  void run()
  await until(() => stored.texts.length === 1 && server.openPolls() === 1)
  server.world.queue.renumber(1_000)
  phone.write(ANNA, 'low')
  await until(() => stored.texts.length === 2)
  expect(stored).toMatchObject({ texts: ['high', 'low'], offset: 1_001 })
})

test.each([1, 2])(
  'cut lines, busy servers and crashes before what came is stored: all is there once, in order (%i)',
  async seed => {
    const numbers = seededNumbers(seed)
    const random = () => numbers() / 2 ** 32
    const { clock, server, phone, stored, stop, run } = await aReader()
    const troubles = [{ cut: 'before' }, { cut: 'after' }, { status: 502 }, { html: 'busy' }] as const
    const wanted = Array.from({ length: 12 }, (_, at) => `message ${at}`)
    let batches = 0
    let crashes = 0
    /** Restart, as a service manager restarts a program. */
    async function runAgain(): Promise<void> {
      while (!stop.signal.aborted)
        await run(() => batches++ % 2 === 1).catch(() => {
          crashes++
        })
    }
    const running = runAgain()
    for (const [at, text] of wanted.entries()) {
      const trouble = troubles[Math.floor(random() * 8)]
      if (trouble) server.trouble(random() < 0.5 ? 'getUpdates' : 'getMe', trouble)
      phone.write(ANNA, text)
      // Some arrive alone, some together with the next.
      if (random() < 0.5 || at === wanted.length - 1)
        await until(async () => {
          await clock.advance(2_500)
          return stored.texts.includes(text)
        })
    }
    stop.abort()
    await running
    expect(stored.texts).toEqual(wanted)
    expect(crashes).toBeGreaterThan(0)
  },
)
