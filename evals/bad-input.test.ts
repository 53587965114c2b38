import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { aFolder } from '../testing/db/a-store.ts'

const run = (program: string, args: readonly string[]) => {
  const path = fileURLToPath(new URL(`${program}/index.ts`, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

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
])('eval:recall names %s and prints no figure', ([, queries, says]) => {
  using folder = aFolder()
  const set = join(folder.path, 'set')
  mkdirSync(set)
  writeFileSync(join(set, 'conversations.jsonl'), lines(chat))
  if (queries !== undefined) writeFileSync(join(set, 'queries.jsonl'), queries)
  const { status, stdout, stderr } = run('recall', [set])
  expect(stderr).toMatch(says)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
})

const right = {
  id: 'a-1',
  kind: 'negative',
  tools: [],
  text: 'Hello',
  expect: { content: 'Hello', reasoning: null, calls: [] },
}
const { expect: __, ...unlabelled } = right

test.for<[what: string, cases: string | undefined, args: string[], says: RegExp]>([
  ['a file that is not there', undefined, [], /cases\.jsonl cannot be read: ENOENT/],
  ['an empty set', '', [], /cases\.jsonl has no rows/],
  ['a broken row', lines(right, 'no row'), [], /Line 2 of .*cases\.jsonl is no row/],
  ['a row without an expectation', lines(unlabelled), [], /Line 1 of .* is no row: expect/],
  ['an engine that does not exist', lines(right), ['--engine', 'cloud'], /Usage: /],
])('eval:toolcalls names %s and prints no figure', ([, cases, args, says]) => {
  using folder = aFolder()
  const path = join(folder.path, 'cases.jsonl')
  if (cases !== undefined) writeFileSync(path, cases)
  const { status, stdout, stderr } = run('toolcalls', [...args, path])
  expect(stderr).toMatch(says)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
})
