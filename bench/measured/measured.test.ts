import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allEvals } from '../../evals/all-evals.ts'
import { readRecords } from '../../evals/records.ts'
import { writtenFiles } from '../../evals/runner/stamp.ts'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import { aRecord } from '../../testing/evals/a-project.ts'
import { fillMarks, formatFigure, recordsNamedIn } from './fill-figures.ts'
import { benchParts } from './parts.ts'
import { pages } from './pages.ts'
import { composeMeasured } from './write-measured.ts'

const read = (name: string) => readFileSync(join(rootFolder(), name), 'utf8')
const known = new Set([...allEvals.map(({ name }) => name), ...benchParts.map(part => `bench.${part}`)])

test('docs/measurements is what is written from the records: npm run evals -- --texts', () => {
  const { files, problems } = composeMeasured(readRecords())
  expect(problems).toEqual([])
  const names = readdirSync(join(rootFolder(), writtenFiles.measured))
  expect(Object.fromEntries(names.map(name => [name, read(`${writtenFiles.measured}/${name}`)]))).toEqual(
    files,
  )
})

test.each(writtenFiles.withMarks)('every marked figure in %s is the recorded one', name => {
  const document = read(name)
  const { text, problems } = fillMarks(document, readRecords())
  expect(problems).toEqual([])
  expect(document).toBe(text)
  expect(recordsNamedIn(document).filter(record => !known.has(record))).toEqual([])
})

test('every eval and part of the bench has a row, and every row a record that exists', () => {
  const named = new Set(
    pages.flatMap(({ sections }) => sections).flatMap(({ rows }) => rows.map(({ record }) => record)),
  )
  expect([...named].filter(record => !known.has(record))).toEqual([])
  expect([...known].filter(record => !named.has(record))).toEqual([])
})

test('the parts of the bench are those of its program', () => {
  const table =
    read('bench/index.ts')
      .split(/\bparts\b[^=\n]*= \{\n/)[1]
      ?.split(/^\}/m)[0] ?? ''
  const parts = [...table.matchAll(/^ {2}(?:\.\.\..*\{ )?(\w+): /gm)].map(match => match[1])
  expect(parts).toEqual([...benchParts])
})

const section = (
  shows: string,
  goals: { figure: string; least?: number; most?: number; unit?: string }[] = [],
) => [
  {
    file: 'part.md',
    title: 'Part',
    sections: [
      {
        title: 'A section',
        says: 'It says.',
        rows: [{ what: 'what', on: 'set', record: 'learning', shows, goals }],
      },
    ],
  },
]
const rowOf = (records: Parameters<typeof composeMeasured>[0], ...of: Parameters<typeof section>) => {
  const { files, problems } = composeMeasured(records, section(...of))
  return { row: /^- what \(set\):\n {2}(.+)$/m.exec(files['part.md'] ?? '')?.[1], problems }
}

test('a row shows its figures, its goals, and which of them is missed', () => {
  const records = { learning: aRecord({ right: 1582, share: 84, took: 29.123 }) }
  const goals = [
    { figure: 'share', least: 91.5, unit: ' %' },
    { figure: 'took', least: 1, most: 3800, unit: ' ms' },
  ]
  expect(rowOf(records, '{right} ({share%}) in {took} ms', goals)).toEqual({
    row: '**1,582 (84.0 %) in 29.1 ms**; goal at least 91.5 %: **missed**; goal at least 1 ms, at most 3,800 ms · `learning`',
    problems: [],
  })
  expect(rowOf({}, '{right}', goals.slice(0, 1)).row).toBe(
    '**not measured yet**; goal at least 91.5 % · `learning`',
  )
})

test('a figure that the record does not have is a problem; one that nobody has measured yet is none', () => {
  const records = { learning: aRecord({ right: 1 }) }
  expect(rowOf(records, '{wrong} and {right}', [{ figure: 'late', most: 1 }]).problems).toEqual([
    'The record learning has no figure wrong.',
    'The record learning has no figure late, which has a goal.',
  ])
  expect(rowOf({}, '{wrong}', [{ figure: 'late', most: 1 }]).problems).toEqual([])
})

test('each record is told with its command, commit and machine', () => {
  const { files } = composeMeasured({ learning: aRecord({ right: 1 }), 'bench.rpc': aRecord({ ms: 1 }) }, [])
  const text = files['README.md']
  expect(text).toContain('\nA: 1 x Abacus\n')
  expect(text).toContain('| `learning` | `npm run -s eval:learning` | 0123456789 | 2026-01-31 | A |')
  expect(text).toContain('| `bench.rpc` | `npm run -s bench -- --only rpc` | 0123456789 | 2026-01-31 | A |')
})

test('marks are filled wherever they stand in a line, and broken ones are named', () => {
  const records = { learning: aRecord({ right: 1582, share: 84 }) }
  const fill = (text: string) => fillMarks(text, records)
  expect(fill('In <!--=learning.right-->1<!--/--> (<!--=learning.share%-->?<!--/-->).\n')).toEqual({
    text: 'In <!--=learning.right-->1,582<!--/--> (<!--=learning.share%-->84.0 %<!--/-->).\n',
    problems: [],
  })
  expect(fill('of <!--=delegate.right-->43<!--/-->')).toEqual({
    text: 'of <!--=delegate.right-->43<!--/-->',
    problems: [],
  })
  expect(fill('of <!--=learning.wrong-->0<!--/-->').problems).toEqual([
    'The record learning has no figure wrong, which a mark names.',
  ])
  expect(fill('All\n<!--=learning.right-->1,582<!--/--> are right.').problems).toHaveLength(1)
  expect(fill('All\n  <!--=learning.right-->1,582<!--/--> are right.').problems).toHaveLength(1)
  expect(fill('`one` and `<!--=learning.right-->1,582<!--/--> rows`').problems).toEqual([
    'A mark within code is shown as it is: <!--=learning.right-->1,582<!--/-->',
  ])
  expect(fill('of <!--=learning.right-->1,582 are right.').problems).toEqual([
    '1 marks are broken, or never end.',
  ])
  expect(fill('of <!--= learning.right-->1,582<!--/--> are right.').problems).toHaveLength(1)
})

test.each([
  [0, '0'],
  [0.044, '0.04'],
  [4.567, '4.57'],
  [45.67, '45.7'],
  [456.7, '457'],
  [-12.4, '-12.4'],
  [1234567, '1,234,567'],
])('%d is written as %s', (value, text) => {
  expect(formatFigure(value)).toBe(text)
})
