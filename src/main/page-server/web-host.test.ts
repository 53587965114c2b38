import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request as ask } from 'node:http'
import { connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, type ClientOptions } from 'ws'
import { overSocket } from '../../renderer/rpc/page-channels.ts'
import { connectClient } from '../../shared/connect-client.ts'
import { CSP } from '../lib/csp.ts'
import { aHost, probe, secret } from '../../../testing/host/probe-host.ts'
import { startWebHost, type WebHost } from './web-host.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** A built window with a secret next to its folder. */
function aWindow() {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-web-'))
  const root = join(folder, 'renderer')
  mkdirSync(join(root, 'assets'), { recursive: true })
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>Talaria</title>')
  writeFileSync(join(root, 'assets/index-B3xk9_Qz.js'), 'export {}')
  writeFileSync(join(root, 'icon.svg'), '<svg/>')
  writeFileSync(join(root, '.env'), secret)
  writeFileSync(join(folder, 'secret.txt'), secret)
  mkdirSync(join(folder, 'renderer-old'))
  writeFileSync(join(folder, 'renderer-old/secret.txt'), secret)
  symlinkSync(join(folder, 'secret.txt'), join(root, 'link.txt'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return root
}

async function aWebHost(options: { root?: string; port?: number; pingMs?: number } = {}) {
  const host = aHost()
  const { handlers, report } = host
  const web = await startWebHost({ root: aWindow(), contract: probe, handlers, report, ...options })
  cleanups.push(() => web.close())
  return { ...web, state: host.state, reports: host.reports }
}

type Ask = { path?: string; method?: string; headers?: Record<string, string> }

/** Send a request exactly as given, without the normalisation of fetch and URL. */
async function get({ port }: WebHost, { path = '/', method = 'GET', headers = {} }: Ask = {}) {
  const request = ask({ host: '127.0.0.1', port, path, method, headers, agent: false }).end()
  const [response] = await once(request, 'response')
  let body = ''
  for await (const chunk of response.setEncoding('utf8')) body += chunk
  return { status: response.statusCode as number, headers: response.headers as Record<string, string>, body }
}

const originOf = (web: WebHost) => `http://127.0.0.1:${web.port}`

/** Open a page's socket, with the given oddities; return its status if it is refused. */
async function enter(
  web: WebHost,
  odd: { token?: string; protocols?: string[]; path?: string; options?: ClientOptions } = {},
) {
  const { token = web.token, protocols = ['rpc.v1', `token.${token}`], path = '/rpc' } = odd
  const socket = new WebSocket(`ws://127.0.0.1:${web.port}${path}`, protocols, {
    origin: originOf(web),
    ...odd.options,
  })
  cleanups.push(() => socket.terminate())
  const { promise, resolve } = Promise.withResolvers<WebSocket | number>()
  socket.on('open', () => resolve(socket))
  socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
  socket.on('error', () => {})
  return promise
}

async function aPage(web: WebHost, options?: ClientOptions) {
  const socket = (await enter(web, options && { options })) as WebSocket
  return { socket, client: connectClient(probe, overSocket(socket)) }
}

test('the window is served with a policy that lets it load nothing but itself', async () => {
  const web = await aWebHost()
  const { status, headers, body } = await get(web)
  expect([status, body]).toEqual([200, '<!doctype html><title>Talaria</title>'])
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': CSP,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })
  expect(CSP).toMatchInlineSnapshot(
    `"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"`,
  )
})

test('files that are named by their content are kept for ever, others are asked for again', async () => {
  const web = await aWebHost()
  const [script, icon] = [
    await get(web, { path: '/assets/index-B3xk9_Qz.js' }),
    await get(web, { path: '/icon.svg?v=1' }),
  ]
  expect([script, icon].map(({ headers }) => [headers['content-type'], headers['cache-control']])).toEqual([
    ['text/javascript; charset=utf-8', 'private, max-age=31536000, immutable'],
    ['image/svg+xml', 'no-cache'],
  ])
})

test('HEAD tells the size and sends nothing', async () => {
  const { status, headers, body } = await get(await aWebHost(), { method: 'HEAD' })
  expect([status, headers['content-length'], body]).toEqual([200, '37', ''])
})

test.each([
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/%2e%2e%2fsecret.txt',
  '/assets/../../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/..%5csecret.txt',
  '/..\\secret.txt',
  '/%252e%252e/secret.txt',
  '/../renderer-old/secret.txt',
  '//secret.txt',
  '//../secret.txt',
  '/icon.svg%00.html',
  '/%00',
  '/%',
  '/%c0%ae%c0%ae/secret.txt',
  '/.env',
  '/%2eenv',
  '/link.txt',
  '/assets',
  '/assets/',
  '/icon.svg/x',
  '/C:/secret.txt',
  '/icon.svg::$DATA',
  `/${'x'.repeat(5_000)}`,
  '/etc/passwd',
  '/rpc',
  '/nothing.html',
])('%.40s is not found', async path => {
  const web = await aWebHost()
  const { status, headers, body } = await get(web, { path })
  expect([status, body]).toEqual([404, 'Not found.\n'])
  expect(headers['content-security-policy']).toBe(CSP)
  expect(web.reports).toEqual([])
})

test.each(['http://127.0.0.1/secret.txt', 'file:///etc/passwd', '*', 'secret.txt'])(
  'the request target %s leads nowhere',
  async path => {
    expect([400, 404]).toContain((await get(await aWebHost(), { path })).status)
  },
)

test('a window that was not built is explained', async () => {
  const { status, body } = await get(await aWebHost({ root: join(tmpdir(), 'there-is-no-such-folder') }))
  expect([status, body]).toEqual([404, 'The window has not been built. Run: npm run build\n'])
})

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH'])('%s is refused', async method => {
  const { status, headers } = await get(await aWebHost(), { method })
  expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
})

const foreignHosts = (port: number) => [
  'evil.example',
  `evil.example:${port}`,
  `127.0.0.1.evil.example:${port}`,
  `localhost.evil.example:${port}`,
  `127.0.0.1:${port + 1}`,
  '127.0.0.1',
  `0.0.0.0:${port}`,
  `user@127.0.0.1:${port}`,
]

test('a name elsewhere that leads to this machine gets neither the window nor the socket', async () => {
  const web = await aWebHost()
  for (const host of foreignHosts(web.port)) {
    const page = await get(web, { headers: { host } })
    const socket = await enter(web, { options: { headers: { host }, origin: `http://${host}` } })
    expect({ host, page: page.status, socket }).toEqual({ host, page: 403, socket: 403 })
  }
})

test.each(['127.0.0.1', 'localhost', '[::1]'])('the window and the socket answer under %s', async name => {
  const web = await aWebHost()
  const host = `${name}:${web.port}`
  expect((await get(web, { headers: { host } })).status).toBe(200)
  const { client } = await aPage(web, { headers: { host }, origin: `http://${host}` })
  expect(await client['echo.say']({ text: name })).toBe(name)
})

test('the address carries a code in its fragment, where no server and no log sees it, and not the token', async () => {
  const web = await aWebHost()
  const url = new URL(web.address())
  expect([url.origin, url.pathname, url.search]).toEqual([originOf(web), '/', ''])
  expect(url.hash).toMatch(/^#code=[\w-]{32}$/)
  expect(url.hash).not.toContain(web.token)
  expect(web.token).toMatch(/^[\w-]{43}$/)
  expect((await aWebHost()).token).not.toBe(web.token)
})

test('a wrong token is refused, whatever it is made of', async () => {
  const web = await aWebHost()
  const flipped = (web.token.startsWith('A') ? 'B' : 'A') + web.token.slice(1)
  for (const token of ['', 'x', flipped, `${web.token}x`, web.token.slice(1), web.token.toLowerCase()])
    expect([token, await enter(web, { protocols: ['rpc.v1', `token.${token || '-'}`] })]).toEqual([
      token,
      403,
    ])
  expect(await enter(web, { protocols: ['rpc.v1'] })).toBe(403)
  expect(await enter(web, { protocols: [`token.${web.token}`] })).toBe(400)
})

test('a token of the right length with other letters than a token has is refused and harms nobody', async () => {
  const web = await aWebHost()
  const answer = await upgrade(web, {
    'Sec-WebSocket-Protocol': `rpc.v1, token.${'é'.repeat(web.token.length)}`,
  })
  expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  expect((await get(web)).status).toBe(200)
})

test('a page from elsewhere, or one that does not say where it is from, is refused', async () => {
  const web = await aWebHost()
  const foreign = [
    'http://evil.example',
    'null',
    `https://127.0.0.1:${web.port}`,
    `http://localhost:${web.port}`,
    `${originOf(web)}/`,
  ]
  for (const origin of foreign)
    expect([origin, await enter(web, { options: { origin } })]).toEqual([origin, 403])
  expect(await upgrade(web, { Origin: '' })).toMatch(/^HTTP\/1\.1 403 /)
  expect(await upgrade(web, { Host: '', Origin: 'http://' })).toMatch(/^HTTP\/1\.1 403 /)
  expect(await upgrade(web, { Origin: undefined })).toMatch(/^HTTP\/1\.1 403 /)
})

test('the socket is at /rpc and nowhere else', async () => {
  const web = await aWebHost()
  for (const path of ['/', '/rpc/', '/rpc?token=1', '//rpc', '/RPC'])
    expect(await enter(web, { path })).toBe(404)
})

test('an upgrade to something else than a web socket is refused', async () => {
  expect(await upgrade(await aWebHost(), { Upgrade: 'h2c' })).toMatch(/^HTTP\/1\.1 4\d\d /)
})

test('a page that sends more than 16 MiB is dropped, and only that one', async () => {
  const web = await aWebHost()
  const [bad, good] = [await aPage(web), await aPage(web)]
  bad.socket.send('x'.repeat((16 << 20) + 1))
  const [code] = await once(bad.socket, 'close')
  expect([code, web.reports]).toEqual([1009, [expect.any(RangeError)]])
  expect(await good.client['echo.say']({ text: 'a' })).toBe('a')
})

test('our own client refuses such a message itself and stays connected', async () => {
  const { client } = await aPage(await aWebHost())
  const tooLong = client['echo.say']({ text: 'x'.repeat(16 << 20) })
  await expect(tooLong).rejects.toMatchObject({ name: 'Fault', code: 'bad_input' })
  expect(await client['echo.say']({ text: 'a' })).toBe('a')
})

test.each([
  ['binary', Buffer.from('{"t":"call","id":99,"name":"echo.say","input":{"text":"a"}}')],
  ['not JSON', 'hello'],
  ['empty', ''],
  ['no request', '{"t":"call"}'],
])('a message that is %s is dropped and reported, and the page can go on', async (_what, message) => {
  const web = await aWebHost()
  const { socket, client } = await aPage(web)
  socket.send(message)
  expect(await client['echo.say']({ text: 'a' })).toBe('a')
  expect(web.reports).toEqual([expect.any(Error)])
})

test('bytes that are no frame end that connection and nothing else', async () => {
  const web = await aWebHost()
  const { socket } = await aPage(web)
  const raw = (socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket
  raw.write(Buffer.from([0xff, 0xff, 0xff, 0xff]))
  await once(socket, 'close')
  expect((await get(web)).status).toBe(200)
})

test('a page that vanished without a word is noticed, and its work stops', async () => {
  const web = await aWebHost({ pingMs: 20 })
  const { socket, client } = await aPage(web, { autoPong: false })
  await expect(client['wait.on']({})).rejects.toMatchObject({ name: 'Fault', code: 'disconnected' })
  await expect.poll(() => web.state).toEqual({ begun: 1, working: 0 })
  expect(socket.readyState).toBe(socket.CLOSED)
})

test('a page that answers pings is kept', async () => {
  const web = await aWebHost({ pingMs: 10 })
  const { socket, client } = await aPage(web)
  for (let pings = 0; pings < 5; pings++) await once(socket, 'ping')
  expect(await client['echo.say']({ text: 'a' })).toBe('a')
})

test('a page that asks and never reads is dropped before its answers fill the memory', async () => {
  const web = await aWebHost()
  const { socket } = await aPage(web)
  const closed = once(socket, 'close')
  socket.pause()
  const text = 'x'.repeat(1_000_000)
  for (let id = 1; id <= 10; id++)
    socket.send(JSON.stringify({ t: 'call', id, name: 'echo.say', input: { text, times: 9 } }))
  await expect
    .poll(() => web.reports)
    .toEqual([expect.objectContaining({ message: expect.stringContaining('read') })])
  socket.resume()
  await closed
})

test('closing stops all work, tells every page, and frees the port', async () => {
  const web = await aWebHost()
  const { socket, client } = await aPage(web)
  const lost = client['wait.on']({})
  const closed = once(socket, 'close')
  await expect.poll(() => web.state.working).toBe(1)
  await Promise.all([web.close(), web.close()])
  await expect(lost).rejects.toMatchObject({ code: 'disconnected' })
  expect((await closed)[0]).toBe(1001)
  await expect.poll(() => web.state.working).toBe(0)
  expect((await aWebHost({ port: web.port })).port).toBe(web.port)
})

test('closing does not wait for a page that does not answer', async () => {
  const web = await aWebHost()
  const { socket } = await aPage(web)
  socket.pause()
  // The test's time limit proves that this does not wait.
  await web.close()
  expect((await aWebHost({ port: web.port })).port).toBe(web.port)
})

test('a port that is taken is told in words', async () => {
  const { port } = await aWebHost()
  await expect(aWebHost({ port })).rejects.toMatchObject({
    name: 'Fault',
    code: 'busy',
    message: `Port ${port} is in use by another program. Choose another one.`,
  })
})

/** Send an upgrade exactly as given, header by header; return the head of the reply. */
async function upgrade(web: WebHost, odd: Record<string, string | undefined>) {
  const headers = {
    Host: `127.0.0.1:${web.port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    Origin: originOf(web),
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol': `rpc.v1, token.${web.token}`,
    ...odd,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  )
  const socket = dial(web.port, '127.0.0.1')
  cleanups.push(() => socket.destroy())
  socket.write(Buffer.from(`GET /rpc HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`))
  const [head] = await once(socket, 'data')
  return String(head)
}
