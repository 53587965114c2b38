import { expect, test } from 'vitest'
import type { SkillCandidate } from '../../../../shared/contract/learned/skill-imports.ts'
import { askingCandidates, proposeChoices, toInstall, wrongNames } from './import-choices.ts'

type Replaces = NonNullable<SkillCandidate['replaces']>

const candidate = (name: string, replaces?: Partial<Replaces>, given: Partial<SkillCandidate> = {}) => ({
  path: name,
  name,
  description: '',
  text: '',
  files: [],
  issues: [],
  scan: { verdict: 'safe' as const, findings: [] },
  policy: 'use' as const,
  publisher: null,
  licence: null,
  replaces: replaces
    ? { id: `x/${name}`, origin: 'imported' as const, isEdited: false, changes: [], ...replaces }
    : null,
  on: true,
  refused: null,
  seen: `seen ${name}`,
  ...given,
})

test('by default imported skills and edited copies are replaced, and the user’s own skills kept beside the new ones', () => {
  const candidates = [
    candidate('new'),
    candidate('known', {}),
    candidate('mine', { origin: 'user' }),
    candidate('changed', { origin: 'user', isEdited: true }),
    candidate('bad', undefined, { refused: 'Its SKILL.md is empty.' }),
  ]
  const choices = proposeChoices(candidates)
  expect(Object.values(choices).map(choice => choice.act)).toEqual([
    'install',
    'replace',
    'both',
    'replace',
    'skip',
  ])
  expect(toInstall(candidates, choices, false)).toMatchObject([
    { path: 'new', seen: 'seen new' },
    { path: 'known' },
    { path: 'mine', as: 'mine-2' },
    { path: 'changed' },
  ])
})

test('a proposed name is not used by another candidate', () => {
  const candidates = [candidate('mine', { origin: 'agent' }), candidate('mine-2')]
  expect(proposeChoices(candidates)['mine']?.name).toBe('mine-3')
})

test('a long name with a number stays within the length limit', () => {
  const long = 'a'.repeat(64)
  const candidates = [candidate(long, { origin: 'user' })]
  const choices = proposeChoices(candidates)
  expect([choices[long]!.act, choices[long]!.name]).toEqual(['both', `${'a'.repeat(60)}-2`])
  expect([...wrongNames(candidates, choices)]).toEqual([])
})

test('only the name of a skill to be imported under another name is checked', () => {
  const candidates = [candidate('tea'), candidate('mine', { origin: 'user' })]
  const choices = proposeChoices(candidates)
  const named = (name: string, act: 'both' | 'skip' = 'both') => ({
    ...choices,
    mine: { ...choices['mine']!, act, name },
  })
  expect([...wrongNames(candidates, choices)]).toEqual([])
  expect([...wrongNames(candidates, named('tea'))]).toEqual([['mine', 'taken']])
  expect([...wrongNames(candidates, named('mine'))]).toEqual([['mine', 'taken']])
  expect([...wrongNames(candidates, named('No Name'))]).toEqual([['mine', 'wrong']])
  expect([...wrongNames(candidates, named('tea', 'skip'))]).toEqual([])
})

test('a caution is installed with a yes to its lines, and only while it is selected', () => {
  const candidates = [candidate('careful', undefined, { policy: 'ask' }), candidate('plain')]
  const choices = proposeChoices(candidates)
  expect(askingCandidates(candidates, choices).map(({ name }) => name)).toEqual(['careful'])
  expect(toInstall(candidates, choices, true)).toMatchObject([
    { path: 'careful', accept: true },
    { path: 'plain' },
  ])
  expect(
    askingCandidates(candidates, { ...choices, careful: { ...choices['careful']!, act: 'skip' } }),
  ).toEqual([])
})
