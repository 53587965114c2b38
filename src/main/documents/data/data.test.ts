import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { readMade, textsOf } from '../../../../testing/documents/read-made.ts'

test('a table as text is read with semicolons, tabs and decimal commas', async () => {
  const read = await readMade('prices.csv', 'Name;Price\r\n"Tea; green";1,50\r\n"say ""hi""";2,00\r\n')
  expect(read).toEqual({
    kind: 'csv',
    encoding: 'UTF-8',
    pages: [
      {
        n: 1,
        text: 'Table: 3 rows of 2 columns, parted by semicolons; numbers have a decimal comma\n\n| Name | Price |\n| --- | --- |\n| Tea; green | 1,50 |\n| say "hi" | 2,00 |',
      },
    ],
    problems: [],
  })
  expect(await textsOf('a.tsv', 'a\tb\n1\t\n')).toEqual([
    'Table: 2 rows of 2 columns, parted by tabs\n\n| a | b |\n| --- | --- |\n| 1 |  |',
  ])
  expect(await textsOf('a.csv', 'a,b\n"two\nlines",2')).toEqual([
    'Table: 2 rows of 2 columns, parted by commas\n\n| a | b |\n| --- | --- |\n| two / lines | 2 |',
  ])
})

test('what is no table is text, though its name says so, and uneven rows are counted', async () => {
  expect(await readMade('a.csv', 'just words\nin lines\n')).toMatchObject({ kind: 'text' })
  expect(await readMade('a.csv', 'a,b\n1,2\n3,4\n5\n')).toMatchObject({
    problems: ['1 row has another number of values than the first one.'],
  })
})

test('lines may end with a carriage return alone', async () => {
  expect(await textsOf('a.csv', 'a,b\r1,2\r')).toEqual([
    'Table: 2 rows of 2 columns, parted by commas\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
  ])
})

test('an older encoding is found and named', async () => {
  const bytes = Buffer.from('Straße;Größe\nMünchen;5\nKöln;6\nZürich;7\n', 'latin1')
  expect(await readMade('a.csv', bytes)).toMatchObject({ kind: 'csv', encoding: 'windows-1252' })
})

test('a notebook is its texts, code and results', async () => {
  const notebook = {
    nbformat: 4,
    metadata: { kernelspec: { language: 'python' } },
    cells: [
      { cell_type: 'markdown', source: ['# Sums\n', 'Text'] },
      {
        cell_type: 'code',
        execution_count: 3,
        source: 'print(1)',
        outputs: [
          { output_type: 'stream', text: ['1\n'] },
          { output_type: 'display_data', data: { 'image/png': 'AAAA', 'text/plain': '<Figure>' } },
          { output_type: 'error', ename: 'ValueError', evalue: 'no' },
        ],
      },
    ],
  }
  expect(await textsOf('a.ipynb', JSON.stringify(notebook))).toEqual([
    '# Sums\nText\n\n[code 3]\n```python\nprint(1)\n```\n\n[result]\n1\n\n[result]\n(a picture: image/png)\n\n[result]\nValueError: no',
  ])
})

test('a notebook of version 3 is read as well, and what it prints in pieces is one result', async () => {
  const notebook = {
    nbformat: 3,
    worksheets: [
      {
        cells: [
          { cell_type: 'heading', level: 2, source: 'Sums' },
          {
            cell_type: 'code',
            prompt_number: 4,
            input: ['a =', ' 1'],
            outputs: [
              { output_type: 'stream', text: 'one ' },
              { output_type: 'stream', text: ['two'] },
              { output_type: 'pyout', html: '<table><tr><td>a<td>b</table>', text: 'a b' },
              { output_type: 'display_data', png: 'AAAA' },
              { output_type: 'pyerr', ename: 'KeyError', evalue: 'x' },
            ],
          },
        ],
      },
    ],
  }
  expect(await textsOf('a.ipynb', JSON.stringify(notebook))).toEqual([
    '## Sums\n\n[code 4]\n```\na = 1\n```\n\n[result]\none two\n\n[result]\n| a | b |\n| --- | --- |\n\n[result]\n(a picture: image/png)\n\n[result]\nKeyError: x',
  ])
})

test('an SQLite database is its tables with their first rows, and its views are not run', async () => {
  const database = new Database(':memory:')
  database.exec(`create table people (name text, photo blob, age integer); create table empty (id);
    create view loop as with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n;`)
  const insert = database.prepare('insert into people values (?, ?, ?)')
  for (let at = 0; at < 30; at++)
    insert.run(`Person ${at}`, at === 0 ? Buffer.alloc(3) : null, 9_007_199_254_740_993n)
  const bytes = database.serialize()
  database.close()
  // As if it had been written with a log beside it.
  bytes[18] = bytes[19] = 2
  const read = await readMade('a.db', bytes)
  if ('refused' in read) throw new Error(read.refused)
  expect(read.kind).toBe('sqlite')
  expect(read.pages[0]!.text).toMatch(
    /^Table people: 30 rows, of which the first 20 follow\n\n\| name \| photo \| age \|/,
  )
  expect(read.pages[0]!.text).toContain('| Person 0 | (3 bytes) | 9007199254740993 |')
  expect(read.pages[1]!.text).toBe('Table empty: 0 rows\n\nColumns: id')
  expect(read.pages[2]!.text).toMatch(/^Views, which are not run:/)
  expect(await textsOf('a.db', bytes.subarray(0, 3_000))).toMatch(/^is damaged/)
})
