import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../../testing/db/a-store.ts'
import { runEval } from '../../testing/evals/run-eval.ts'

const chat = {
  conversation_id: 'c',
  session_id: 'c/s01',
  datetime: '2026-03-01T10:00:00',
  turns: [{ dia_id: 'D1:1', speaker: 'user', text: 'Hello' }],
}
const query = { query_id: 'q', conversation_id: 'c', question: 'Hello?', evidence: ['D1:1'] }
const { evidence: _, ...withoutEvidence } = query
const lines = (...rows: unknown[]) =>
  rows.map(row => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')

test.for<[what: string, queries: string | undefined, says: RegExp]>([
  ['a file that is not there', undefined, /queries\.jsonl cannot be read: ENOENT/],
  ['an empty set', '\n', /queries\.jsonl has no rows/],
  ['a broken row', lines(query, '{"query_id": "x"'), /Line 2 of .*queries\.jsonl is no row/],
  ['a row without an expectation', lines(withoutEvidence), /Line 1 of .* is no row: evidence/],
  ['a message that is not there', lines({ ...query, evidence: ['D9:1'] }), /there is no turn D9:1 in c/],
  ['nothing that may be asked', lines({ ...query, skip: 'wrong' }), /There is nothing to ask in/],
])('eval:recall names %s and prints no figure', async ([, queries, says]) => {
  using folder = aFolder()
  const set = join(folder.path, 'set')
  mkdirSync(set)
  writeFileSync(join(set, 'conversations.jsonl'), lines(chat))
  if (queries !== undefined) writeFileSync(join(set, 'queries.jsonl'), queries)
  const { code, out, said } = await runEval('recall', [set])
  expect(said).toMatch(says)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})
