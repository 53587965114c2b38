import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { splitGguf } from '../../../../testing/gguf/split.ts'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import { aComputer, aDeskOn, SMALL, TINY, type Computer } from '../../../../testing/models/model-files.ts'

let computer: Computer
let folder: string
let home: string

beforeEach(async () => {
  computer = await aComputer()
  ;({ folder, home } = computer)
})
afterEach(() => computer.leave())

const DEMO = resourcePath('models/talaria-mini.gguf')

const aDesk = () => aDeskOn(computer)

test('a split model is listed once, by its first file', async () => {
  const parts = splitGguf(DEMO, join(home, 'models', 'big'), { parts: 3 })
  const models = await aDesk().models.list()
  const [whole, big] = models
  expect(models.slice(1).map(({ id, name, problem }) => [id, name, problem])).toEqual([
    ['file:models/big-00001-of-00003.gguf', 'big', null],
  ])
  const sizes = await Promise.all(parts.map(async part => (await stat(part)).size))
  expect([big?.sizeBytes, big?.file?.parts, big?.contextTokens]).toEqual([
    sizes.reduce((sum, size) => sum + size, 0),
    3,
    whole?.contextTokens,
  ])
  expect({ ...big?.file, path: '', folder: '', owned: false, parts: 1 }).toEqual({
    ...whole?.file,
    path: '',
    folder: '',
  })
})

test('a split model that lacks a file stays listed, and the missing file is named', async () => {
  const [first = '', second = ''] = splitGguf(DEMO, join(home, 'models', 'big'), { parts: 2 })
  await rm(first)
  const problem = async () => (await aDesk().models.list()).map(each => [each.id, each.problem])[1]
  expect(await problem()).toEqual([
    'file:models/big-00001-of-00002.gguf',
    `There is no model file at ${first}.`,
  ])
  splitGguf(DEMO, join(home, 'models', 'big'), { parts: 2 })
  await rm(second)
  expect(await problem()).toEqual([
    'file:models/big-00001-of-00002.gguf',
    `There is no model file at ${second}.`,
  ])
})

test('any part of a split model stands for the whole', async () => {
  const { files, models } = aDesk()
  const [first = '', second = '', third = ''] = splitGguf(SMALL, join(folder, 'big'), { parts: 3 })
  const sizes = await Promise.all([first, second, third].map(async each => (await stat(each)).size))
  const [whole] = await files.look(SMALL)
  const [found, ...others] = await files.look(second)
  expect(found).toMatchObject({
    path: first,
    name: 'big',
    parts: 3,
    sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
    problem: null,
    knownAs: null,
    file: { parts: 3, parameters: whole?.file?.parameters, quantisation: 'Q8_0', base: false },
    fit: { label: 'memory' },
  })
  expect(others).toEqual([])
  await models.add(third)
  expect((await files.look(second))[0]?.knownAs).toBe(`file:${first}`)
  await rm(third)
  expect((await files.look(second))[0]).toMatchObject({
    path: first,
    problem: expect.stringContaining(`There is no model file at ${third}. The model is split over 3 files.`),
  })
})

test('a split model is a duplicate only if all its files are the same', async () => {
  const { files, models } = aDesk()
  const cutInto = (name: string) =>
    splitGguf(TINY, join(folder, name, 'model'), { parts: 3, bareFirst: true })
  const [known = ''] = cutInto('known')
  await models.add(known)
  const [copy = '', , third = ''] = cutInto('stick')
  expect((await files.look(copy))[0]).toMatchObject({ problem: null, copyOf: `file:${known}` })
  // Different weights with the same header: the first file and all sizes stay equal.
  const bytes = await readFile(third)
  bytes.fill(7, bytes.length / 2)
  await writeFile(third, bytes)
  expect((await files.look(copy))[0]).toMatchObject({ problem: null, copyOf: null })
})

test('a split model behind links is a duplicate too', async () => {
  const { files, models } = aDesk()
  const parts = splitGguf(TINY, join(folder, 'known', 'model'), { parts: 2 })
  await models.add(parts[0]!)
  await mkdir(join(folder, 'links'))
  for (const [index, part] of splitGguf(TINY, join(folder, 'blobs', 'x'), { parts: 2 }).entries()) {
    await rename(part, join(folder, 'blobs', `${index}`))
    await symlink(join(folder, 'blobs', `${index}`), join(folder, 'links', basename(part)))
  }
  expect((await files.look(join(folder, 'links')))[0]).toMatchObject({
    problem: null,
    parts: 2,
    copyOf: `file:${parts[0]}`,
  })
})

test('an incomplete split model can be deleted', async () => {
  const { files } = aDesk()
  const [first = '', second = ''] = splitGguf(TINY, join(home, 'models/big/big'), { parts: 3 })
  await rm(second)
  await files.deleteFile(`file:${first}`)
  splitGguf(TINY, join(home, 'models/big/big'), { parts: 3 })
  await rm(first)
  await files.deleteFile(`file:${first}`)
  expect(await readdir(join(home, 'models'))).toEqual([])
})
