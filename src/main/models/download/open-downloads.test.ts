import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { until } from '../../../../testing/until.ts'
import type { Transfer } from '../../../shared/contract/models/download.ts'
import { Transfer as TransferShape } from '../../../shared/contract/models/download.ts'
import {
  aFolder,
  aServer,
  downloaded,
  model,
  open,
  otherModel,
  reached,
} from '../../../../testing/models/downloads.ts'

const half = Math.floor(model.length / 2)
const children: ChildProcess[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A download that is half complete. */
async function halfWay() {
  const server = await aServer()
  server.replies.set('/m.gguf', [{ holdAfter: half }])
  const home = open()
  const { id } = await home.download({ address: `${server.origin}/m.gguf` })
  await expect.poll(() => home.list()[0]?.doneBytes, { interval: 5 }).toBe(half)
  return { server, home, id }
}

test('a pause keeps the received part, and resuming requests only the rest', async () => {
  const { server, home, id } = await halfWay()
  expect(await home.pause(id)).toMatchObject({ state: 'paused', doneBytes: half, error: '', note: '' })
  expect(home.names()).toEqual(['m.gguf.part'])
  expect((await home.resume(id)).state).toBe('running')
  expect(await reached(home, id, 'done', 'failed')).toMatchObject({ state: 'done' })
  expect(server.requests[1]).toMatchObject({ range: `bytes=${half}-`, sentBytes: model.length - half })
  expect(readFileSync(join(home.folder, 'm.gguf')).equals(model)).toBe(true)
})

test('a restart keeps the list, and sends nothing until the user resumes', async () => {
  const { server, home, id } = await halfWay()
  await home.close()
  const again = open(home.home)
  expect(again.list()).toMatchObject([
    {
      id,
      state: 'paused',
      doneBytes: half,
      totalBytes: model.length,
      note: expect.stringContaining('Resume'),
    },
  ])
  expect(server.requests).toHaveLength(1)
  await again.resume(id)
  expect(await reached(again, id, 'done', 'failed')).toMatchObject({ state: 'done' })
  expect(server.requests[1]).toMatchObject({ range: `bytes=${half}-`, ifRange: `"${model.length}"` })
  expect(readFileSync(join(again.folder, 'm.gguf')).equals(model)).toBe(true)
  await again.close()
  expect(open(home.home).list()).toMatchObject([{ id, state: 'done', modelId: expect.any(String) }])
})

test('a process killed during a download loses only its last moments', async () => {
  const server = await aServer()
  const big = Buffer.concat([model, Buffer.alloc(64 << 20, 7)])
  server.put('/big.gguf', big)
  server.replies.set('/big.gguf', [{ holdAfter: big.length - 1_000 }])
  const home = aFolder()
  const child = fork(join(import.meta.dirname, '../../../../testing/models/download-until-killed.ts'), [
    home,
    `${server.origin}/big.gguf`,
  ])
  children.push(child)
  const saved = () => {
    const { transfers } = JSON.parse(readFileSync(join(home, 'transfers.json'), 'utf8')) as {
      transfers: (Transfer & { pieces: { safeBytes: number }[] })[]
    }
    return transfers[0]?.pieces[0]?.safeBytes ?? 0
  }
  await once(child, 'message')
  await expect.poll(saved, { interval: 20 }).toBeGreaterThan(0)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  const safe = saved()
  const again = open(home)
  const [entry] = again.list()
  expect(entry).toMatchObject({ state: 'paused', doneBytes: safe })
  await again.resume(entry!.id)
  expect(await reached(again, entry!.id, 'done', 'failed')).toMatchObject({ state: 'done' })
  expect(server.requests[1]).toMatchObject({ range: `bytes=${safe}-` })
  expect(readFileSync(join(again.folder, 'big.gguf')).equals(big)).toBe(true)
})

test('a deleted part is downloaded again', async () => {
  const { home, id } = await halfWay()
  await home.close()
  rmSync(join(home.folder, 'm.gguf.part'))
  const again = open(home.home)
  await again.resume(id)
  expect(await reached(again, id, 'done', 'failed')).toMatchObject({ state: 'done' })
  expect(readFileSync(join(again.folder, 'm.gguf')).equals(model)).toBe(true)
})

test('two downloads run at a time, and the next one starts when one ends', async () => {
  const server = await aServer()
  const home = open()
  for (const name of ['a', 'b', 'c']) {
    server.put(`/${name}.gguf`, model)
    if (name !== 'c') server.replies.set(`/${name}.gguf`, [{ holdAfter: half }])
    await home.download({ address: `${server.origin}/${name}.gguf` })
  }
  const states = () => home.list().map(each => each.state)
  await expect.poll(() => home.list().map(each => each.doneBytes), { interval: 5 }).toEqual([half, half, 0])
  expect(states()).toEqual(['running', 'running', 'waiting'])
  await home.pause(home.list()[0]!.id)
  await expect.poll(states, { interval: 5 }).toEqual(['paused', 'running', 'done'])
  server.release()
  await expect.poll(states, { interval: 5 }).toEqual(['paused', 'done', 'done'])
})

test('a waiting download can be paused and resumed', async () => {
  const { server, home } = await halfWay()
  server.replies.set('/b.gguf', [{ holdAfter: half }])
  for (const name of ['b', 'c']) server.put(`/${name}.gguf`, model)
  await home.download({ address: `${server.origin}/b.gguf` })
  const { id, state } = await home.download({ address: `${server.origin}/c.gguf` })
  expect(state).toBe('waiting')
  expect((await home.pause(id)).state).toBe('paused')
  await expect.poll(() => home.list()[1]?.doneBytes, { interval: 5 }).toBe(half)
  server.release()
  await reached(home, home.list()[0]!.id, 'done')
  expect(home.list()[2]?.state).toBe('paused')
  await home.resume(id)
  await reached(home, id, 'done')
})

test('cancelling deletes the file and the entry', async () => {
  const { home, id } = await halfWay()
  await home.cancel(id)
  expect([home.list(), home.names()]).toEqual([[], []])
  await expect(home.resume(id)).rejects.toMatchObject({ name: 'Fault', code: 'not_found' })
})

test('clearing finished downloads keeps the models and resumable downloads', async () => {
  const { server, home, id } = await halfWay()
  server.put('/n.gguf', model)
  await downloaded(home, `${server.origin}/n.gguf`)
  await downloaded(home, `${server.origin}/nothing.gguf`)
  server.replies.set('/m.gguf', [{ status: 404 }])
  await home.pause(id)
  await home.resume(id)
  expect(await reached(home, id, 'failed')).toMatchObject({ doneBytes: half })
  home.clear()
  expect(home.list().map(each => each.id)).toEqual([id])
  expect(home.names()).toEqual(['m.gguf.part', 'n.gguf'])
})

test('the same address twice is one download', async () => {
  const { server, home, id } = await halfWay()
  expect((await home.download({ address: `${server.origin}/m.gguf#here` })).id).toBe(id)
  await home.pause(id)
  expect(await home.download({ address: `${server.origin}/m.gguf` })).toMatchObject({ id, state: 'running' })
  expect(home.list()).toHaveLength(1)
})

test('any part of a split model stands for the whole', async () => {
  const server = await aServer()
  server.replies.set('/s-00001-of-00002.gguf', [{ status: 503, headers: { 'retry-after': '9999' } }])
  const home = open()
  const [one, two] = [1, 2].map(part => ({ address: `${server.origin}/s-0000${part}-of-00002.gguf` }))
  const { id } = await home.download(two!)
  expect((await home.download(one!)).id).toBe(id)
})

test('a name in use gets a number, and no file is replaced', async () => {
  const server = await aServer()
  server.put('/other/m.gguf', otherModel)
  const home = open()
  writeFileSync(join(home.folder, 'm.gguf'), 'mine')
  expect(await downloaded(home, `${server.origin}/m.gguf`)).toMatchObject({ name: 'm-2.gguf' })
  expect(await downloaded(home, `${server.origin}/other/m.gguf`)).toMatchObject({ name: 'm-3.gguf' })
  expect(readFileSync(join(home.folder, 'm.gguf'), 'utf8')).toBe('mine')
  expect(readFileSync(join(home.folder, 'm-3.gguf')).equals(otherModel)).toBe(true)
})

test('two parallel downloads of the same name get different names', async () => {
  const { server, home, id } = await halfWay()
  server.put('/other/m.gguf', otherModel)
  expect(await downloaded(home, `${server.origin}/other/m.gguf`)).toMatchObject({
    name: 'm-2.gguf',
    state: 'done',
  })
  server.release()
  expect(await reached(home, id, 'done')).toMatchObject({ name: 'm.gguf' })
})

test('without a name in the address the server’s file name is used', async () => {
  const server = await aServer()
  server.put('/get', model)
  const disposition = 'attachment; filename="../../Big Model.gguf"'
  server.replies.set('/get?id=4', [{ headers: { 'content-disposition': disposition } }])
  const home = open()
  expect(await downloaded(home, `${server.origin}/get?id=4`)).toMatchObject({ name: 'Big Model.gguf' })
  expect(home.names()).toEqual(['Big Model.gguf'])
})

test('progress is published at most four times a second, and the end always', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const server = await aServer()
  const home = open()
  for (const name of ['a', 'b', 'c', 'd']) {
    server.put(`/${name}.gguf`, model)
    await home.download({ address: `${server.origin}/${name}.gguf` })
  }
  const isOver = (list: Transfer[] = []) => list.length === 4 && list.every(each => each.state === 'done')
  await until(() => isOver(home.list()))
  expect(home.events).toHaveLength(1)
  vi.advanceTimersByTime(249)
  expect(home.events).toHaveLength(1)
  vi.advanceTimersByTime(10_000)
  expect(home.events).toHaveLength(2)
  expect(isOver(home.events.at(-1))).toBe(true)
  for (const list of home.events)
    for (const each of list) expect(TransferShape.strict().parse(each)).toEqual(each)
})

test('the list is private, and a damaged one is replaced by an empty list', async () => {
  const { home } = await halfWay()
  await home.close()
  const path = join(home.home, 'transfers.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  for (const text of ['', '{"version":1,"transfers":[{}]}', '\u0000\u0001', '[]']) {
    writeFileSync(path, text)
    const again = open(home.home)
    expect([again.list(), again.reports.length]).toEqual([[], 1])
    await again.close()
  }
})

test.each(['https://anna:secret@models.example/m.gguf', 'https://anna@models.example/m.gguf'])(
  '%s is refused because it contains credentials',
  async address => {
    await expect(open().download({ address })).rejects.toMatchObject({ name: 'Fault', code: 'bad_input' })
  },
)
