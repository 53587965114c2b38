import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { differences } from '../records.ts'
import { measureSmall } from './measure.ts'
import { readRequests, wantsTool } from './row.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const requests = readRequests([path('requests.jsonl')])

/** As in the list of evals. A request takes a second or two, so the tests only ask some of them. */
const EVERY = 12

test('there are 120 requests, half of them for an empty folder, and 40 want no tool', () => {
  const count = (holds: (row: (typeof requests)[number]) => boolean) => requests.filter(holds).length
  expect(requests).toHaveLength(120)
  expect(count(({ folder }) => folder === 'empty')).toBe(60)
  expect(count(row => wantsTool(row) === 'none')).toBe(40)
})

test('a sample of the requests fares as recorded with the built-in model', { timeout: 600_000 }, async () => {
  const sample = requests.filter((_, at) => at % EVERY === 0)
  const { rows, figures } = await measureSmall(sample, 'builtin')
  expect(rows.map(({ id }) => id)).toEqual(sample.map(({ id }) => id))
  expect(differences('small-sample', figures)).toEqual([])
})
