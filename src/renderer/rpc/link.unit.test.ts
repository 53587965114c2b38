import { expect, test } from 'vitest'
import { z } from 'zod'
import { call, Fault, stream, type Channel } from '../../shared/rpc.ts'
import { reconnectingClient, type ConnectionState } from './link.ts'

const contract = {
  'echo.say': call(z.object({ text: z.string() }), z.string()),
  'count.on': stream(z.object({}), z.int()),
}

/** A host under the test's control: it echoes and counts to two; `up` decides about the next attempt. */
function aHost() {
  const host = { up: true, attempts: 0, open: 0, hangUp: () => {} }
  async function open(): Promise<Channel> {
    host.attempts++
    if (!host.up) throw new Fault('disconnected', 'Talaria is not responding.')
    const closers: (() => void)[] = []
    let hear = (_message: unknown) => {}
    host.open++
    host.hangUp = () => {
      host.open--
      for (const closer of closers.splice(0)) closer()
    }
    return {
      post(message) {
        const { t, id, name, input } = message as {
          t: string
          id: number
          name: string
          input: { text: string }
        }
        if (t === 'call' && name === 'echo.say') hear({ t: 'end', id, value: input.text })
        if (t === 'call' && name === 'count.on') for (const value of [1, 2]) hear({ t: 'item', id, value })
      },
      onMessage: listener => {
        hear = message => queueMicrotask(() => listener(message))
      },
      onClose: closer => closers.push(closer),
      close: () => host.hangUp(),
    }
  }
  return Object.assign(host, { dial: open })
}

/** Time under the test's control: `waits` are the pending waits, `pass` ends the next one. */
function aClock() {
  const waits: { ms: number; run: () => void }[] = []
  return {
    waits: () => waits.map(wait => wait.ms),
    later: (run: () => void, ms: number) => {
      const wait = { ms, run }
      waits.push(wait)
      return () => void (waits.includes(wait) && waits.splice(waits.indexOf(wait), 1))
    },
    async pass() {
      waits[0]?.run()
      await settle()
    },
  }
}

const settle = () => new Promise(resolve => setTimeout(resolve))

async function aClient({ up = true, random = 0 } = {}) {
  const host = Object.assign(aHost(), { up })
  const clock = aClock()
  const connection = reconnectingClient(contract, host.dial, { random: () => random, later: clock.later })
  const states: ConnectionState[] = [connection.state()]
  connection.subscribe(() => states.push(connection.state()))
  await settle()
  return { host, clock, connection, states, say: () => connection.client['echo.say']({ text: 'a' }) }
}

const gone = new Fault('disconnected', 'Talaria is not connected right now.')

test('the first connection is reported and used', async () => {
  const { states, say } = await aClient()
  expect([states, await say()]).toEqual([['connecting', 'connected'], 'a'])
})

test('calls and streams fail without a connection', async () => {
  const { states, say, connection } = await aClient({ up: false })
  expect(states).toEqual(['connecting', 'lost'])
  await expect(say()).rejects.toEqual(gone)
  await expect(connection.client['count.on']({}).next()).rejects.toEqual(gone)
})

test('the reason of a failed attempt is known until the next one succeeds', async () => {
  const { host, clock, connection } = await aClient({ up: false })
  const before = connection.problem()
  host.up = true
  await clock.pass()
  expect([before, connection.problem()]).toEqual(['Talaria is not responding.', ''])
})

test('calls fail before the first attempt has ended', async () => {
  const connection = reconnectingClient(contract, () => new Promise(() => {}))
  await expect(connection.client['echo.say']({ text: 'a' })).rejects.toEqual(gone)
  connection.close()
})

test('after a lost connection the same client works over the next one', async () => {
  const { host, clock, states, say } = await aClient()
  host.hangUp()
  await settle()
  await expect(say()).rejects.toEqual(gone)
  await clock.pass()
  expect(await say()).toBe('a')
  expect([states, host.attempts]).toEqual([['connecting', 'connected', 'lost', 'connected'], 2])
})

test('a lost connection ends open streams, and a new stream works after the reconnect', async () => {
  const { host, clock, connection } = await aClient()
  const items = connection.client['count.on']({})
  expect([await items.next(), await items.next()].map(each => each.value)).toEqual([1, 2])
  const third = items.next()
  host.hangUp()
  await expect(third).rejects.toMatchObject({ name: 'Fault', code: 'disconnected' })
  await settle()
  await clock.pass()
  for await (const n of connection.client['count.on']({})) {
    expect(n).toBe(1)
    break
  }
})

test('the wait doubles from one to ten seconds, and starts again after a connection', async () => {
  const { host, clock, states } = await aClient({ up: false, random: 1 })
  const waits: number[] = []
  for (let failures = 0; failures < 7; failures++) {
    waits.push(...clock.waits())
    await clock.pass()
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000])
  host.up = true
  await clock.pass()
  host.hangUp()
  await settle()
  expect(clock.waits()).toEqual([1_000])
  expect(states).toEqual(['connecting', 'lost', 'connected', 'lost'])
})

test('every wait is random, between half a second and ten', async () => {
  const clients = await Promise.all([0, 0.5, 1].map(random => aClient({ up: false, random })))
  const waits: number[][] = []
  for (let failures = 0; failures <= 60; failures++) {
    if ([0, 1, 5, 60].includes(failures)) waits.push(clients.flatMap(({ clock }) => clock.waits()))
    await Promise.all(clients.map(({ clock }) => clock.pass()))
  }
  expect(waits).toEqual([
    [500, 750, 1_000],
    [500, 1_250, 2_000],
    [500, 5_250, 10_000],
    [500, 5_250, 10_000],
  ])
})

test('retryNow connects at once, and does nothing while connected', async () => {
  const { host, clock, connection, say } = await aClient({ up: false })
  host.up = true
  connection.retryNow()
  await settle()
  expect([await say(), clock.waits()]).toEqual(['a', []])
  connection.retryNow()
  await settle()
  expect(host.attempts).toBe(2)
})

test('a closed client disconnects and never reconnects', async () => {
  const { host, clock, connection, say } = await aClient()
  connection.close()
  await settle()
  await expect(say()).rejects.toEqual(gone)
  expect([host.open, host.attempts, clock.waits()]).toEqual([0, 1, []])
})

test('closing a waiting client cancels the wait', async () => {
  const { host, clock, connection } = await aClient({ up: false })
  connection.close()
  await settle()
  expect([host.attempts, clock.waits()]).toEqual([1, []])
})

test('closing a client while it connects drops the new connection', async () => {
  const host = aHost()
  const connection = reconnectingClient(contract, host.dial)
  connection.close()
  await settle()
  expect([host.attempts, host.open, connection.state()]).toEqual([1, 0, 'connecting'])
})

test('an unsubscribed listener is not called again', async () => {
  const { host, connection } = await aClient()
  const told: ConnectionState[] = []
  const stop = connection.subscribe(() => told.push(connection.state()))
  stop()
  host.hangUp()
  await settle()
  expect(told).toEqual([])
})
