import { once } from 'node:events'
import { request as ask, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { aHost, probe } from '../../../testing/host/probe-host.ts'
import { knowsCode, knowsToken, type AskingPage } from '../../renderer/rpc/known-host.ts'
import { startWebHost, type WebHost } from './web-host.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function aWebHost(options: { port?: number; formerPorts?: number[]; token?: string } = {}) {
  const { handlers, report, reports } = aHost()
  const web = await startWebHost({ root: tmpdir(), contract: probe, handlers, report, ...options })
  cleanups.push(() => web.close())
  return { ...web, reports }
}

/** A page at one port whose questions go to another, as if a program relayed them. */
function aPage(port: number, answering = port): AskingPage {
  return {
    origin: `http://127.0.0.1:${port}`,
    port: String(port),
    async fetch(url, { body }) {
      const headers = { origin: `http://127.0.0.1:${answering}` }
      const { status, text } = await post(answering, new URL(url).pathname, body as string, headers)
      return new Response(text, { status: status ?? 500 })
    },
  }
}

async function post(port: number, path: string, body: string, headers: Record<string, string> = {}) {
  const request = ask({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false })
  request.on('error', () => {})
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode, text }
}

const codeOf = (web: WebHost) => new URL(web.address()).hash.slice('#code='.length)
const A_TOKEN = 'a'.repeat(43)

test('a host proves that it knows the token of a page, and another one cannot', async () => {
  const [web, other] = [await aWebHost({ token: A_TOKEN }), await aWebHost()]
  expect(await knowsToken(A_TOKEN, aPage(web.port))).toBe(true)
  expect(await knowsToken(A_TOKEN, aPage(other.port))).toBe(false)
  expect(await knowsToken('', aPage(web.port))).toBe(false)
})

test('a proof holds for the port at which it was asked for, so that nobody can pass it on', async () => {
  const web = await aWebHost({ token: A_TOKEN })
  const between = await aWebHost()
  expect(await knowsToken(A_TOKEN, aPage(between.port, web.port))).toBe(false)
  expect(await knowsCode(codeOf(web), aPage(between.port, web.port))).toBe(false)
})

test('a host proves that it made a code, until the code was spent, and does not spend it', async () => {
  const [web, other] = [await aWebHost(), await aWebHost()]
  const code = codeOf(web)
  expect(await knowsCode(code, aPage(other.port))).toBe(false)
  expect(await knowsCode(code, aPage(web.port))).toBe(true)
  expect(await knowsCode(code, aPage(web.port))).toBe(true)
  const origin = `http://127.0.0.1:${web.port}`
  expect((await post(web.port, '/enter', code, { origin })).text).toBe(web.token)
  expect(await knowsCode(code, aPage(web.port))).toBe(false)
})

test('when nothing answers, that is no proof against the host', async () => {
  const page: AskingPage = { ...aPage(1), fetch: () => Promise.reject(new TypeError('network')) }
  await expect(knowsToken(A_TOKEN, page)).rejects.toMatchObject({ code: 'disconnected' })
  await expect(knowsCode('code', page)).rejects.toMatchObject({ code: 'disconnected' })
})

test.each([
  ['nothing', '', 400],
  ['a short text', 'abc', 400],
  ['other signs', 'é'.repeat(20), 400],
  ['a text with a port of its own', `${'a'.repeat(20)}:4000`, 400],
  ['a code', `${'a'.repeat(22)}.${'b'.repeat(20)}`, 400],
  ['a long text', 'a'.repeat(10_000), 413],
])('%s is no question', async (_what, body, status) => {
  const web = await aWebHost()
  const origin = `http://127.0.0.1:${web.port}`
  expect((await post(web.port, '/known', body, { origin })).status).toBe(status)
  expect(web.reports).toEqual([])
})

test('pages from elsewhere get no proof', async () => {
  const web = await aWebHost()
  for (const headers of [{}, { origin: 'http://evil.example' }, { origin: `http://127.0.0.1:1` }])
    expect((await post(web.port, '/known', 'a'.repeat(22), headers as Record<string, string>)).status).toBe(
      403,
    )
})

test('pages that were opened at ports of earlier launches are let in there, and ports that others have are left', async () => {
  const first = await aWebHost({ token: A_TOKEN })
  await first.close()
  const taken = await aWebHost()
  const web = await aWebHost({ token: A_TOKEN, formerPorts: [first.port, taken.port] })
  expect(web.port).not.toBe(first.port)
  expect(await knowsToken(A_TOKEN, aPage(first.port))).toBe(true)
  expect(await knowsToken(A_TOKEN, aPage(taken.port))).toBe(false)
  const protocols = ['rpc.v1', `token.${A_TOKEN}`]
  const origin = `http://127.0.0.1:${first.port}`
  const socket = new WebSocket(`ws://127.0.0.1:${first.port}/rpc`, protocols, { origin })
  await once(socket, 'open')
  const closed = once(socket, 'close')
  await web.close()
  await closed
  expect((await aWebHost({ port: first.port })).port).toBe(first.port)
})

test('an answer that breaks off is no answer, so that a page asks again and keeps its code', async () => {
  const broken = new ReadableStream({ start: body => body.error(new TypeError('network error')) })
  const page: AskingPage = {
    origin: 'http://127.0.0.1:1',
    port: '1',
    fetch: () => Promise.resolve(new Response(broken)),
  }
  const fault = { code: 'disconnected', message: 'Talaria is not responding.' }
  await expect(knowsToken(A_TOKEN, page)).rejects.toMatchObject(fault)
  await expect(knowsCode('a-code', page)).rejects.toMatchObject(fault)
})
