import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../../testing/db/a-store.ts'
import { runEval } from '../../testing/evals/run-eval.ts'

const lines = (...rows: unknown[]) =>
  rows.map(row => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')

const right = {
  id: 'a-1',
  kind: 'negative',
  tools: [],
  text: 'Hello',
  expect: { content: 'Hello', reasoning: null, calls: [] },
}
const { expect: _, ...unlabelled } = right

test.for<[what: string, cases: string | undefined, args: string[], says: RegExp]>([
  ['a file that is not there', undefined, [], /cases\.jsonl cannot be read: ENOENT/],
  ['an empty set', '', [], /cases\.jsonl has no rows/],
  ['a broken row', lines(right, 'no row'), [], /Line 2 of .*cases\.jsonl is no row/],
  ['a row without an expectation', lines(unlabelled), [], /Line 1 of .* is no row: expect/],
  ['an engine that does not exist', lines(right), ['--engine', 'cloud'], /Usage: /],
])('eval:toolcalls names %s and prints no figure', async ([, cases, args, says]) => {
  using folder = aFolder()
  const path = join(folder.path, 'cases.jsonl')
  if (cases !== undefined) writeFileSync(path, cases)
  const { code, out, said } = await runEval('toolcalls', [...args, path])
  expect(said).toMatch(says)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})
