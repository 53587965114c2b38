import { expect, test } from 'vitest'
import { z } from 'zod'
import { connectClient, encodeMessage, maxMessageBytes } from './connect-client.ts'
import { call, Fault, stream, type Channel } from './rpc.ts'

const contract = {
  'echo.say': call(z.object({ text: z.string() }), z.string()),
  'count.on': stream(z.object({}), z.int()),
}

/** A client whose host is the test: `asked` is what it was sent, `answer` speaks to the client. */
function aClient(post?: (message: unknown) => void) {
  const asked: unknown[] = []
  let answer = (_message: unknown) => {}
  const channel: Channel = {
    post: post ?? (message => void asked.push(message)),
    onMessage: listener => {
      answer = listener
    },
    onClose() {},
    close() {},
  }
  return { client: connectClient(contract, channel), asked, answer: (message: unknown) => answer(message) }
}

test.each([
  ['of an unknown kind', { t: 'shout', id: 1 }],
  ['with an unknown fault code', { t: 'fail', id: 1, code: 'on_fire', message: 'Fire.' }],
  ['without its parts', { t: 'fail', id: 1 }],
])('an answer %s ends its call instead of leaving it to wait for ever', async (_how, message) => {
  const { client, asked, answer } = aClient()
  const said = client['echo.say']({ text: 'a' })
  answer(message)
  await expect(said).rejects.toEqual(expect.objectContaining({ name: 'Fault', code: 'internal' }))
  expect(asked.at(-1)).toEqual({ t: 'cancel', id: 1 })
})

test.each([null, 'end', 7, [], {}, { t: 'end', id: 99 }, { t: 'item', id: '1' }, { t: 'fail', id: 0 }])(
  'the stray message %j is ignored',
  async message => {
    const { client, answer } = aClient()
    const said = client['echo.say']({ text: 'a' })
    answer(message)
    answer({ t: 'end', id: 1, value: 'a' })
    answer({ t: 'end', id: 1, value: 'b' })
    expect(await said).toBe('a')
  },
)

test('what had arrived before a stream was aborted is not shown after it', async () => {
  const abort = new AbortController()
  const { client, asked, answer } = aClient()
  const items = client['count.on']({}, { signal: abort.signal })
  const first = items.next()
  for (const value of [1, 2, 3]) answer({ t: 'item', id: 1, value })
  expect(await first).toEqual({ value: 1, done: false })
  abort.abort()
  await expect(items.next()).rejects.toEqual(new Fault('cancelled', 'Cancelled.'))
  expect(asked).toEqual([
    { t: 'call', id: 1, name: 'count.on', input: {} },
    { t: 'cancel', id: 1 },
  ])
})

test('what arrives while the reader is busy with an item is shown next, without waiting for more', async () => {
  const { client, answer } = aClient()
  const items = client['count.on']({})
  const first = items.next()
  answer({ t: 'item', id: 1, value: 1 })
  await first
  answer({ t: 'item', id: 1, value: 2 })
  expect(await items.next()).toEqual({ value: 2, done: false })
})

test('what arrived before a fault is shown before it', async () => {
  const { client, answer } = aClient()
  const items = client['count.on']({})
  const first = items.next()
  for (const value of [1, 2]) answer({ t: 'item', id: 1, value })
  answer({ t: 'fail', id: 1, code: 'not_ready', message: 'Not yet.' })
  expect([await first, await items.next()].map(each => each.value)).toEqual([1, 2])
  await expect(items.next()).rejects.toEqual(new Fault('not_ready', 'Not yet.'))
})

test('a call that cannot be sent fails where it was made and leaves nothing behind', async () => {
  const { client, answer } = aClient(() => {
    throw new Fault('bad_input', 'Too large.')
  })
  await expect(client['echo.say']({ text: 'a' })).rejects.toEqual(new Fault('bad_input', 'Too large.'))
  answer({ t: 'end', id: 1, value: 'a' })
})

test('a message is refused from its first byte above the limit, counted as the host counts', () => {
  const room = maxMessageBytes - JSON.stringify({ text: '' }).length
  const fits = ['a'.repeat(room), 'é'.repeat(room / 2), '🙂'.repeat(Math.floor(room / 4))]
  for (const text of fits) expect(JSON.parse(encodeMessage({ text }))).toEqual({ text })
  for (const text of fits) expect(() => encodeMessage({ text: `${text}aaaa` })).toThrow(Fault)
})
