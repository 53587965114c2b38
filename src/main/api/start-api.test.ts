import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { API_KEY, apiAlone, someUsage } from '../../../testing/host/api-alone.ts'
import { rawConnection, rawRequest, readAnswer, sendRaw } from '../../../testing/host/an-api.ts'
import { until } from '../../../testing/until.ts'
import type { ApiParts } from './start-api.ts'

// The server alone, with a model that keeps writing and limits short enough for a test.

let close: (() => Promise<void>) | undefined
afterEach(async () => {
  await close?.()
  close = undefined
})

async function aServer(given: Partial<ApiParts> & { pieces?: number; piece?: string } = {}) {
  const { pieces = 1, piece = 'word ', ...more } = given
  const server = await apiAlone({
    ...more,
    *write() {
      for (let n = 0; n < pieces; n += 1) yield { type: 'text', text: piece }
      yield { type: 'done', stop: 'end', usage: someUsage }
    },
  })
  close = server.close
  return server
}

const chat = (more: object = {}) =>
  JSON.stringify({ model: 'A', messages: [{ role: 'user', content: 'Hi' }], ...more })
const post = (port: number, body: string, lines: string[] = []) =>
  rawRequest(port, { key: API_KEY, method: 'POST', path: '/v1/chat/completions', body, lines })
const ENDLESS = 1e9

test('half a body and then silence is refused in time, and holds nothing', async () => {
  const { port, errors, now } = await aServer({ limits: { bodyMs: 300 } })
  const whole = post(port, chat())
  const { status, body } = await sendRaw(port, whole.slice(0, -10))
  expect(status).toBe(408)
  expect(JSON.parse(body)).toMatchObject({ error: { code: 'too_slow' } })
  expect([errors, now.asked]).toEqual([[], 0])
})

test('half a body and then a closed connection is no error of ours', async () => {
  const { port, errors, now } = await aServer()
  const connection = await rawConnection(port)
  connection.write(post(port, chat()).slice(0, -10))
  await sleep(20)
  connection.close()
  expect((await sendRaw(port, post(port, chat(), ['Connection: close']))).status).toBe(200)
  expect([errors, now.asked]).toEqual([[], 1])
})

test('a head that comes letter by letter is cut in time, however many send one', async () => {
  const { port } = await aServer({ limits: { headMs: 300 } })
  const slow = await Promise.all(Array.from({ length: 50 }, () => rawConnection(port)))
  const drip = setInterval(() => {
    for (const each of slow) each.write('X')
  }, 20)
  for (const each of slow) each.write(`GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-`)
  // Other requests are answered in the meantime.
  const models = rawRequest(port, { key: API_KEY, lines: ['Connection: close'] })
  expect((await sendRaw(port, models)).status).toBe(200)
  await Promise.all(slow.map(each => each.closed))
  clearInterval(drip)
  expect(slow.map(each => readAnswer(each.text()).status)).toEqual(slow.map(() => 408))
})

test('a program that stops reading is left, and its place goes to others', async () => {
  const { port, now, errors } = await aServer({
    pieces: ENDLESS,
    piece: 'x'.repeat(1_000_000),
    limits: { stuckMs: 300 },
  })
  const connection = await rawConnection(port)
  connection.socket.pause()
  connection.write(post(port, chat({ stream: true })))
  await until(() => now.asked === 1)
  await until(() => now.writing === 0)
  expect([now.stopped, errors]).toEqual([1, []])
  connection.close()
})

test('a program that leaves stops its model, whether it streams, waits for the whole or stands in line', async () => {
  const { port, now, errors } = await aServer({ pieces: ENDLESS })
  for (const body of [chat({ stream: true }), chat()]) {
    const connection = await rawConnection(port)
    connection.write(post(port, body))
    await until(() => now.writing === 1)
    connection.close()
    await until(() => now.writing === 0)
  }
  // Four are answered at the same time; the fifth waits.
  const all = await Promise.all(Array.from({ length: 5 }, () => rawConnection(port)))
  for (const each of all) each.write(post(port, chat({ stream: true })))
  await until(() => now.writing === 4)
  for (const each of all) each.close()
  await until(() => now.writing === 0)
  expect([now.stopped, errors]).toEqual([now.asked, []])
  // Every place is free again.
  const last = await Promise.all(Array.from({ length: 4 }, () => rawConnection(port)))
  for (const each of last) each.write(post(port, chat({ stream: true })))
  await until(() => now.writing === 4)
  for (const each of last) each.close()
})

test('a request that does not wait for its turn is refused behind the answer before it', async () => {
  const { port, now } = await aServer({ pieces: 3 })
  const { status, body } = await sendRaw(port, post(port, chat()) + rawRequest(port, { key: API_KEY }))
  expect([status, now.asked]).toEqual([200, 1])
  expect(body).toMatch(/"chat\.completion"[^]*HTTP\/1\.1 400 [^]*in_a_row/)
})

test('a thousand requests in a row are cut, and others are answered', async () => {
  const { port, now, errors } = await aServer({ pieces: ENDLESS })
  const connection = await rawConnection(port)
  connection.write(post(port, chat()).repeat(1_000))
  await connection.closed
  await until(() => now.writing === 0)
  expect([now.asked, now.stopped, errors]).toEqual([now.stopped, now.asked, []])
  expect(now.asked).toBeLessThan(2)
  const models = rawRequest(port, { key: API_KEY, lines: ['Connection: close'] })
  expect((await sendRaw(port, models)).status).toBe(200)
})

test('500 connections at once: some are answered, the rest is told to come later or cut, and it is over soon', async () => {
  const { port, now, errors } = await aServer()
  const answers = await Promise.all(
    Array.from({ length: 500 }, () => sendRaw(port, post(port, chat(), ['Connection: close']))),
  )
  const statuses = new Set(answers.map(({ status }) => status))
  expect([...statuses].filter(each => ![0, 200, 429].includes(each))).toEqual([])
  expect(statuses).toContain(200)
  expect([now.asked, errors]).toEqual([answers.filter(({ status }) => status === 200).length, []])
})

test('long bodies are not all kept: the rest is told to come later, and then comes', async () => {
  const { port, errors, now } = await aServer({ pieces: ENDLESS, limits: { bytesInHand: 5 << 20 } })
  const long = chat({ stream: true, pad: 'x'.repeat(2 << 20) })
  const first = await Promise.all([rawConnection(port), rawConnection(port)])
  for (const each of first) each.write(post(port, long))
  await until(() => now.writing === 2)
  const third = await sendRaw(port, post(port, long))
  expect([third.status, third.body]).toEqual([429, expect.stringContaining('Try again')])
  for (const each of first) each.close()
  await until(() => now.writing === 0)
  const again = await rawConnection(port)
  again.write(post(port, long))
  await until(() => now.writing === 1)
  again.close()
  expect(errors).toEqual([])
})

test('a program that asks first sends its body only once it is let in', async () => {
  const { port } = await aServer()
  const lines = ['Expect: 100-continue', 'Connection: close']
  const head = (key: string, length: number) =>
    rawRequest(port, {
      key,
      method: 'POST',
      path: '/v1/chat/completions',
      lines: [`Content-Length: ${length}`, ...lines],
    })
  expect((await sendRaw(port, head('wrong', 1_000))).status).toBe(401)
  expect((await sendRaw(port, head(API_KEY, 60 << 20))).status).toBe(413)
  using connection = await rawConnection(port)
  connection.write(head(API_KEY, chat().length))
  await until(() => connection.text().startsWith('HTTP/1.1 100 Continue'))
  connection.write(chat())
  await connection.closed
  expect(connection.text()).toContain('HTTP/1.1 200 OK')
})

test('pages of the list may ask, with the headers of their library; any other page may not', async () => {
  const page = 'https://chat.example'
  const { port } = await aServer({ origins: () => [page] })
  const ask = (origin: string, method: string, lines: string[] = [], key = '') =>
    sendRaw(
      port,
      rawRequest(port, {
        key,
        method,
        path: '/v1/models',
        lines: [`Origin: ${origin}`, 'Connection: close', ...lines],
      }),
    )
  const asks = ['Access-Control-Request-Headers: authorization, x-stainless-lang']
  const before = await ask(page, 'OPTIONS', asks)
  expect([before.status, before.head]).toEqual([
    204,
    expect.stringContaining(`access-control-allow-origin: ${page}`),
  ])
  expect(before.head).toContain('x-stainless-lang')
  expect((await ask(page, 'GET')).status).toBe(401)
  expect((await ask(page, 'GET', [], API_KEY)).head).toContain(`access-control-allow-origin: ${page}`)
  const other = await ask('https://evil.example', 'OPTIONS', asks)
  expect([other.status, other.head]).toEqual([403, expect.not.stringContaining('access-control')])
})
