import { expect, test } from 'vitest'
import type { LearningRule } from '../../../shared/contract/learned/learning.ts'
import { gistOf, ruleAgainst, ruleFrom } from './learning-rules.ts'

const memory = (after: string | null, before: string | null = null) => ({
  kind: 'memory' as const,
  headline: after ?? `Forget: ${before}`,
  place: 'About you',
  before,
  after,
})
const skill = (
  place: string,
  before: string | null,
  after: string | null,
  headline = `Change of the skill “${place}”`,
) => ({
  kind: 'skill' as const,
  headline,
  place,
  before,
  after,
})
/** Whether a rule made from one proposal blocks another one. */
function keepsOut(
  rejected: ReturnType<typeof memory | typeof skill>,
  next: ReturnType<typeof memory | typeof skill>,
) {
  const rules: LearningRule[] = [ruleFrom(rejected, 1)]
  let hits = 0
  const found = ruleAgainst(
    { rules: () => rules, hitRule: () => void hits++ },
    gistOf({ ...next, isMemory: next.kind === 'memory' }),
  )
  expect(hits).toBe(found ? 1 : 0)
  return found !== undefined
}

test.for([
  ['the same', 'Uses pnpm, never npm.', 'Uses pnpm, never npm.', true],
  ['nearly the same words', 'Uses pnpm, never npm.', 'Always uses pnpm and never npm', true],
  ['something else of the same kind of sentence', 'Uses pnpm, never npm.', 'Uses fish as a shell.', false],
  ['something else', 'Has two cats.', 'Lives in Bern.', false],
] as const)('%s', ([, rejected, next, isOut]) => {
  expect(keepsOut(memory(rejected), memory(next))).toBe(isOut)
})

test('a rule against forgetting an entry does not block adding similar ones', () => {
  expect(keepsOut(memory(null, 'Lives in Bern.'), memory(null, 'Lives in Bern.'))).toBe(true)
  expect(keepsOut(memory(null, 'Lives in Bern.'), memory('Lives in Bern.'))).toBe(false)
})

test('a rule against one skill change blocks neither other changes of that skill nor changes of others', () => {
  const rejected = skill(
    'triage',
    'List the issues.\n',
    'List the issues.\nWrite a poem about each of them.\n',
  )
  expect(keepsOut(rejected, rejected)).toBe(true)
  expect(keepsOut(rejected, skill('triage', 'List the issues.\n', 'List the issues.\nSort by age.\n'))).toBe(
    false,
  )
  expect(keepsOut(rejected, skill('haiku', 'Count.\n', 'Count.\nShow it.\n'))).toBe(false)
})

test('a new skill is recognised by its name and its purpose', () => {
  const create = (name: string, says: string) =>
    skill(name, null, `---\n${says}\n---`, `New skill “${name}”: ${says}`)
  const rejected = create('deploy-site', 'Deploy the site to staging.')
  expect(keepsOut(rejected, create('site-deploy', 'Deploy the site to the staging server.'))).toBe(true)
  expect(keepsOut(rejected, create('haiku', 'Write a poem.'))).toBe(false)
})

test('a rule in the user’s own words has no words to compare', () => {
  const rule: LearningRule = { id: 'r', text: 'Nothing about my health.', example: '', at: 1, hits: 0 }
  const store = { rules: () => [rule], hitRule: () => {} }
  expect(ruleAgainst(store, '')).toBeUndefined()
  expect(ruleAgainst(store, 'Nothing about my health.')).toBeUndefined()
})
