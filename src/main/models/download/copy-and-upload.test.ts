import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readGguf } from '../engines/local/gguf/read-gguf.ts'
import { aFolder, model, modelIn, open, otherModel, reached } from '../../../../testing/models/downloads.ts'

const part = (number: number) => `s-0000${number}-of-00002.gguf`

test('a copy equals the file, and the original stays', async () => {
  const path = join(aFolder(), 'my model.gguf')
  writeFileSync(path, model)
  const home = open()
  const { id } = await home.copy({ path: `"${path}"` })
  expect(await reached(home, id, 'done', 'failed')).toMatchObject({
    kind: 'copy',
    from: path,
    name: 'my model.gguf',
    state: 'done',
    doneBytes: model.length,
    totalBytes: model.length,
    modelId: `file:${join(home.folder, 'my model.gguf')}`,
  })
  expect(readFileSync(join(home.folder, 'my model.gguf')).equals(model)).toBe(true)
  expect(readFileSync(path).equals(model)).toBe(true)
  expect(home.names()).toEqual(['my model.gguf'])
  expect(home.subjects.every(each => each === 'download: my model.gguf')).toBe(true)
})

test('a split model is copied whole, given any of its files', async () => {
  const folder = aFolder()
  const files = modelIn(2)
  for (const [index, file] of files.entries()) writeFileSync(join(folder, part(index + 1)), file)
  const home = open()
  const { id } = await home.copy({ path: join(folder, part(2)) })
  expect(await reached(home, id, 'done', 'failed')).toMatchObject({ name: 's.gguf', state: 'done' })
  expect(home.names()).toEqual([part(1), part(2)])
  for (const [index, file] of files.entries())
    expect(readFileSync(join(home.folder, part(index + 1))).equals(file)).toBe(true)
  expect(await readGguf(join(home.folder, part(1)))).toMatchObject({ parts: 2 })
})

test('what cannot be copied is refused before copying starts', async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'text.gguf'), 'Dear diary')
  writeFileSync(join(folder, part(1)), modelIn(2)[0]!)
  const home = open()
  writeFileSync(join(home.folder, 'own.gguf'), model)
  symlinkSync(join(home.folder, 'own.gguf'), join(folder, 'link.gguf'))
  const refused = [
    ['text.gguf', 'bad_input', 'is not a GGUF model file'],
    ['none.gguf', 'bad_input', 'There is no model file'],
    [part(1), 'bad_input', `${part(2)}. The model is split over 2 files.`],
    ['link.gguf', 'conflict', 'is already in Talaria’s folder'],
  ] as const
  for (const [name, code, message] of refused)
    await expect(home.copy({ path: join(folder, name) })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  expect(home.list()).toEqual([])
})

test('a copy without enough disk space does not start', async () => {
  const path = join(aFolder(), 'm.gguf')
  writeFileSync(path, model)
  let free = model.length
  const home = open(aFolder(), { freeBytes: async () => free })
  const { id } = await home.copy({ path })
  const ended = await reached(home, id, 'done', 'failed')
  // A file system that clones blocks needs no space.
  if (ended.state === 'failed') {
    expect(ended.error).toContain('of disk')
    expect(home.names()).toEqual([])
    free *= 2
    await home.resume(id)
  }
  expect(await reached(home, id, 'done', 'failed')).toMatchObject({ state: 'done' })
})

/** A file that takes a moment to copy. */
function aBigFile() {
  const path = join(aFolder(), 'big.gguf')
  writeFileSync(path, Buffer.concat([model, Buffer.alloc(48 << 20, 5)]))
  return path
}

test('a paused copy resumes, or starts over if its source has changed', async () => {
  for (const changes of [false, true]) {
    const path = aBigFile()
    const home = open()
    const { id } = await home.copy({ path })
    await home.pause(id)
    const stopped = home.list()[0]!
    if (changes) writeFileSync(path, Buffer.concat([otherModel, Buffer.alloc(1 << 20, 9)]))
    await home.close()
    const again = open(home.home)
    expect(again.list()[0]).toMatchObject({ state: stopped.state, doneBytes: stopped.doneBytes })
    await again.resume(id)
    expect(await reached(again, id, 'done', 'failed')).toMatchObject({ state: 'done' })
    expect(readFileSync(join(again.folder, 'big.gguf')).equals(readFileSync(path))).toBe(true)
  }
})

test('a cancelled copy leaves nothing', async () => {
  const home = open()
  const { id } = await home.copy({ path: aBigFile() })
  await home.cancel(id)
  expect(home.list()).toEqual([])
  expect(home.names().filter(name => name.endsWith('.part'))).toEqual([])
})

/** An announced upload of the model. */
async function expected(home: ReturnType<typeof open>, sizeBytes = model.length) {
  const upload = await home.upload({ name: '../my:model?.gguf', sizeBytes })
  expect(upload).toMatchObject({ kind: 'upload', name: 'mymodel.gguf', from: '', state: 'waiting' })
  return upload.id
}

const chunks = (bytes: Buffer, size = 100_000) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    ),
  )

test('an upload becomes a model', async () => {
  const home = open()
  const id = await expected(home)
  expect(await home.receive(id, chunks(model), model.length)).toEqual({ ok: true })
  expect(home.list()).toMatchObject([
    { id, state: 'done', doneBytes: model.length, modelId: `file:${join(home.folder, 'mymodel.gguf')}` },
  ])
  expect(readFileSync(join(home.folder, 'mymodel.gguf')).equals(model)).toBe(true)
  expect(home.names()).toEqual(['mymodel.gguf'])
  expect(await home.receive(id, chunks(model), model.length)).toMatchObject({ ok: false })
})

test.each([
  ['less than it announced', model.subarray(0, -1), 'The page stopped sending'],
  ['more than it announced', Buffer.concat([model, Buffer.from('x')]), 'More of mymodel.gguf was sent'],
  ['no model', Buffer.alloc(model.length, 1), 'is not a GGUF model file'],
])('an upload that sends %s is refused, and can be sent again', async (_what, bytes, text) => {
  const home = open()
  const id = await expected(home)
  const answer = await home.receive(id, chunks(bytes), model.length)
  expect(answer).toEqual({ ok: false, text: expect.stringContaining(text) })
  expect(home.list()).toMatchObject([{ state: 'failed', error: expect.stringContaining(text) }])
  expect(await home.receive(id, chunks(model), model.length)).toEqual({ ok: true })
  expect(readFileSync(join(home.folder, 'mymodel.gguf')).equals(model)).toBe(true)
})

test('an upload that breaks off is detected, and a second one at the same time is refused', async () => {
  const home = open()
  const id = await expected(home)
  const body = new PassThrough()
  const answer = home.receive(id, body, model.length)
  body.write(model.subarray(0, 1_000))
  await expect.poll(() => home.list()[0]?.doneBytes, { interval: 5 }).toBe(1_000)
  expect(await home.receive(id, chunks(model), model.length)).toMatchObject({
    ok: false,
    text: 'This file is already being sent.',
  })
  await expect(home.pause(id)).rejects.toMatchObject({ code: 'bad_input' })
  body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
  expect(await answer).toMatchObject({ ok: false })
  expect(home.list()).toMatchObject([{ state: 'failed', error: 'The page stopped sending mymodel.gguf.' }])
  await home.cancel(id)
  expect(home.names()).toEqual([])
})

test('a cancelled upload ends its request and leaves nothing', async () => {
  const home = open()
  const id = await expected(home)
  const body = new PassThrough()
  const answer = home.receive(id, body, model.length)
  body.write(model.subarray(0, 1_000))
  await expect.poll(() => home.list()[0]?.doneBytes, { interval: 5 }).toBe(1_000)
  await home.cancel(id)
  expect(await answer).toMatchObject({ ok: false })
  expect([body.destroyed, home.list(), home.names()]).toEqual([true, [], []])
})

test('only an announced upload is accepted', async () => {
  const home = open(aFolder(), { freeBytes: async () => model.length * 2 })
  const id = await expected(home)
  expect(await home.receive('transfer_none', chunks(model), model.length)).toMatchObject({ ok: false })
  expect(await home.receive(id, chunks(model), model.length - 1)).toMatchObject({ ok: false })
  expect(home.list()).toMatchObject([{ id, state: 'waiting' }])
  await expect(home.upload({ name: 'notes.txt', sizeBytes: 9 })).rejects.toMatchObject({ code: 'bad_input' })
  await expect(home.upload({ name: 'm.gguf', sizeBytes: model.length * 3 })).rejects.toMatchObject({
    code: 'not_ready',
    message: expect.stringContaining('of disk'),
  })
})

test('an upload ends with the host, and says so at the next start', async () => {
  const home = open()
  const id = await expected(home)
  await home.close()
  expect(open(home.home).list()).toMatchObject([
    { id, state: 'failed', error: expect.stringContaining('was closed') },
  ])
})

test('incoming files are private', async () => {
  mkdirSync(join(aFolder(), 'x'))
  const home = open()
  const id = await expected(home)
  await home.receive(id, chunks(model), model.length)
  expect(statSync(join(home.folder, 'mymodel.gguf')).mode & 0o077).toBe(0)
})
