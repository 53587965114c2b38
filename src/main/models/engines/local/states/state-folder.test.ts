import { copyFileSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { stateFolderFor } from './state-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'talaria-state-folder-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A file of 40 MiB with different content in every MiB. */
const path = join(folder, 'model.gguf')
const sizeBytes = 40 << 20
writeFileSync(path, Buffer.concat(Array.from({ length: 40 }, (_, index) => Buffer.alloc(1 << 20, index + 1))))
const modelOf = async (path: string) =>
  (await stateFolderFor(folder, 1, { path, sizeBytes, parts: 1 }))?.model

async function changed(name: string, at: number, bytes: number): Promise<string> {
  const copy = join(folder, name)
  copyFileSync(path, copy)
  const file = await open(copy, 'r+')
  await file.write(Buffer.alloc(bytes, 0xee), 0, bytes, at)
  await file.close()
  return copy
}

test('without a folder or disk space nothing is saved', async () => {
  expect(await stateFolderFor(undefined, 1, { path, sizeBytes, parts: 1 })).toBeUndefined()
  expect(await stateFolderFor(folder, 0, { path, sizeBytes, parts: 1 })).toBeUndefined()
  expect(
    await stateFolderFor(folder, 1, { path: join(folder, 'none.gguf'), sizeBytes, parts: 1 }),
  ).toBeUndefined()
})

test('the folder may grow to the size in the settings', async () => {
  expect(await stateFolderFor(folder, 0.5, { path, sizeBytes, parts: 1 })).toEqual({
    folder: join(folder, 'states'),
    maxBytes: 2 ** 29,
    model: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

test('a copy of a model counts as the same model, whatever its date', async () => {
  const copy = join(folder, 'copy.gguf')
  copyFileSync(path, copy)
  utimesSync(copy, new Date(0), new Date(0))
  expect(await modelOf(copy)).toBe(await modelOf(path))
})

test('another header, other weights, another end or another length mean another model', async () => {
  const short = await changed('short.gguf', 0, 0)
  truncateSync(short, sizeBytes - 1)
  const models = await Promise.all(
    [
      path,
      short,
      await changed('header.gguf', 100, 1),
      await changed('weights.gguf', 20 << 20, 4 << 20),
      await changed('end.gguf', sizeBytes - 1, 1),
    ].map(modelOf),
  )
  expect(models.every(model => model !== undefined)).toBe(true)
  expect(new Set(models).size).toBe(models.length)
})

test('a model in several files is identified by all of them', async () => {
  const first = (name: string) => join(folder, `${name}-00001-of-00002.gguf`)
  const idOf = async (name: string) =>
    (await stateFolderFor(folder, 1, { path: first(name), sizeBytes, parts: 2 }))?.model
  const marks = async (...names: string[]) => new Set(await Promise.all(names.map(idOf)))
  for (const name of ['a', 'same', 'other']) {
    copyFileSync(path, first(name))
    copyFileSync(
      name === 'other' ? join(folder, 'end.gguf') : path,
      join(folder, `${name}-00002-of-00002.gguf`),
    )
  }
  expect([(await marks('a', 'same')).size, (await marks('a', 'other')).size]).toEqual([1, 2])
  // With a file missing it is not a model, and nothing is kept.
  expect(await stateFolderFor(folder, 1, { path, sizeBytes, parts: 2 })).toBeUndefined()
})
