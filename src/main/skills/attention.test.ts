import { describe, expect, test } from 'vitest'
import type { Skill, SkillIssue } from '../../shared/contract/learned/skills.ts'
import { runToEnd } from '../lib/timing.ts'
import { attentionFor, type Examined, overlapSteps } from './attention.ts'
import { aSkill, NOW } from '../../../testing/skills/a-skill.ts'

const DAY = 86_400_000

const examined = (skill: Partial<Skill> = {}, given: Partial<Examined> = {}): Examined => ({
  skill: aSkill(skill),
  last: [],
  issues: [],
  isDangerous: false,
  ...given,
})
/** The reasons for one skill among others. */
const reasons = (one: Examined, ...others: Examined[]): string[] =>
  attentionFor([one, ...others], NOW).get(one.skill.id) ?? []
const issue = (given: Partial<SkillIssue>): SkillIssue => ({
  line: 1,
  level: 'error',
  rule: 'name-format',
  text: 'The name is not right.',
  ...given,
})
const used = (daysAgo: number): Skill['uses'] => ({
  loads: 1,
  well: 1,
  corrected: 0,
  failed: 0,
  lastAt: NOW - daysAgo * DAY,
})

describe('a skill needs attention', () => {
  test('not while nothing is wrong', () => {
    expect(attentionFor([examined()], NOW)).toEqual(new Map())
  })

  test('when files that it refers to are missing', () => {
    const missing = issue({ rule: 'reference-missing', level: 'warning', text: '`a.md` is not there.' })
    expect(reasons(examined({}, { issues: [missing] }))).toEqual(['`a.md` is not there.'])
    expect(reasons(examined({}, { issues: [missing, missing] }))).toEqual([
      'It mentions 2 files that do not exist.',
    ])
    expect(reasons(examined({}, { issues: [{ ...missing, level: 'info' }] }))).toEqual([])
  })

  test('for errors in its form, not for warnings', () => {
    expect(reasons(examined({}, { issues: [issue({}), issue({ text: 'Another.' })] }))).toEqual([
      'Its format has 2 errors. The first one: The name is not right.',
    ])
    expect(reasons(examined({}, { issues: [issue({ level: 'warning' })] }))).toEqual([])
  })

  test('when it was not used for over sixty days', () => {
    expect(reasons(examined({ uses: used(61) }))).toEqual(['It was last used 61 days ago.'])
    expect(reasons(examined({ uses: used(60), updatedAt: 0 }))).toEqual([])
    expect(reasons(examined({ updatedAt: NOW - 61 * DAY }))).toEqual(['It has not been used for 61 days.'])
  })

  test('never because a built-in skill or one in a foreign folder was not used', () => {
    for (const origin of ['builtin', 'project', 'folder'] as const)
      expect(reasons(examined({ origin, updatedAt: 0 }))).toEqual([])
    expect(reasons(examined({ origin: 'builtin', uses: used(90) }))).toHaveLength(1)
  })

  test('when an import is old, by its import date and not by the dates of its files', () => {
    const source = { kind: 'git', address: 'a', within: '', commit: null, licence: null } as const
    const imported = (daysAgo: number) =>
      examined({ origin: 'imported', updatedAt: 0, source: { ...source, importedAt: NOW - daysAgo * DAY } })
    expect(reasons(imported(3))).toEqual([])
    expect(reasons(imported(70))).toEqual(['It has not been used for 70 days.'])
  })

  test('when the last three turns went badly', () => {
    const went = (...last: Examined['last']) => reasons(examined({ uses: used(1) }, { last }))
    expect(went('failed', 'corrected', 'failed')).toEqual([
      'The last three turns that used it failed or had to be corrected.',
    ])
    expect(went('failed', 'failed')).toEqual([])
    expect(went('failed', 'stopped', 'failed')).toEqual([])
    expect(went('well', 'failed', 'failed')).toEqual([])
  })

  test('when another skill takes its name, unless that is its edited copy', () => {
    const own = examined({ id: 'own/x', name: 'x' })
    const imported = examined({ id: 'imported/x', name: 'x', shadowedBy: 'own/x', isOwn: false })
    expect(reasons(imported, own)).toEqual(['Another skill with this name is used instead (own/x).'])
    expect(reasons(imported, examined({ id: 'own/x', name: 'x', isEdited: true }))).toEqual([])
  })

  test('when it is dangerous, even if it is off; if it is off, for nothing else', () => {
    const off = examined(
      { enabled: false, uses: used(100) },
      { isDangerous: true, issues: [issue({})], last: ['failed', 'failed', 'failed'] },
    )
    expect(reasons(off)).toEqual(['The security scan found something dangerous in it.'])
  })

  test('when its description is nearly the same as others', () => {
    const git = 'Write a commit message in the style of the repository. Use when the user commits changes.'
    const one = examined({ name: 'commit', description: git })
    const other = examined({ name: 'git-message', description: git.replace('style', 'format') })
    const third = examined({
      name: 'clean-csv',
      description: 'Repairs broken tables of numbers and exports them.',
    })
    expect(reasons(one, other, third)).toEqual([
      'Its description is almost the same as that of git-message. The model may choose the wrong skill.',
    ])
    expect(reasons(third, one, other)).toEqual([])
    expect(reasons(one, examined({ ...other.skill, enabled: false }))).toEqual([])
    expect(reasons(one, examined({ ...other.skill, blocked: 'It sends files away.' }))).toEqual([])
    expect(reasons(one, examined({ ...other.skill, shadowedBy: 'own/z' }))).toEqual([])
  })
})

describe('descriptions overlap', () => {
  const overlapsOf = (skills: Parameters<typeof overlapSteps>[0]) => runToEnd(overlapSteps(skills))
  const described = (id: string, description: string, project: string | null = null) => ({
    id,
    description,
    project,
  })
  const TEXT = 'Plan a garden bed with vegetables, herbs and watering times.'

  test('most similar first, ignoring case, accents and plurals', () => {
    const found = overlapsOf([
      described('a', TEXT),
      described('b', 'PLANS gardens bed: vegetable, herb, waterings, timés, compost, soil'),
      described('c', `${TEXT} Also weeds.`),
    ])
    expect(found.get('a')?.[0]).toBe('c')
    expect(found.get('c')).toContain('a')
  })

  test('never between two projects, but between a project and skills available everywhere', () => {
    const [one, two, all] = [described('1', TEXT, '/a'), described('2', TEXT, '/b'), described('3', TEXT)]
    expect([...overlapsOf([one, two])]).toEqual([])
    expect(overlapsOf([one, all]).get('1')).toEqual(['3'])
  })

  test('not because both are short or empty', () => {
    expect([
      ...overlapsOf([described('a', 'Use it.'), described('b', 'Use it.'), described('c', '')]),
    ]).toEqual([])
  })

  test('among thousands with common words, without comparing every pair', () => {
    const skills = Array.from({ length: 5_000 }, (_, n) =>
      described(
        `s${n}`,
        `Sorts folder notes by topic number${n} area${n} kind${n} place${n} when asked for order.`,
      ),
    )
    // Two equal descriptions, made of words that all descriptions have.
    skills.push(
      described('x', 'Sorts folder notes by topic order.'),
      described('y', 'Order topic: sorts folder notes.'),
    )
    const found = overlapsOf(skills)
    expect(found.get('x')).toEqual(['y'])
    expect(found.size).toBe(2)
  })
})
