import { expect, test } from 'vitest'
import type { Skill } from '../../../shared/contract/skills.ts'
import { matchingSkills, skillsFor, slashWord, type SlashOffer } from './known-skills.ts'

const here = '/home/ada/notes'
const idsFor = (...skills: Skill[]) => skillsFor(here, skills).map(skill => skill.id)
const aSkill = ({ name, origin = 'user', ...given }: Partial<Skill> & { name: string }): Skill => ({
  id: `${origin}/${name}`,
  key: `${origin}/${name}`,
  name,
  origin,
  description: '',
  category: '',
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
  isOwn: origin === 'user',
  project: null,
  tokens: 0,
  bytes: 0,
  fileCount: 1,
  hasScripts: false,
  issues: 0,
  uses: { loads: 0, well: 0, corrected: 0, failed: 0, lastAt: null },
  attention: [],
  source: null,
  updatedAt: 0,
  ...given,
})

test('a project’s skill replaces one of the same name in its own folder only', () => {
  const bundled = aSkill({ name: 'deploy', origin: 'builtin' })
  const project = aSkill({ name: 'deploy', origin: 'project', project: here })
  expect(idsFor(bundled, project)).toEqual([project.id])
  expect(idsFor(project, bundled)).toEqual([project.id])
  expect(idsFor(bundled, { ...project, project: '/elsewhere' })).toEqual([bundled.id])
})

test('a project’s skill that is off still hides one of the same name, as it does for the model', () => {
  const bundled = aSkill({ name: 'deploy', origin: 'builtin' })
  expect(
    idsFor(bundled, aSkill({ name: 'deploy', origin: 'project', project: here, enabled: false })),
  ).toEqual([])
})

test('skills are sorted by number of uses, then by last use, then by name', () => {
  const uses = { loads: 1, well: 0, corrected: 0, failed: 0, lastAt: 10 }
  expect(
    idsFor(
      aSkill({ name: 'b' }),
      aSkill({ name: 'a' }),
      aSkill({ name: 'old', uses }),
      aSkill({ name: 'new', uses: { ...uses, lastAt: 20 } }),
      aSkill({ name: 'most', uses: { ...uses, loads: 2, lastAt: 5 } }),
    ),
  ).toEqual(['user/most', 'user/new', 'user/old', 'user/a', 'user/b'])
})

test.for([
  ['/', ''],
  ['/tidy-csv', 'tidy-csv'],
  ['/übung_2.0', 'übung_2.0'],
  ['/usr/bin', undefined],
  ['/tidy csv', undefined],
  [' /tidy', undefined],
  ['tidy', undefined],
  ['', undefined],
] as const)('of the message %j the slash word is %j', ([draft, word]) => {
  expect(slashWord(draft)).toBe(word)
})

test('typed letters match the start of a word first, then the start of one of its parts', () => {
  const offers = ['/fetch', '/make-csv', '/CSV-report', '/etc.tool'].map((word): SlashOffer => ({
    word,
    says: '',
    kind: 'skill',
    loads: 0,
  }))
  const words = (typed: string) => matchingSkills(offers, typed).map(offer => offer.word)
  expect(words('csv')).toEqual(['/CSV-report', '/make-csv'])
  expect(words('etc')).toEqual(['/etc.tool'])
  expect(words('')).toHaveLength(4)
  expect(words('tool')).toEqual(['/etc.tool'])
})
