import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readGguf } from '../engines/local/gguf/read-gguf.ts'
import { aServer, downloaded, model, modelIn, open, reached } from '../../../../testing/models/downloads.ts'

const part = (number: number) => `s-0000${number}-of-00003.gguf`

test('a split model is downloaded with all its files under matching names', async () => {
  const server = await aServer()
  const files = modelIn(3)
  for (const [index, file] of files.entries()) server.put(`/s-0000${index + 1}-of-00003.gguf`, file)
  const home = open()
  const done = await downloaded(home, `${server.origin}/s-00002-of-00003.gguf`)
  expect(done).toMatchObject({
    name: 's.gguf',
    state: 'done',
    totalBytes: files.reduce((sum, file) => sum + file.length, 0),
    modelId: `file:${join(home.folder, 's-00001-of-00003.gguf')}`,
  })
  expect(home.names()).toEqual([1, 2, 3].map(part => `s-0000${part}-of-00003.gguf`))
  for (const [index, file] of files.entries())
    expect(readFileSync(join(home.folder, part(index + 1))).equals(file)).toBe(true)
  expect(server.requests.map(each => each.method)).toEqual(['HEAD', 'HEAD', 'HEAD', 'GET', 'GET', 'GET'])
})

test('a split model with a truncated or foreign file fails, and its other files are kept for the retry', async () => {
  const server = await aServer()
  const [first, second, third] = modelIn(3)
  const address = `${server.origin}/s-00001-of-00003.gguf`
  server.put('/s-00001-of-00003.gguf', first!)
  server.put('/s-00002-of-00003.gguf', second!.subarray(0, -1_000))
  server.put('/s-00003-of-00003.gguf', model)
  const home = open()
  const { id } = await home.download({ address })
  expect(await reached(home, id, 'done', 'failed')).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/^s-00002-of-00003\.gguf is cut short: it has [\d,]+ of [\d,]+ bytes\.$/),
  })
  server.put('/s-00002-of-00003.gguf', second!)
  await home.resume(id)
  expect(await reached(home, id, 'done', 'failed')).toMatchObject({
    error: 's-00003-of-00003.gguf is not file 3 of its model.',
  })
  server.put('/s-00003-of-00003.gguf', third!)
  await home.resume(id)
  expect(await reached(home, id, 'done', 'failed')).toMatchObject({ state: 'done', error: '' })
  const fetched = server.requests.filter(each => each.method === 'GET')
  expect(fetched.map(each => each.path.slice(0, 8)).toSorted()).toEqual([
    '/s-00001',
    '/s-00002',
    '/s-00002',
    '/s-00002',
    '/s-00003',
    '/s-00003',
  ])
})

test('one file of a split model under another name is refused', async () => {
  const server = await aServer()
  for (const [index, file] of modelIn(2).entries()) server.put(`/${index + 1}.gguf`, file)
  const home = open()
  expect(await downloaded(home, `${server.origin}/1.gguf`)).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(
      /^1\.gguf is the first of 2 files of a model, and its name does not end in /,
    ),
  })
  expect(await downloaded(home, `${server.origin}/2.gguf`)).toMatchObject({
    state: 'failed',
    error: '2.gguf is only file 2 of 2 of a model.',
  })
  expect(home.names()).toEqual(['1.gguf.part', '2.gguf.part'])
})

test('a part missing on the server is detected before the others are downloaded', async () => {
  const server = await aServer()
  server.put('/s-00001-of-00002.gguf', model)
  const home = open()
  expect(await downloaded(home, `${server.origin}/s-00001-of-00002.gguf`)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('does not have s-00002-of-00002.gguf'),
  })
  expect(server.requests.map(each => each.method)).toEqual(['HEAD', 'HEAD'])
})

test('the files of a split model can be uploaded one by one, in any order', async () => {
  const files = modelIn(3)
  const home = open()
  const first = join(home.folder, part(1))
  for (const number of [3, 1, 2]) {
    const bytes = files[number - 1]!
    const { id } = await home.upload({ name: part(number), sizeBytes: bytes.length })
    expect(await home.receive(id, Readable.from([bytes]), bytes.length)).toEqual({ ok: true })
    expect(home.list().find(each => each.id === id)).toMatchObject({
      state: 'done',
      modelId: `file:${first}`,
    })
  }
  expect(await readGguf(first)).toMatchObject({ parts: 3 })
})

test('uploading a file of a split model under another name is refused with the reason', async () => {
  const [first] = modelIn(3)
  const home = open()
  const { id } = await home.upload({ name: 'mine.gguf', sizeBytes: first!.length })
  expect(await home.receive(id, Readable.from([first!]), first!.length)).toEqual({
    ok: false,
    text: expect.stringMatching(/^mine\.gguf is the first of 3 files of a model, /),
  })
})
