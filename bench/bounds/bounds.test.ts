import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import { findReaders } from './find-readers.ts'
import { measureAll, type Outcome } from './measure-all.ts'
import type { Task } from './measure-reader.ts'
import { SHAPES } from './shapes.ts'
import { missingRows, readSources, staleRows, tasksOf } from './tasks.ts'
import { INPUTS, type Input } from './table/inputs.ts'
import { OWN, readRows } from './table/index.ts'

// The time that reading takes does not matter here: `npm run bench -- --only bounds` measures it.

const sources = readSources()
const readers = findReaders(sources)
const root = rootFolder()
const says = ([file, words]: Input['cut']) => existsSync(join(root, file)) && sources[file]!.includes(words)

test('sixty shapes and more are made as long as they are wanted', () => {
  const shapes = Object.entries(SHAPES)
  expect(shapes.length).toBeGreaterThanOrEqual(60)
  for (const [name, make] of shapes) {
    const { length } = make(600)
    expect(length, name).toBeGreaterThan(590)
    expect(length, name).toBeLessThanOrEqual(600)
  }
})

describe('the table of bounds', () => {
  test('names every exported function that reads a text of others', () => {
    expect(missingRows(readers)).toEqual([])
  })

  test('names no function that is not there', () => {
    expect(staleRows(sources)).toEqual([])
    expect(
      Object.keys(OWN).filter(place => !Object.keys(sources).some(file => file.startsWith(place))),
    ).toEqual([])
  })

  test('has every input in use, and each is cut where it says, a thread ended when it says', () => {
    const used = new Set<string>(readRows().map(({ input }) => input))
    const inputs = Object.entries<Input>(INPUTS)
    expect(inputs.filter(([name]) => !used.has(name)).map(([name]) => name)).toEqual([])
    expect(inputs.filter(([, { cut }]) => !says(cut)).map(([name]) => name)).toEqual([])
    const threads = inputs.flatMap(([name, { thread }]) => (thread ? [{ name, ...thread }] : []))
    expect(threads.length).toBeGreaterThan(0)
    expect(threads.filter(({ limit }) => !says(limit)).map(({ name }) => name)).toEqual([])
    expect(threads.filter(({ told }) => !(told in sources)).map(({ name }) => name)).toEqual([])
  })

  test('has what each function needs to be called', { timeout: 120_000 }, async () => {
    const failed: string[] = []
    const hear = (outcome: Outcome | undefined) => {
      if (outcome && 'failed' in outcome)
        failed.push(`${outcome.task.file}, ${outcome.task.name}: ${outcome.failed}`)
    }
    await measureAll(tasksOf(readers, []), hear)
    expect(failed).toEqual([])
  })
})

describe('what reads a text', () => {
  const found = (source: string, beside: Record<string, string> = {}) =>
    findReaders({ 'src/a.ts': source, ...beside })
      .filter(({ file }) => file === 'src/a.ts')
      .map(({ name, texts }) => `${name} ${texts.join(' ')}`)

  test.each([
    ['a method of the text', 'export const isLoud = (text: string) => text.endsWith("!")', ['isLoud text']],
    ['its letters', 'export function first(text: string) { return text[0] }', ['first text']],
    ['a pattern', 'export function isA(line?: string) { return /a/.test(line) }', ['isA line']],
    ['going through it', 'export function f(text: string) { for (const each of text) g(each) }', ['f text']],
    ['a field', 'export function f({ text }: { text: string }) { return text.trim() }', ['f text']],
    ['another name for it', 'export function f(text: string) { let left = text\n left.trim() }', ['f text']],
    ['a package', 'import { parse } from "yaml"\nexport const f = (text: string) => parse(text)', ['f text']],
    [
      'a function beside it',
      'const g = (a: string) => a.trim()\nexport const f = (b: string) => g(b)',
      ['f b'],
    ],
  ])('is seen by %s', (_, source, expected) => {
    expect(found(source)).toEqual(expected)
  })

  test('is seen through the functions of other files, and through circles of them', () => {
    const beside = {
      'src/b.ts': 'import { f } from "./a.ts"\nexport const g = (it: string): string => f(it) + it.trim()',
    }
    expect(
      found('import { g } from "./b.ts"\nexport const f = (text: string): string => g(text)', beside),
    ).toEqual(['f text'])
  })

  test.each([
    ['passes it on as it is', 'export const f = (text: string) => `${text}!`'],
    ['asks for its length', 'export const f = (text: string) => text.length'],
    ['is not exported', 'const f = (text: string) => text.trim()'],
    ['gets the name of a thing', 'export const f = (path: string) => path.endsWith("/")'],
    ['gets a list', 'export const f = (lines: string[]) => lines.join()'],
  ])('is no function that %s', (_, source) => {
    expect(found(source)).toEqual([])
  })
})

test('a new reader fails with the row to add, a row that is stale with what to take out', () => {
  const file = 'src/main/files/patch/patch-text.ts'
  const grown = `${sources[file]}\nexport const isLoud = (text: string) => text.endsWith('!')`
  expect(missingRows(findReaders({ [file]: grown }))).toEqual([
    'isLoud in src/main/files/patch/patch-text.ts reads a text (text). Add its name behind “patched:” in the row of its file in bench/bounds/table/inside.ts, or behind the name of another input of bench/bounds/table/inputs.ts, whichever says how long the text can be.',
  ])
  const source = 'export const readNew = (text: string) => text.trim()'
  expect(missingRows(findReaders({ 'src/main/new/read-new.ts': source }))[0]).toMatch(
    /^readNew in src\/main\/new\/read-new\.ts reads a text \(text\)\. Add a row/,
  )
  expect(missingRows(findReaders({ 'src/renderer/route.ts': source }))).toEqual([])
  const { [file]: _gone, ...left } = sources
  expect(staleRows(left)).toEqual([
    `bench/bounds/table names patchText in ${file}, which exports no such function.`,
  ])
})

test('a function that does not come back is ended, and goes on with the next shape', async () => {
  const task: Task = {
    file: 'bench/bounds/never-ends.ts',
    name: 'neverEnds',
    params: ['text'],
    most: 600,
    input: 'answer',
    shapes: ['digits', 'words'],
  }
  const heard: string[] = []
  await measureAll(
    [task],
    outcome => {
      if (outcome)
        heard.push('timedOut' in outcome ? `timed out: ${outcome.timedOut}` : JSON.stringify(outcome))
    },
    300,
  )
  expect(heard).toEqual(['timed out: digits', expect.stringContaining('"shape":"words"')])
})
