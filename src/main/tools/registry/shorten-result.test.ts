import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aWorkspace, said } from '../../../../testing/tools/a-workspace.ts'
import { createResultCap } from './shorten-result.ts'
import { readFileTool } from '../files/read-file.ts'

const readFile = readFileTool()
const limits = { result_limit: 2_000, error_limit: 600 }
const callOf = (name: string) => ({ id: 'c', name, arguments: {} })
const long = Array.from({ length: 1_000 }, (_, index) => `line ${index}`).join('\n')

test('a result that fits stays unchanged', async () => {
  const { home } = aWorkspace()
  const result = { ok: true, text: 'x'.repeat(2_000) } as const
  expect(await createResultCap(home, limits)(callOf('terminal'), result, 100_000)).toBe(result)
  expect(readdirSync(home)).toEqual([])
})

test('a long result keeps its beginning and end, and the whole text can be read', async () => {
  const { home, call } = aWorkspace()
  const capped = await createResultCap(home, limits)(callOf('terminal'), { ok: true, text: long }, 100_000)
  const text = said(capped)
  expect(text.length).toBeLessThanOrEqual(2_000)
  expect(text).toMatch(/^line 0\nline 1\n[^]*\nline 999$/)
  const [, cut, path] = /\[… ([\d,]+) characters cut; the full text is in (\S+), read it with/.exec(text)!
  expect(Number(cut!.replace(',', ''))).toBe(long.length - text.replace(/\n\[….*…\]\n/, '').length)
  expect(readFileSync(path!, 'utf8')).toBe(long)
  expect(statSync(path!).mode & 0o777).toBe(0o600)
  expect(said(await call(readFile, { path, offset: 500, limit: 1 }))).toContain('\nline 499\n')
})

test('an error has its own limit, and a small window a lower one', async () => {
  const { home } = aWorkspace()
  const cap = createResultCap(home, limits)
  const lengths = [
    await cap(callOf('patch_file'), { ok: false, reason: long }, 100_000),
    await cap(callOf('terminal'), { ok: true, text: long }, 1_000),
    await cap(callOf('terminal'), { ok: true, text: long }, 10),
  ].map(result => [result.ok, said(result).length])
  expect(lengths).toEqual([
    [false, 600],
    [true, 1_050],
    [true, 400],
  ])
})

test('text read from a file is not stored a second time', async () => {
  const { home } = aWorkspace()
  const capped = await createResultCap(home, limits)(callOf('read_file'), { ok: true, text: long }, 100_000)
  expect(said(capped)).toContain('characters cut; the rest is in the file …]')
  expect(readdirSync(home)).toEqual([])
})

test('the newest 200 outputs are kept', async () => {
  const { home, put } = aWorkspace()
  const folder = join(home, 'cache/outputs')
  for (let count = 0; count < 205; count++) put(join(folder, `out_${1_000 + count}.txt`), '')
  await createResultCap(home, limits)(callOf('terminal'), { ok: true, text: long }, 100_000)
  expect(readdirSync(folder)).toHaveLength(200)
})

test('a result is shortened even if the whole text cannot be stored', async () => {
  const { home } = aWorkspace()
  writeFileSync(join(home, 'cache'), 'in the way')
  const capped = await createResultCap(home, limits)(callOf('terminal'), { ok: true, text: long }, 100_000)
  expect(said(capped)).toContain('characters cut; it could not be kept …]')
})

test('a command that failed may show as much as one that did not, its end and what failed first', async () => {
  const { home } = aWorkspace()
  const output = long.replace('line 400\n', 'FAIL line 400\n')
  const capped = await createResultCap(home, limits)(
    callOf('terminal'),
    { ok: false, reason: output },
    100_000,
  )
  const text = said(capped)
  expect(text.length).toBeGreaterThan(1_500)
  expect(text.length).toBeLessThanOrEqual(2_000)
  expect(text).toMatch(/^line 0\n[^]*\nFAIL line 400\n[^]*\nline 999$/)
  const [, path] = /the full text is in (\S+), read it with/.exec(text)!
  expect(readFileSync(path!, 'utf8')).toBe(output)
})

test('a file that does not hold all of an output is not called the full text', async () => {
  const { home } = aWorkspace()
  for (const result of [
    { ok: true, text: long, dropped: 12_345 },
    { ok: false, reason: long, dropped: 12_345 },
  ] as const) {
    const text = said(await createResultCap(home, limits)(callOf('terminal'), result, 100_000))
    expect(text).toContain(
      '12,345 characters in the middle were not kept; its beginning and its end are in /',
    )
    expect(text).not.toContain('the full text')
  }
})
