import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCase, type Case } from './run-case.ts'

const cases = readFileSync(new URL('cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as Case)

/** Cases that run at once; what they wait for is mostly files and commands. */
const TOGETHER = 8

test('the facts of sub-agents are right in every case, and a wrong fact would be noticed', async () => {
  expect(cases.length).toBeGreaterThanOrEqual(40)
  const wrong: Record<string, string[]> = {}
  for (let at = 0; at < cases.length; at += TOGETHER)
    await Promise.all(
      cases.slice(at, at + TOGETHER).map(async each => {
        const found = await runCase(each)
        if (found.length > 0) wrong[each.id] = found
      }),
    )
  expect(wrong).toEqual({})
  const [first] = cases
  const lie = { ...first!, facts: [{ ...first!.facts[0]!, files: ['other.txt'], end: 'failed' as const }] }
  expect(await runCase(lie)).toHaveLength(2)
}, 120_000)
