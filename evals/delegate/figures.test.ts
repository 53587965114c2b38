import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { Case } from './case.ts'
import { measureDelegate } from './measure.ts'
import { readFacts, wrongFacts } from './read-facts.ts'
import { runCase } from './run-case.ts'

const cases = readRows(fileURLToPath(new URL('cases.jsonl', import.meta.url)), Case)

test('the facts of sub-agents are right in every case, and as many as recorded', async () => {
  const { rows, figures } = await measureDelegate(cases)
  expect(rows.filter(({ right }) => !right)).toEqual([])
  expect(differences('delegate', figures)).toEqual([])
}, 300_000)

test('a wrong fact is noticed', async () => {
  const [first] = cases
  const lie = { ...first!, facts: [{ ...first!.facts[0]!, files: ['other.txt'], end: 'failed' as const }] }
  expect(await runCase(lie)).toHaveLength(2)
})

test('a result that names no facts is wrong in each that is wanted, also where none and 0 are', () => {
  const wanted = { end: 'done', ok: true, files: [], commands: [], denied: [], failed: 0, steps: 0 } as const
  for (const text of ['', 'All went well.', 'What Talaria knows of it, whatever it says:\n', undefined])
    expect(
      wrongFacts({ ...wanted, files: [], commands: [], denied: [] }, readFacts(text, true, { end: 'done' })),
    ).toEqual([
      'files: nothing instead of []',
      'commands: nothing instead of []',
      'denied: nothing instead of []',
      'failed: nothing instead of 0',
      'steps: nothing instead of 0',
    ])
})
