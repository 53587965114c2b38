import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { countVerdicts, judgeRows, Row } from './measure.ts'

const rowsOf = (name: string) => readRows(fileURLToPath(new URL(`${name}.jsonl`, import.meta.url)), Row)

describe('labelled addresses', () => {
  test('those made before the judge are all judged as they are meant', () => {
    const judged = judgeRows(rowsOf('first'))
    expect(judged.filter(({ verdict, want }) => verdict !== want)).toEqual([])
    expect(differences('addresses', countVerdicts(judged))).toEqual([])
  })

  test('and so are those made after it', () => {
    const judged = judgeRows(rowsOf('fresh'))
    expect(judged.filter(({ verdict, want }) => verdict !== want)).toEqual([])
    expect(differences('addresses-fresh', countVerdicts(judged))).toEqual([])
  })

  test('no two rows ask for the same', () => {
    const all = [...rowsOf('first'), ...rowsOf('fresh')].map(({ url, resolves }) =>
      JSON.stringify([url, resolves]),
    )
    expect(all.filter((each, at) => all.indexOf(each) !== at)).toEqual([])
  })

  test('a private address that is judged public counts as dangerous, a public one that is not as forbidden', () => {
    const wrong = [
      { id: 1, url: 'https://example.com/', want: 'private' as const },
      { id: 2, url: 'https://example.com/', want: 'never' as const },
      { id: 3, url: 'https://example.com/', want: 'invalid' as const },
      { id: 4, url: 'http://10.0.0.1/', want: 'public' as const },
      { id: 5, url: 'http://10.0.0.1/', want: 'private' as const },
    ]
    expect(countVerdicts(judgeRows(wrong))).toEqual({ rows: 5, right: 1, dangerous: 2, forbidden: 1 })
  })
})
