import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { serveTools } from './serve-stdio.ts'

// A program may send anything at all.

type Sent = { id: number; result?: Record<string, unknown>; error?: { code: number } }

/** The server on two streams, with its answers so far. */
function aServer(ask: Parameters<typeof serveTools>[0]['ask'] = async () => ({ ok: true, text: 'Found.' })) {
  const input = new PassThrough()
  const output = new PassThrough()
  let written = ''
  output.setEncoding('utf8').on('data', text => (written += text))
  const served = serveTools({ version: '1', ask, input, output })
  const answers = () =>
    written
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as Sent)
  return {
    ...served,
    input,
    says: (value: unknown) => input.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`),
    answer: async (id: number): Promise<Sent> => {
      await expect.poll(() => answers().some(each => each.id === id), { timeout: 20_000 }).toBe(true)
      return answers().find(each => each.id === id)!
    },
  }
}

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
}
const call = (id: number, params: object) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })

test('rubbish, half messages and unknown methods are passed over, and the next call is answered', async () => {
  const server = aServer()
  server.says('this is no JSON')
  server.says('{"jsonrpc":"2.0","id":')
  server.says('[]')
  server.says(HELLO)
  expect((await server.answer(1)).result).toMatchObject({ serverInfo: { name: 'talaria' } })
  server.says({ jsonrpc: '2.0', id: 2, method: 'resources/list' })
  expect((await server.answer(2)).error).toMatchObject({ code: -32_601 })
  server.says(call(3, { arguments: {} }))
  expect((await server.answer(3)).error).toBeDefined()
  server.says(call(4, { name: 'memory_search' }))
  expect((await server.answer(4)).result).toMatchObject({ content: [{ type: 'text', text: 'Found.' }] })
  server.input.end()
  await server.ended
})

test('a message of 2 MiB ends the connection, and the server with it', async () => {
  const server = aServer()
  server.says(HELLO)
  await server.answer(1)
  server.says(call(2, { name: 'memory_search', arguments: { query: 'x'.repeat(2 << 20) } }))
  await server.ended
})

test('a program that leaves in the middle of a call stops it', async () => {
  const stopped = Promise.withResolvers<string>()
  const server = aServer(
    (_asked, signal) =>
      new Promise(resolve =>
        signal.addEventListener('abort', () => {
          stopped.resolve('stopped')
          resolve({ ok: false, text: '' })
        }),
      ),
  )
  server.says(HELLO)
  await server.answer(1)
  server.says(call(2, { name: 'memory_search' }))
  await new Promise(resolve => setImmediate(resolve))
  server.input.end()
  await server.ended
  expect(await stopped.promise).toBe('stopped')
})
