import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeReadFetched } from '../../src/main/web/read/read-fetched.ts'
import { differences } from '../records.ts'
import { givenPages, measurePages, readRow, wordF1, type ReadRow } from './measure.ts'

test('the pages of the repository are read as recorded', { timeout: 120_000 }, async () => {
  const pages = givenPages(fileURLToPath(new URL('pages.jsonl', import.meta.url)))
  const read = makeReadFetched({ limits: { timeMs: 60_000 } })
  const rows: ReadRow[] = []
  for (const page of pages) rows.push(await readRow(read, page, false))
  expect(differences('webread', measurePages(pages, rows))).toEqual([])
})

test('words that are missing and words too many count alike, and addresses of links not at all', () => {
  expect(wordF1('one two', 'one two')).toBe(100)
  expect(wordF1('one', 'one two three')).toBe(50)
  expect(wordF1('one two three', 'one')).toBe(50)
  expect(wordF1('[one](https://site.example/two)', 'one')).toBe(100)
  expect(wordF1('渡し船', '渡し船')).toBe(100)
  expect(wordF1('', '')).toBe(100)
})

test('code counts as kept with each of its lines, and a table with each of its cells', () => {
  const expected = '```js\na\n\n  b\n```\n\n| A | B |\n| --- | --- |\n| 1 | 2 |'
  const row = { id: 'a', title: '', hidden: [], problems: [] }
  const figures = (markdown: string) =>
    measurePages([{ id: 'a', html: '', expected }], [{ ...row, markdown }])
  expect(figures(expected)).toMatchObject({ code: 1, codeKept: 100, tables: 1, tablesKept: 100 })
  expect(figures('```\na\nb\n```\n\n| A | B |\n| --- | --- |\n| 1 |  |')).toMatchObject({
    codeKept: 0,
    tablesKept: 0,
  })
})
