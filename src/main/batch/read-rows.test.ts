import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from 'vitest'
import { indexRows, openRows } from './read-rows.ts'

// oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern what a fixture needs
const test = base.extend('folder', async ({}, { onCleanup }) => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-rows-')))
  onCleanup(() => rmSync(path, { recursive: true, force: true }))
  return path
})

/** Write a file of rows and read its index. */
function indexOf(
  folder: string,
  lines: readonly (string | object | Buffer)[],
  shard?: { index: number; count: number },
) {
  const file = join(folder, 'rows.jsonl')
  const bytes = lines.map(line =>
    Buffer.isBuffer(line) ? line : Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)),
  )
  writeFileSync(file, Buffer.concat(bytes.flatMap(each => [each, Buffer.from('\n')])))
  return indexRows(file, shard)
}

test('bad lines are named with their numbers, and the others are read', async ({ folder }) => {
  const { rows, bad, badCount } = await indexOf(folder, [
    '\u{feff}{"prompt":"first"}',
    'no JSON',
    '',
    '[1]',
    { prompt: '  ' },
    { text: 'no prompt' },
    { prompt: 'x', check: 7 },
    Buffer.from([0x7b, 0xff, 0x7d]),
    { prompt: 'x'.repeat(1_100_000) },
    { prompt: 'x', image: 'a.png' },
    { prompt: 'last', id: 7, more: 'kept for its key' },
  ])
  expect(rows.map(({ line }) => line)).toEqual([1, 11])
  expect(badCount).toBe(8)
  expect(bad.map(({ line, why }) => `${line} ${why}`)).toEqual([
    '2 it is not JSON',
    '4 it is not a JSON object',
    '5 its “prompt” is empty',
    '6 it has no “prompt”',
    '7 “check” is not a command',
    '8 it is not UTF-8 text',
    '9 it is longer than 1,000,000 bytes',
    '10 its “image” a.png cannot be found',
  ])
})

test('a row is read again from its place', async ({ folder }) => {
  const { rows } = await indexOf(folder, [
    { prompt: 'Grüße' },
    'bad',
    { prompt: 'second', id: 'b', cwd: '.' },
    { prompt: 'third', id: 3 },
  ])
  const file = await openRows(join(folder, 'rows.jsonl'))
  expect(await file.read(rows[0]!)).toMatchObject({ prompt: 'Grüße' })
  expect(await file.read(rows[1]!)).toMatchObject({ prompt: 'third', id: '3' })
  await file.close()
})

test('a file that changed while a batch runs is not read on', async ({ folder }) => {
  const { rows } = await indexOf(folder, [{ prompt: 'one' }, { prompt: 'two' }])
  const file = await openRows(join(folder, 'rows.jsonl'))
  writeFileSync(join(folder, 'rows.jsonl'), '{"prompt":"six"}\n{"prompt":"ten"}\n')
  await expect(file.read(rows[0]!)).rejects.toThrow('was changed while the batch ran')
  await file.close()
})

test('the key of a row follows its text, and equal rows are counted', async ({ folder }) => {
  const one = await indexOf(folder, [{ prompt: 'a' }, { prompt: 'b', id: '1' }, { prompt: 'a' }])
  const other = await indexOf(folder, [
    { prompt: 'new' },
    { prompt: 'a' },
    { prompt: 'a' },
    { id: '1', prompt: 'b' },
  ])
  const keys = ({ rows }: typeof one) => rows.map(({ key }) => key)
  expect(new Set(keys(one)).size).toBe(3)
  expect(new Set(keys(other).slice(1))).toEqual(new Set(keys(one)))
})

test('every row belongs to exactly one part, under the same key as in the whole', async ({ folder }) => {
  const lines = Array.from({ length: 200 }, (_, at) => ({ prompt: `Question ${at % 50}` }))
  const whole = (await indexOf(folder, lines)).rows.map(({ key }) => key)
  const parts = []
  for (const index of [1, 2, 3])
    parts.push((await indexOf(folder, lines, { index, count: 3 })).rows.map(({ key }) => key))
  expect(parts.flat().toSorted()).toEqual(whole.toSorted())
  for (const part of parts) expect(part.length).toBeGreaterThan(30)
})

test('the checks of every part are those of the whole file', async ({ folder }) => {
  const lines = Array.from({ length: 30 }, (_, at) => ({
    prompt: `Question ${at}`,
    check: `test -f ${at % 3}`,
  }))
  for (const index of [1, 2, 3, 4, 5, 6, 7])
    expect((await indexOf(folder, lines, { index, count: 7 })).checks).toEqual([
      'test -f 0',
      'test -f 1',
      'test -f 2',
    ])
})

test('a row names only folders beside its file', async ({ folder }) => {
  mkdirSync(join(folder, 'beside', 'deep'), { recursive: true })
  writeFileSync(join(folder, 'file.txt'), '')
  symlinkSync(tmpdir(), join(folder, 'leads-out'))
  const named = [
    'beside',
    './beside/deep',
    '..',
    '.',
    '/etc',
    'leads-out',
    'gone',
    'file.txt',
    'beside/../..',
  ]
  const { rows, bad } = await indexOf(
    folder,
    named.map(cwd => ({ prompt: 'x', cwd })),
  )
  expect(rows.map(({ line }) => named[line - 1])).toEqual(['beside', './beside/deep'])
  expect(bad.map(({ line }) => named[line - 1])).toEqual(named.slice(2))
})

test('a file that is not there, or is none, is refused', async ({ folder }) => {
  await expect(indexRows(join(folder, 'gone'), undefined)).rejects.toThrow('There is no file')
  await expect(indexRows(folder, undefined)).rejects.toThrow('is not a file')
})
