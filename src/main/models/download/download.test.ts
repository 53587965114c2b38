import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { OfflineError } from '../../lib/network/offline.ts'
import {
  aFolder,
  aServer,
  downloaded,
  model,
  open,
  otherModel,
  reached,
} from '../../../../testing/models/downloads.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const half = Math.floor(model.length / 2)
const here = (home: { folder: string }, name = 'm.gguf') => readFileSync(join(home.folder, name))

test('a downloaded file is unchanged and becomes a model', async () => {
  const server = await aServer()
  const home = open()
  const done = await downloaded(home, `${server.origin}/m.gguf`)
  expect(done).toMatchObject({
    kind: 'download',
    name: 'm.gguf',
    from: `${server.origin}/m.gguf`,
    state: 'done',
    doneBytes: model.length,
    totalBytes: model.length,
    error: '',
    fix: '',
    verified: false,
    endedAt: expect.any(Number),
    modelId: `file:${join(home.folder, 'm.gguf')}`,
  })
  expect(here(home).equals(model)).toBe(true)
  expect(home.names()).toEqual(['m.gguf'])
  expect([home.subjects, home.waits, home.reports]).toEqual([['download: m.gguf'], [], []])
})

test('after each broken connection only the missing bytes are requested', async () => {
  const server = await aServer()
  const third = Math.floor(model.length / 3)
  const cut = { holdAfter: third, cutAfter: third }
  server.replies.set('/m.gguf', [cut, cut])
  const home = open()
  const { id } = await home.download({ address: `${server.origin}/m.gguf` })
  for (const here of [third, third * 2]) {
    await expect.poll(() => home.list()[0]?.doneBytes, { interval: 5 }).toBe(here)
    server.release()
  }
  expect(await reached(home, id, 'done', 'failed')).toMatchObject({ state: 'done', error: '' })
  expect(here(home).equals(model)).toBe(true)
  const tag = `"${model.length}"`
  expect(server.requests).toMatchObject([
    { range: undefined, ifRange: undefined },
    { range: `bytes=${third}-`, ifRange: tag },
    { range: `bytes=${third * 2}-`, ifRange: tag, sentBytes: model.length - third * 2 },
  ])
  expect(home.waits).toEqual([1_000, 1_000])
})

test('a server that cannot be reached is told at once, with the time of the next attempt, which can be hurried', async () => {
  const server = await aServer()
  server.replies.set('/m.gguf', [{ status: 503 }])
  const home = open(aFolder(), { wait: (_ms, signal) => sleep(3_600_000, undefined, { signal }) })
  const { id } = await home.download({ address: `${server.origin}/m.gguf` })
  await expect.poll(() => home.list()[0]?.retryAt, { interval: 5 }).toBeTypeOf('number')
  const { state, note, retryAt } = home.list()[0]!
  expect([state, note]).toEqual(['running', expect.stringContaining('has an internal problem')])
  expect(retryAt).toBeGreaterThan(Date.now() - 60_000)
  await home.resume(id)
  expect(await reached(home, id, 'done', 'failed')).toMatchObject({ state: 'done', note: '', retryAt: null })
})

test('a server without range requests is asked for the whole file again, with a note', async () => {
  const server = await aServer()
  server.replies.set('/m.gguf', [{ cutAfter: half }, { ignoreRange: true, holdAfter: half }])
  const home = open()
  const { id } = await home.download({ address: `${server.origin}/m.gguf` })
  await expect.poll(() => home.list()[0]?.note, { interval: 5 }).toContain('cannot continue')
  server.release()
  expect(await reached(home, id, 'done', 'failed')).toMatchObject({ state: 'done', note: '' })
  expect(here(home).equals(model)).toBe(true)
})

test.each([
  ['which sends the new one at once', [{ holdAfter: half }], 2],
  ['which sends the rest of the new one', [{ ignoreIfRange: true }, { holdAfter: half }], 3],
])('a file that changes on the server is downloaded from the start, %s', async (_how, replies, requests) => {
  const server = await aServer()
  server.put('/m.gguf', model, '"one"')
  server.replies.set('/m.gguf', [{ holdAfter: half }, ...replies])
  const home = open()
  const { id } = await home.download({ address: `${server.origin}/m.gguf` })
  await expect.poll(() => home.list()[0]?.doneBytes, { interval: 5 }).toBe(half)
  await home.pause(id)
  server.put('/m.gguf', otherModel, '"two"')
  await home.resume(id)
  const now = () => [server.requests.length, home.list()[0]?.doneBytes, home.list()[0]?.note]
  await expect
    .poll(now, { interval: 5 })
    .toEqual([requests, half, 'The file changed on the server, so the download started again.'])
  server.release()
  expect(await reached(home, id, 'done', 'failed')).toMatchObject({ state: 'done', note: '' })
  expect(here(home).equals(otherModel)).toBe(true)
})

test('a server that always ends too early is given up, and the received part is kept', async () => {
  const server = await aServer()
  const cut = { cutAfter: half, ignoreRange: true }
  server.replies.set(
    '/m.gguf',
    Array.from({ length: 20 }, () => cut),
  )
  const home = open()
  const failed = await downloaded(home, `${server.origin}/m.gguf`)
  expect(failed).toMatchObject({ state: 'failed', totalBytes: model.length, endedAt: expect.any(Number) })
  expect(failed.error).toMatch(/^The connection to 127\.0\.0\.1:\d+ broke\.$/)
  expect(failed.fix).toContain('resume')
  expect(home.waits.slice(-7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000])
  server.replies.clear()
  await home.resume(failed.id)
  expect(await reached(home, failed.id, 'done', 'failed')).toMatchObject({ state: 'done', error: '' })
  expect(here(home).equals(model)).toBe(true)
})

test('if a server announces only part of the file, the header of the file says that it goes on', async () => {
  const server = await aServer()
  server.replies.set('/m.gguf', [{ length: half, endAfter: half }])
  const home = open()
  expect(await downloaded(home, `${server.origin}/m.gguf`)).toMatchObject({ state: 'done' })
  expect(server.requests[1]).toMatchObject({ range: `bytes=${half}-` })
  expect(here(home).equals(model)).toBe(true)
})

test('a file shorter than announced is judged by its content', async () => {
  const server = await aServer()
  server.replies.set('/m.gguf', [{ length: model.length + 1_000, cutAfter: model.length }])
  const home = open()
  expect(await downloaded(home, `${server.origin}/m.gguf`)).toMatchObject({
    state: 'done',
    totalBytes: model.length,
  })
  expect(here(home).equals(model)).toBe(true)
})

test('a response without a length is accepted if the file is complete', async () => {
  const server = await aServer()
  server.replies.set('/m.gguf', [{ length: false }])
  const home = open()
  expect(await downloaded(home, `${server.origin}/m.gguf`)).toMatchObject({ state: 'done' })
  expect(here(home).equals(model)).toBe(true)
})

test.each([
  [404, 'has no file at this address', 'Check the address'],
  [410, 'has no file at this address', 'Check the address'],
  [401, 'requires permission for this file (error 401)', 'browser'],
  [403, 'requires permission for this file (error 403)', 'browser'],
  [418, 'did not send the file (error 418)', 'Check the address'],
])('status %d fails at once, without a retry', async (status, error, fix) => {
  const server = await aServer()
  server.replies.set('/m.gguf', [{ status }])
  const home = open()
  expect(await downloaded(home, `${server.origin}/m.gguf`)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining(error),
    fix: expect.stringContaining(fix),
  })
  expect([server.requests.length, home.waits]).toEqual([1, []])
})

test('a retry waits as long as a busy server asks for', async () => {
  const server = await aServer()
  const until = new Date(1_000_000_000_000 + 9_000).toUTCString()
  server.replies.set('/m.gguf', [
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 503, headers: { 'retry-after': until } },
    { status: 429 },
    { status: 500 },
  ])
  const home = open(aFolder(), { now: () => 1_000_000_000_000 })
  expect(await downloaded(home, `${server.origin}/m.gguf`)).toMatchObject({ state: 'done', error: '' })
  expect(home.waits).toEqual([7_000, 9_000, 8_000, 16_000])
})

test('a very long requested wait fails the download until the user resumes it', async () => {
  const server = await aServer()
  server.replies.set('/m.gguf', [{ cutAfter: half }, { status: 429, headers: { 'retry-after': '7200' } }])
  const home = open()
  const failed = await downloaded(home, `${server.origin}/m.gguf`)
  expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('asks to wait 2 hours') })
  expect(failed.doneBytes).toBeGreaterThan(0)
})

test('a connection without data is replaced by a new one', async () => {
  const server = await aServer()
  server.replies.set('/m.gguf', [{ holdAfter: half }])
  const home = open(aFolder(), { stallMs: 150 })
  expect(await downloaded(home, `${server.origin}/m.gguf`)).toMatchObject({ state: 'done' })
  expect(server.requests[1]!.range).toMatch(/^bytes=[1-9]/)
  expect(here(home).equals(model)).toBe(true)
})

test('a server that is not running is reported as such', async () => {
  const server = await aServer()
  await server.close()
  const failed = await downloaded(open(), `${server.origin}/m.gguf`)
  expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('refuses connections') })
})

test('a given checksum is verified', async () => {
  const server = await aServer()
  const good = open()
  expect(await downloaded(good, `${server.origin}/m.gguf`, sha256(model).toUpperCase())).toMatchObject({
    state: 'done',
    verified: true,
  })
  const bad = open()
  expect(await downloaded(bad, `${server.origin}/m.gguf`, sha256(otherModel))).toMatchObject({
    state: 'failed',
    verified: false,
    doneBytes: model.length,
    error: expect.stringContaining('does not match its checksum'),
    fix: expect.stringContaining('kept but not used'),
  })
  expect(bad.names()).toEqual(['m.gguf.part'])
  // With the right checksum the bytes on disk become a model, without another request.
  const before = server.requests.length
  expect(await downloaded(bad, `${server.origin}/m.gguf`, sha256(model))).toMatchObject({
    state: 'done',
    verified: true,
  })
  expect(server.requests.length).toBe(before)
})

test('a checksum announced by the hub is verified', async () => {
  const server = await aServer()
  const hub = (bytes: Buffer) => ({
    status: 302,
    headers: {
      location: '/m.gguf?signed=1',
      'x-linked-etag': `"${sha256(bytes)}"`,
      'x-linked-size': String(bytes.length),
    },
  })
  server.replies.set('/hub/m.gguf', [hub(model)])
  expect(await downloaded(open(), `${server.origin}/hub/m.gguf`)).toMatchObject({
    state: 'done',
    verified: true,
  })
  server.replies.set('/hub/m.gguf', [hub(otherModel)])
  const bad = open()
  expect(await downloaded(bad, `${server.origin}/hub/m.gguf`)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('does not match its checksum'),
  })
  expect(bad.names()).toEqual(['m.gguf.part'])
  server.replies.set('/hub/m.gguf', [hub(model)])
  expect(await downloaded(open(), `${server.origin}/hub/m.gguf`, sha256(otherModel))).toMatchObject({
    state: 'failed',
    error: 'The server has a different file at this address.',
  })
})

test('a download continues from another mirror of the same file', async () => {
  const server = await aServer()
  const hub = {
    status: 302,
    headers: {
      location: '/m.gguf?copy',
      'x-linked-etag': sha256(model),
      'x-linked-size': String(model.length),
    },
  }
  server.replies.set('/hub/m.gguf', [hub, { ...hub, headers: { ...hub.headers, location: '/copy.gguf' } }])
  server.replies.set('/m.gguf?copy', [{ cutAfter: half }])
  server.put('/copy.gguf', model, '"tag of another machine"')
  const home = open()
  expect(await downloaded(home, `${server.origin}/hub/m.gguf`)).toMatchObject({
    state: 'done',
    verified: true,
  })
  expect(server.requests.at(-1)).toMatchObject({
    path: '/copy.gguf',
    range: expect.stringMatching(/^bytes=[1-9]/),
  })
  expect(here(home).equals(model)).toBe(true)
})

test('circular redirects are given up', async () => {
  const server = await aServer()
  const circle = { status: 302, headers: { location: '/a.gguf' } }
  server.replies.set(
    '/a.gguf',
    Array.from({ length: 9 }, () => circle),
  )
  expect(await downloaded(open(), `${server.origin}/a.gguf`)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('from one address to the next'),
  })
})

test.each([
  ['a web page', { 'content-type': 'text/html; charset=utf-8' }, '<!doctype html>', 'sent a web page'],
  ['something else', { 'content-type': 'application/zip' }, 'PK\u0003\u0004', 'is not a GGUF model file'],
  ['nothing', {}, '', 'is not a GGUF model file'],
])('%s instead of a model is detected from its first bytes', async (_what, headers, body, error) => {
  const server = await aServer()
  server.replies.set('/m.gguf', [{ headers, body }])
  const home = open()
  expect(await downloaded(home, `${server.origin}/m.gguf`)).toMatchObject({
    state: 'failed',
    doneBytes: 0,
    error: expect.stringContaining(error),
  })
})

test('a file that does not fit the disk with a margin is not downloaded', async () => {
  const server = await aServer()
  let free = Math.floor(model.length * 1.05)
  const home = open(aFolder(), { freeBytes: async () => free })
  const failed = await downloaded(home, `${server.origin}/m.gguf`)
  expect(failed).toMatchObject({
    state: 'failed',
    doneBytes: 0,
    fix: expect.stringContaining('Free some space'),
  })
  expect(failed.error).toMatch(
    /^m\.gguf needs [\d.]+ MB of disk space, with a margin, but only [\d.]+ MB are free\.$/,
  )
  expect(home.names()).toEqual([])
  free = Math.ceil(model.length * 1.11)
  await home.resume(failed.id)
  expect(await reached(home, failed.id, 'done', 'failed')).toMatchObject({ state: 'done' })
})

test('the space that other downloads still need does not count as free', async () => {
  const server = await aServer()
  server.put('/n.gguf', model)
  server.replies.set('/m.gguf', [{ holdAfter: 1_000 }])
  const home = open(aFolder(), { freeBytes: async () => model.length * 1.5 })
  const first = await home.download({ address: `${server.origin}/m.gguf` })
  await expect.poll(() => home.list()[0]?.doneBytes, { interval: 5 }).toBe(1_000)
  expect(await downloaded(home, `${server.origin}/n.gguf`)).toMatchObject({ state: 'failed', doneBytes: 0 })
  server.release()
  expect(await reached(home, first.id, 'done', 'failed')).toMatchObject({ state: 'done' })
})

test('the offline lock stops a download, before and during it', async () => {
  const closed = open(aFolder(), {
    fetchFor: () => () => Promise.reject(new OfflineError('models.example')),
  })
  expect(await downloaded(closed, 'https://models.example/m.gguf')).toMatchObject({
    state: 'failed',
    error: 'The offline lock is on, so nothing was sent to models.example.',
    fix: expect.stringContaining('Settings'),
  })
  let locked = false
  let cancelled = false
  const open1 = open(aFolder(), {
    locked: () => locked,
    fetchFor: () => async () =>
      new Response(
        new ReadableStream(
          {
            pull(controller) {
              controller.enqueue(locked ? model.subarray(half) : model.subarray(0, half))
              locked = true
            },
            cancel: () => void (cancelled = true),
          },
          { highWaterMark: 0 },
        ),
        { headers: { 'content-length': String(model.length * 3) } },
      ),
  })
  const stopped = await downloaded(open1, 'https://models.example/m.gguf')
  expect(stopped).toMatchObject({ state: 'failed', error: expect.stringContaining('offline lock') })
  expect(cancelled).toBe(true)
  expect(existsSync(join(open1.folder, 'm.gguf'))).toBe(false)
})
