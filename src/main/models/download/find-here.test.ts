import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  aFolder,
  aServer,
  downloaded,
  model,
  modelIn,
  open,
  otherModel,
} from '../../../../testing/models/downloads.ts'

const sum = createHash('sha256').update(model).digest('hex')

test.each(['', '?download=true', '#top', '?utm_source=mail'])(
  'what came from an address is here when it is asked for again as %s',
  async tail => {
    const server = await aServer()
    const home = open()
    const first = await downloaded(home, `${server.origin}/m.gguf`)
    const requests = server.requests.length
    const second = await home.download({ address: `${server.origin}/m.gguf${tail}` })
    expect(second).toMatchObject({ id: first.id, state: 'done', here: true, modelId: first.modelId })
    expect([server.requests.length, home.names()]).toEqual([requests, ['m.gguf']])
    await home.download({ address: `${server.origin}/m.gguf${tail}`, again: true })
    await expect.poll(() => home.names(), { interval: 5 }).toEqual(['m-2.gguf', 'm.gguf'])
  },
)

test('what was deleted or cut since is fetched again', async () => {
  const server = await aServer()
  const home = open()
  await downloaded(home, `${server.origin}/m.gguf`)
  rmSync(join(home.folder, 'm.gguf'))
  expect((await downloaded(home, `${server.origin}/m.gguf`)).here).toBeUndefined()
  writeFileSync(join(home.folder, 'm.gguf'), 'cut')
  expect((await downloaded(home, `${server.origin}/m.gguf`)).here).toBeUndefined()
  expect(home.names()).toEqual(['m-2.gguf', 'm.gguf'])
})

test('a checksum finds what came from elsewhere under another name', async () => {
  const server = await aServer()
  server.put('/other.gguf', model)
  const home = open()
  await downloaded(home, `${server.origin}/m.gguf`, sum)
  expect(await home.download({ address: `${server.origin}/other.gguf`, sha256: sum })).toMatchObject({
    here: true,
  })
})

test('a model of any folder is recognised by what the server announces, whatever its name', async () => {
  const server = await aServer()
  const elsewhere = join(aFolder(), 'mine.gguf')
  writeFileSync(elsewhere, model)
  const hub = {
    status: 302,
    headers: { location: '/m.gguf', 'x-linked-etag': `"${sum}"`, 'x-linked-size': String(model.length) },
  }
  server.replies.set('/hub/x.gguf', [hub, hub])
  const home = open(aFolder(), { known: async () => [{ id: 'file:mine', path: elsewhere }] })
  expect(await downloaded(home, `${server.origin}/hub/x.gguf`)).toMatchObject({
    state: 'done',
    here: true,
    name: 'mine.gguf',
    doneBytes: 0,
  })
  expect(home.names()).toEqual([])
})

test('without a checksum name, size and samples decide, so another model of that name and size is fetched', async () => {
  const server = await aServer()
  server.put('/other/m.gguf', otherModel)
  const folder = aFolder()
  mkdirSync(join(folder, 'a'))
  writeFileSync(join(folder, 'a', 'm.gguf'), model)
  const home = open(aFolder(), { known: async () => [{ id: 'file:a', path: join(folder, 'a', 'm.gguf') }] })
  expect(await downloaded(home, `${server.origin}/m.gguf`)).toMatchObject({ here: true })
  expect(await downloaded(home, `${server.origin}/other/m.gguf`)).toMatchObject({
    state: 'done',
    name: 'm.gguf',
  })
  expect(home.names()).toEqual(['m.gguf'])
})

test('a split model that is here with all its parts is not fetched', async () => {
  const server = await aServer()
  const folder = aFolder()
  for (const [index, file] of modelIn(2).entries()) {
    const name = `s-0000${index + 1}-of-00002.gguf`
    server.put(`/${name}`, file)
    writeFileSync(join(folder, name), file)
  }
  const path = join(folder, 's-00001-of-00002.gguf')
  const home = open(aFolder(), { known: async () => [{ id: 'file:s', path }] })
  expect(await downloaded(home, `${server.origin}/s-00002-of-00002.gguf`)).toMatchObject({ here: true })
  expect(server.requests.map(({ method }) => method)).toEqual(['HEAD', 'HEAD'])
  copyFileSync(path, join(folder, 's-00002-of-00002.gguf'))
  const again = open(aFolder(), { known: async () => [{ id: 'file:s', path }] })
  expect((await downloaded(again, `${server.origin}/s-00001-of-00002.gguf`)).here).toBeUndefined()
})

test('a new signature of the same address goes on with what has come', async () => {
  const server = await aServer()
  const half = Math.floor(model.length / 2)
  const old = '/m.gguf?Expires=1&Signature=old'
  server.replies.set(old, [{ cutAfter: half }, ...Array.from({ length: 5 }, () => ({ status: 403 }))])
  const home = open()
  const failed = await downloaded(home, server.origin + old)
  expect(failed).toMatchObject({ state: 'failed', fix: expect.stringContaining('Copy a new address') })
  const done = await downloaded(home, `${server.origin}/m.gguf?Expires=2&Signature=new`)
  expect(done).toMatchObject({ id: failed.id, state: 'done' })
  expect(server.requests.at(-1)?.range).toMatch(/^bytes=[1-9]/)
})
