import { once } from 'node:events'
import { request as ask, type IncomingMessage } from 'node:http'
import { connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { aHost, probe, secret } from '../../../testing/host/probe-host.ts'
import type { ReceiveUpload } from './take-upload.ts'
import { startWebHost, type WebHost } from './web-host.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** A web host that receives files, and the files it got. */
async function aWebHost(receiveUpload?: ReceiveUpload) {
  const { handlers, report, reports } = aHost()
  const taken: { id: string; length: number; body: Buffer }[] = []
  const take: ReceiveUpload = async (id, body, length) => {
    taken.push({ id, length, body: Buffer.concat((await Array.fromAsync(body)) as Buffer[]) })
    return { ok: true }
  }
  const web = await startWebHost({
    root: tmpdir(),
    contract: probe,
    handlers,
    report,
    receiveUpload: receiveUpload ?? take,
  })
  cleanups.push(() => web.close())
  return { ...web, taken, reports }
}

type Odd = { path?: string; method?: string; headers?: Record<string, string | undefined>; body?: Buffer }

/** Send a file as our page does, except for the given oddities. */
async function put(
  web: WebHost,
  { path = '/upload/transfer_1', method = 'PUT', headers, body = file }: Odd = {},
) {
  const all: Record<string, string | undefined> = {
    origin: `http://127.0.0.1:${web.port}`,
    authorization: `Bearer ${web.token}`,
    'content-length': String(body.length),
    ...headers,
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const request = ask({
    host: '127.0.0.1',
    port: web.port,
    path,
    method,
    headers: given as Record<string, string>,
    agent: false,
  })
  // A connection may end before the whole body is sent; the answer counts.
  request.on('error', () => {})
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode, text, headers: response.headers }
}

const file = Buffer.from('GGUF and more')

test('our own page may send a file', async () => {
  const web = await aWebHost()
  const { status, headers } = await put(web)
  expect([status, headers['x-content-type-options']]).toEqual([204, 'nosniff'])
  expect(web.taken).toEqual([{ id: 'transfer_1', length: file.length, body: file }])
})

test('a file is streamed, not buffered whole', async () => {
  const sizes: number[] = []
  const web = await aWebHost(async (_id, body) => {
    for await (const chunk of body) sizes.push((chunk as Buffer).length)
    return { ok: true }
  })
  const big = Buffer.alloc(8 << 20, 3)
  expect((await put(web, { body: big })).status).toBe(204)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(big.length)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1 << 20)
})

const wrong = (web: WebHost): [what: string, odd: Odd, status: number][] => [
  ['no token', { headers: { authorization: undefined } }, 403],
  ['another token', { headers: { authorization: `Bearer ${web.token.slice(1)}A` } }, 403],
  ['the token as another scheme', { headers: { authorization: `Basic ${web.token}` } }, 403],
  [
    'the token in the address',
    { path: `/upload/x?token=${web.token}`, headers: { authorization: undefined } },
    403,
  ],
  ['a page elsewhere', { headers: { origin: 'http://evil.example' } }, 403],
  ['no page at all', { headers: { origin: undefined } }, 403],
  [
    'a name elsewhere that leads here',
    { headers: { host: `evil.example:${web.port}`, origin: `http://evil.example:${web.port}` } },
    403,
  ],
  ['another of our names as origin', { headers: { origin: `http://localhost:${web.port}` } }, 403],
  ['an id with a path in it', { path: '/upload/..%2f..%2fx' }, 404],
  ['a folder', { path: '/upload/a/b' }, 404],
  ['no id', { path: '/upload/' }, 404],
  ['no length', { headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' } }, 411],
  ['another method', { method: 'POST' }, 405],
  ['another place', { path: '/uploads/transfer_1' }, 405],
]

test('other pages are refused, and nothing they send is read', async () => {
  const web = await aWebHost()
  for (const [what, odd, status] of wrong(web))
    expect([what, (await put(web, odd)).status]).toEqual([what, status])
  expect([web.taken, web.reports]).toEqual([[], []])
})

test('a host that accepts no files refuses the method', async () => {
  const { handlers, report } = aHost()
  const web = await startWebHost({ root: tmpdir(), contract: probe, handlers, report })
  cleanups.push(() => web.close())
  expect((await put(web)).status).toBe(405)
})

test('the reason for a refused file is sent while the page is still sending', async () => {
  const web = await aWebHost(async (_id, body) => {
    for await (const _chunk of body.iterator({ destroyOnReturn: false })) break
    return { ok: false, text: 'The disk is full.' }
  })
  const { status, text } = await put(web, { body: Buffer.alloc(4 << 20) })
  expect([status, text]).toEqual([409, 'The disk is full.\n'])
})

test('a bug in the host is reported but not sent to the page', async () => {
  const web = await aWebHost(async () => {
    throw new TypeError(secret)
  })
  const { status, text } = await put(web)
  expect([status, text]).toEqual([500, 'Something went wrong in the host.\n'])
  expect(web.reports).toEqual([expect.any(TypeError)])
})

/** A page that announces a file, sends its beginning, and stays open. */
async function begin(web: WebHost) {
  const socket = dial(web.port, '127.0.0.1')
  socket.on('error', () => {})
  cleanups.push(() => socket.destroy())
  const origin = `127.0.0.1:${web.port}`
  const head = [
    'PUT /upload/transfer_1 HTTP/1.1',
    `Host: ${origin}`,
    `Origin: http://${origin}`,
    `Authorization: Bearer ${web.token}`,
    'Content-Length: 1000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\nGGUF`)
  return socket
}

test('a page that leaves during an upload ends the stream of its reader', async () => {
  const ended = Promise.withResolvers<unknown>()
  const begun = Promise.withResolvers<void>()
  const web = await aWebHost(async (_id, body) => {
    begun.resolve()
    ended.resolve(await failureOf(body))
    return { ok: false, text: 'It stopped.' }
  })
  const socket = await begin(web)
  await begun.promise
  socket.destroy()
  expect(await ended.promise).toBeInstanceOf(Error)
  await turn()
  expect(web.reports).toEqual([])
})

test('closing the host does not wait for an incoming file', async () => {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  const web = await aWebHost(async (_id, body) => {
    begun.resolve()
    ended.resolve(await failureOf(body))
    return { ok: false, text: 'It stopped.' }
  })
  await begin(web)
  await begun.promise
  // The test's time limit proves that this does not wait.
  await web.close()
  expect(await ended.promise).toBeInstanceOf(Error)
})

async function failureOf(body: Readable): Promise<unknown> {
  try {
    for await (const _chunk of body);
    return undefined
  } catch (error) {
    return error
  }
}
