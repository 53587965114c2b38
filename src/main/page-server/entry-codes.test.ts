import { once } from 'node:events'
import { request as ask, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { afterEach, expect, test } from 'vitest'
import { aHost, probe } from '../../../testing/host/probe-host.ts'
import { createEntryCodes, ownerOf } from './entry-codes.ts'
import { startWebHost, type WebHost } from './web-host.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function aWebHost() {
  const { handlers, report, reports } = aHost()
  const web = await startWebHost({ root: tmpdir(), contract: probe, handlers, report })
  cleanups.push(() => web.close())
  return { ...web, reports }
}

const codeOf = (address: string) => new URL(address).hash.slice('#code='.length)

/** Exchange a code as our page does, except for the given oddities. */
async function enter(
  web: WebHost,
  code: string,
  { headers = {}, method = 'POST' }: { headers?: Record<string, string>; method?: string } = {},
) {
  const origin = `http://127.0.0.1:${web.port}`
  const request = ask({
    host: '127.0.0.1',
    port: web.port,
    path: '/enter',
    method,
    headers: { origin, ...headers },
    agent: false,
  })
  request.on('error', () => {})
  request.end(code)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode, text, headers: response.headers }
}

test('a code is exchanged for the token once', async () => {
  const web = await aWebHost()
  const code = codeOf(web.address())
  const first = await enter(web, code)
  expect([first.status, first.text, first.headers['cache-control']]).toEqual([200, web.token, 'no-store'])
  expect(await enter(web, code)).toMatchObject({
    status: 403,
    text: 'This address was used before, or is too old.\n',
  })
  expect((await enter(web, codeOf(web.address()))).text).toBe(web.token)
})

test.each([
  ['no code', ''],
  ['a wrong code', 'A'.repeat(32)],
  ['a body that is no code', 'x'.repeat(10_000)],
])('%s gets no token', async (_what, body) => {
  const web = await aWebHost()
  const { status, text } = await enter(web, body)
  expect(status).toBe(body.length > 200 ? 413 : 403)
  expect(text).not.toContain(web.token)
})

test('a page elsewhere gets no token, and the code stays valid for the page it was made for', async () => {
  const web = await aWebHost()
  const code = codeOf(web.address())
  const elsewhere: Record<string, string>[] = [
    { origin: 'http://evil.example' },
    { origin: '' },
    { host: `evil.example:${web.port}`, origin: `http://evil.example:${web.port}` },
    { origin: `http://localhost:${web.port}` },
  ]
  for (const headers of elsewhere)
    expect([headers, (await enter(web, code, { headers })).status]).toEqual([headers, 403])
  expect((await enter(web, code, { method: 'PUT' })).status).toBe(405)
  expect((await enter(web, code)).text).toBe(web.token)
  expect(web.reports).toEqual([])
})

test('a code ends with its time, and old ones make room', () => {
  let now = 0
  const codes = createEntryCodes(() => now)
  const [short, long] = [codes.make(60_000), codes.make(120_000)]
  now = 60_000
  expect([codes.spend(short), codes.spend(long)]).toEqual([false, true])
  const first = codes.make(1_000)
  const others = Array.from({ length: 50 }, () => codes.make(1_000))
  expect([codes.spend(first), ...others.map(code => codes.spend(code))]).toEqual([
    false,
    ...others.map(() => true),
  ])
})

test('the user of a connection is read from the tables of Linux', () => {
  const tables = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0',
    '   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0 20 4 30 10 -1',
    '   2: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 3 1 0 20 4 30 10 -1',
  ].join('\n')
  expect(ownerOf(tables, { remotePort: 50_000, localPort: 8_080 })).toBe(1001)
  expect(ownerOf(tables, { remotePort: 50_001, localPort: 8_080 })).toBeUndefined()
  expect(ownerOf('', {})).toBeUndefined()
})
