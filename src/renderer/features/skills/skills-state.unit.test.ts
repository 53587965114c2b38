import { expect, test } from 'vitest'
import type { Skill, SkillLibrary } from '../../../shared/contract/learned/skills.ts'
import {
  copyOver,
  countsOf,
  initialSkills,
  listedOf,
  nameOfCopy,
  noFilters,
  presentId,
  rowsOf,
  withLibrary,
  type Filters,
} from './skills-state.ts'

const aSkill = (name: string, given: Partial<Skill> = {}): Skill => ({
  id: `own/${name}`,
  key: name,
  name,
  description: `About ${name}.`,
  category: '',
  origin: 'user',
  tags: [],
  platforms: [],
  requires: [],
  pinned: false,
  prerequisites: [],
  enabled: true,
  unavailable: null,
  blocked: null,
  shadowedBy: null,
  isEdited: false,
  isOwn: true,
  project: null,
  tokens: 100,
  bytes: 400,
  fileCount: 1,
  hasScripts: false,
  issues: 0,
  uses: { loads: 0, well: 0, corrected: 0, failed: 0, lastAt: null },
  attention: [],
  source: null,
  updatedAt: 0,
  ...given,
})
const aLibrary = (skills: Skill[], given: Partial<SkillLibrary> = {}): SkillLibrary => ({
  skills,
  unreadable: [],
  links: [],
  projects: [],
  bundles: [],
  useInChats: true,
  learnFromChats: true,
  deleted: [],
  ...given,
})
const loads = (count: number) => ({ uses: { ...aSkill('x').uses, loads: count } })

const some = [
  aSkill('plan-10', { tags: ['Garden'], ...loads(3), tokens: 300, updatedAt: 2 }),
  aSkill('plan-9', { description: 'Beds and rows.', ...loads(5), updatedAt: 9, enabled: false }),
  aSkill('csv', { origin: 'builtin', tokens: 900, updatedAt: 5, attention: ['unused'] }),
  aSkill('ship', { origin: 'imported', blocked: 'sends keys' }),
]

test.for([
  [{}, ['csv', 'plan-9', 'plan-10', 'ship']],
  [{ sort: 'used' }, ['plan-9', 'plan-10', 'csv', 'ship']],
  [{ sort: 'updated' }, ['plan-9', 'csv', 'plan-10', 'ship']],
  [{ sort: 'size' }, ['csv', 'plan-10', 'plan-9', 'ship']],
  [{ query: 'garden' }, ['plan-10']],
  [{ query: 'BEDS  plan' }, ['plan-9']],
  [{ show: 'on' }, ['csv', 'plan-10']],
  [{ show: 'attention' }, ['csv', 'ship']],
  [{ show: 'imported', query: 'csv' }, []],
  [{ show: 'deleted' }, []],
] as const satisfies [Partial<Filters>, string[]][])('%o lists %o', ([change, names]) => {
  const rows = rowsOf(aLibrary(some), { ...noFilters, ...change })
  expect(rows.map(row => (row.kind === 'skill' ? row.skill.name : row.kind))).toEqual(names)
})

test('each filter shows how many skills it would list', () => {
  expect(countsOf(some, 2)).toEqual({
    all: 4,
    on: 2,
    agent: 0,
    builtin: 1,
    imported: 1,
    attention: 2,
    deleted: 2,
  })
})

test('an edited copy hides its original; other skills of the same name stay listed', () => {
  const copy = aSkill('csv', { isEdited: true, origin: 'builtin' })
  const original = aSkill('csv', { id: 'bundled/csv', shadowedBy: copy.id })
  const other = aSkill('haiku')
  const hidden = aSkill('haiku', { id: 'imported/haiku', shadowedBy: other.id })
  const listed = listedOf(aLibrary([copy, original, other, hidden]))
  expect(listed.map(skill => skill.id)).toEqual(['own/csv', 'own/haiku', 'imported/haiku'])
})

test('a project’s skills follow its folder; untrusted folders and unreadable files come last', () => {
  const library = aLibrary([aSkill('beds', { project: '/garden' }), aSkill('csv')], {
    projects: [
      { folder: '/garden', trusted: true, skills: 1 },
      { folder: '/shop', trusted: false, skills: 4 },
    ],
    unreadable: [{ path: '/odd', reason: 'no text' }],
  })
  const keys = (change: Partial<Filters> = {}) =>
    rowsOf(library, { ...noFilters, ...change }).map(row => row.key)
  expect(keys()).toEqual(['own/csv', 'folder /garden', 'own/beds', 'folder /shop', 'unreadable /odd'])
  expect(keys({ query: 'beds' })).toEqual(['folder /garden', 'own/beds'])
  expect(keys({ show: 'builtin' })).toEqual([])
})

test('removed skills are deselected', () => {
  const state = withLibrary({ ...initialSkills, selected: new Set(['own/csv', 'own/gone']) }, aLibrary(some))
  expect([...state.selected]).toEqual(['own/csv'])
})

test('a skill that moved is found at its new place', () => {
  const before = withLibrary(initialSkills, aLibrary([aSkill('csv', { id: 'bundled/csv' })]))
  const edited = aLibrary([aSkill('csv', { isEdited: true })])
  const after = withLibrary(before, edited)
  expect(presentId(edited, after, 'bundled/csv')).toBe('own/csv')
  expect(presentId(aLibrary([]), withLibrary(after, aLibrary([])), 'own/csv')).toBe(undefined)
  expect(presentId(edited, after, 'own/never')).toBe(undefined)
})

test('an edited copy replaces its original; another skill of that name does not', () => {
  const original = aSkill('csv', { id: 'bundled/csv', shadowedBy: 'own/csv' })
  const over = (copy: Skill) => copyOver(aLibrary([copy, original]), 'bundled/csv')
  expect(over(aSkill('csv', { isEdited: true }))).toBe('own/csv')
  expect(over(aSkill('csv'))).toBe(undefined)
  expect(copyOver(null, 'bundled/csv')).toBe(undefined)
})

test('a copy gets a free name within the length limit', () => {
  expect(nameOfCopy('csv', new Set())).toBe('csv-copy')
  expect(nameOfCopy('csv', new Set(['csv-copy', 'csv-copy-2']))).toBe('csv-copy-3')
  expect(nameOfCopy(`${'a'.repeat(58)}-bcdef`, new Set())).toBe(`${'a'.repeat(58)}-copy`)
})
