import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectClient } from '../../shared/connect-client.ts'
import { Fault, FaultCode, type Channel, type Client } from '../../shared/rpc.ts'
import { aHost, probe, secret } from '../../../testing/host/probe-host.ts'
import { wires, type Wire } from '../../../testing/host/wires.ts'

const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

describe.each(Object.entries(wires))('over %s', (_kind, openWire) => {
  let host: ReturnType<typeof aHost>
  let wire: Wire
  let channel: Channel
  let client: Client<typeof probe>

  beforeEach(async () => {
    host = aHost()
    wire = await openWire(host)
    channel = await wire.open()
    client = connectClient(probe, channel)
  })
  afterEach(async () => {
    channel.close()
    await wire.die()
  })

  const nothingWorks = () => expect.poll(() => host.state.working, { interval: 2 }).toBe(0)
  const somethingWorks = () => expect.poll(() => host.state.working, { interval: 2 }).toBe(1)

  test('a call is answered, with the contract’s defaults filled in', async () => {
    const answers = await Promise.all([
      client['echo.say']({ text: 'a' }),
      client['echo.say']({ text: 'b', times: 3 }),
    ])
    expect(answers).toEqual(['a', 'bbb'])
  })

  test('the data of a call arrives unchanged, whatever its characters', async () => {
    const value = { text: 'a\nb\u2028c 🙂 \u0000 “q”', list: [1, null, true, { deep: [[]] }] }
    expect(await client['echo.any']({ value })).toEqual(value)
  })

  test('a stream yields everything in order and ends', async () => {
    expect(await collect(client['count.to']({ to: 500 }))).toEqual(numbersTo(500))
    expect(host.state.working).toBe(0)
  })

  test('two parallel streams each keep their own order', async () => {
    const both = await Promise.all([
      collect(client['count.to']({ to: 100 })),
      collect(client['count.to']({ to: 50 })),
    ])
    expect(both).toEqual([numbersTo(100), numbersTo(50)])
  })

  test('a stream requests nothing until it is iterated', async () => {
    const unread = client['count.on']({})
    await client['echo.say']({ text: 'a' })
    expect(host.state.begun).toBe(0)
    await unread.return()
  })

  test.each(FaultCode.options)('a %s fault arrives with its code, message and data', async code => {
    const fault = await faultOf(client['fail.fault']({ code }))
    expect(fault).toEqual({ code, message: `This is ${code}.`, data: { why: code } })
  })

  test('invalid input is refused with its issues, and never reaches a handler', async () => {
    const call = await faultOf(client['echo.say']({ text: '', times: 99 }))
    const stream = await faultOf(collect(client['count.to']({ to: 'ten' as unknown as number })))
    expect([call.code, stream.code]).toEqual(['bad_input', 'bad_input'])
    expect(call.data).toMatchObject([{ path: ['text'] }, { path: ['times'] }])
    expect(stream.data).toMatchObject([{ path: ['to'], code: 'invalid_type' }])
    expect(host.state.begun).toBe(0)
  })

  test.each(['no.such', '', 'x'.repeat(100_000), ...inherited])(
    'the unknown name %.20s is not found',
    async name => {
      const stranger = connectClient({ [name]: probe['echo.say'] }, channel)
      const fault = await faultOf(stranger[name]!({ text: 'a' }))
      expect(fault.code).toBe('not_found')
      expect(fault.message.length).toBeLessThan(120)
    },
  )

  test.each([
    ['a call', (c: typeof client) => c['fail.crash']({})],
    ['a stream before its first item', (c: typeof client) => collect(c['fail.early']({}))],
    ['a stream after some items', (c: typeof client) => collect(c['fail.late']({ after: 2 }))],
    ['an answer that cannot be sent', (c: typeof client) => c['odd.answer']({})],
    ['an item that cannot be sent', (c: typeof client) => collect(c['odd.items']({}))],
  ])('a bug in %s is reported in the host, and the client gets no detail', async (_what, ask) => {
    const fault = await faultOf(ask(client))
    expect(fault).toEqual({ code: 'internal', message: 'Something went wrong in the host.', data: undefined })
    expect(host.reports).toEqual([expect.any(Error)])
    expect(JSON.stringify(fault)).not.toContain(secret)
    await nothingWorks()
  })

  test('a fault whose data cannot be sent arrives without the data', async () => {
    expect(await faultOf(client['odd.fault']({}))).toEqual({
      code: 'busy',
      message: 'This is busy.',
      data: undefined,
    })
  })

  test.each([
    [
      'leaving the loop',
      async () => {
        for await (const _ of client['count.on']({})) break
      },
    ],
    [
      'aborting a stream',
      async () => {
        const abort = new AbortController()
        const seen = collect(client['count.on']({}, { signal: abort.signal }))
        await somethingWorks()
        abort.abort()
        expect((await faultOf(seen)).code).toBe('cancelled')
      },
    ],
    [
      'aborting a call',
      async () => {
        const abort = new AbortController()
        const answer = client['wait.on']({}, { signal: abort.signal })
        await somethingWorks()
        abort.abort()
        expect((await faultOf(answer)).code).toBe('cancelled')
      },
    ],
    [
      'closing the page',
      async () => {
        const seen = collect(client['count.on']({}))
        await somethingWorks()
        channel.close()
        expect((await faultOf(seen)).code).toBe('disconnected')
      },
    ],
  ])('%s stops the work in the host', async (_how, leave) => {
    await leave()
    await nothingWorks()
    expect(host.state.begun).toBe(1)
    expect(host.reports).toEqual([])
  })

  test('a signal aborted beforehand fails at once without a request', async () => {
    const signal = AbortSignal.abort()
    const codes = [
      await faultOf(client['wait.on']({}, { signal })),
      await faultOf(collect(client['count.on']({}, { signal }))),
    ].map(fault => fault.code)
    await client['echo.say']({ text: 'a' })
    expect([codes, host.state.begun]).toEqual([['cancelled', 'cancelled'], 0])
  })

  test('aborting after the answer changes nothing', async () => {
    const abort = new AbortController()
    const answer = await client['echo.say']({ text: 'a' }, { signal: abort.signal })
    abort.abort()
    expect([answer, await client['echo.say']({ text: 'b' })]).toEqual(['a', 'b'])
  })

  test('when the host dies, all pending and later calls are disconnected', async () => {
    const pending = [
      client['wait.on']({}),
      collect(client['count.on']({})),
      collect(client['count.on']({})),
    ].map(faultOf)
    await expect.poll(() => host.state.working, { interval: 2 }).toBe(3)
    await wire.die()
    const later = async () => [
      await faultOf(client['echo.say']({ text: 'a' })),
      await faultOf(collect(client['count.to']({ to: 1 }))),
    ]
    const faults = [...(await Promise.all(pending)), ...(await later())]
    expect(faults.map(fault => fault.code)).toEqual(Array(5).fill('disconnected'))
    await nothingWorks()
  })

  test('300 streams left at random times leave nothing running', async () => {
    const random = fc.sample(fc.nat(30), { numRuns: 300, seed: 7 })
    for (let from = 0; from < random.length; from += 100)
      await Promise.all(
        random.slice(from, from + 100).map(async (items, at) => {
          const abort = new AbortController()
          const way = at % 3
          try {
            for await (const n of client['count.to'](
              { to: way === 0 ? items : 1_000_000 },
              { signal: abort.signal },
            )) {
              if (n < items) continue
              if (way === 1) break
              if (way === 2) abort.abort()
            }
          } catch (error) {
            expect((error as Fault).code).toBe('cancelled')
          }
        }),
      )
    await nothingWorks()
    expect([host.state.begun, host.reports]).toEqual([random.length, []])
  })

  test('a client that leaves stops only its own work', async () => {
    const other = await wire.open()
    const seen = collect(connectClient(probe, other)['count.on']({}))
    const mine = collect(client['count.to']({ to: 20_000 }))
    await expect.poll(() => host.state.working, { interval: 2 }).toBe(2)
    other.close()
    expect((await faultOf(seen)).code).toBe('disconnected')
    expect(await mine).toEqual(numbersTo(20_000))
    await nothingWorks()
  })

  test('malformed messages are dropped or refused, and the next call is answered', async () => {
    // Numbers above zero are the client's own.
    const id = fc.oneof(fc.integer({ max: 0 }), fc.double({ max: 0 }), fc.string(), fc.constant(null))
    const name = fc.oneof(fc.constantFrom(...inherited, ...Object.keys(probe)), fc.string())
    const alike = fc.record(
      {
        t: fc.oneof(fc.constantFrom('call', 'cancel', 'item', 'end'), fc.string()),
        id,
        name,
        input: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    const hostile = fc.array(fc.oneof(alike, fc.jsonValue()), { maxLength: 20 })
    let round = 0
    await fc.assert(
      fc.asyncProperty(hostile, async messages => {
        for (const message of messages) channel.post(message)
        expect(await client['echo.say']({ text: `${++round}` })).toBe(`${round}`)
      }),
      { numRuns: 40 },
    )
    channel.close()
    await nothingWorks()
  })

  test('a message with prototype keys changes nothing', async () => {
    const input = JSON.parse(
      '{"text":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    )
    expect(await client['echo.say'](input)).toBe('a')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test('deeply nested input does no harm', async () => {
    let value: unknown = []
    for (let depth = 0; depth < 2_000; depth++) value = [value]
    const answer = await client['echo.any']({ value }).catch((error: Fault) => error)
    let depth = 0
    for (let each: unknown = answer; Array.isArray(each); each = each[0]) depth++
    // Some channels carry it whole, for others it is too deep.
    expect(['internal', 2_001]).toContain(answer instanceof Fault ? answer.code : depth)
    expect(await client['echo.say']({ text: 'a' })).toBe('a')
  })

  test('closing twice, and sending to a closed channel, does no harm', async () => {
    channel.close()
    channel.close()
    channel.post({ t: 'cancel', id: 1 })
    const { promise, resolve } = Promise.withResolvers<void>()
    channel.onClose(resolve)
    await promise
    channel.onClose(resolve)
    channel.post({ t: 'cancel', id: 1 })
    expect(host.reports).toEqual([])
  })
})

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const numbersTo = (to: number) => Array.from({ length: to }, (_, at) => at + 1)

/** Return the Fault that a promise was rejected with, as plain data; fails if there is none. */
async function faultOf(promise: Promise<unknown>) {
  const outcome = await promise.then(
    value => ({ value }),
    (error: unknown) => error,
  )
  if (!(outcome instanceof Fault)) throw new Error('It was no fault.', { cause: outcome })
  const { code, message, data } = outcome
  return { code, message, data }
}
