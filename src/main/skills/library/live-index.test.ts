import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clockRuns, clockUntil, until } from '../../../../testing/until.ts'
import { aLibrary, aScan, aSkillText } from '../../../../testing/skills/a-library.ts'
import { skillChecks } from './skill-checker.ts'

/** Advance the date until files no longer count as just written. */
function settle(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_200 })
}

// Files and file system events are real; only the clock is faked.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const namesOf = (library: { list(): { skill: { name: string } }[] }) =>
  library.list().map(({ skill }) => skill.name)

// oxlint-disable-next-line require-yield -- there is nothing to compare, so it takes no step
const noOverlaps = function* () {
  return new Map<string, string[]>()
}

test('read skills are cached for the next process, and only changed ones are read again', async () => {
  using home = aLibrary()
  home.put('skills/haiku', undefined, { 'references/moon.md': 'Old pond.' })
  home.put('imported-skills/trap', aSkillText('trap', 'EVIL'))
  home.put('skills/writing/letter')
  settle()
  const first = home.open()
  first.scan('imported/trap')
  const before = first.list()
  expect([home.reads(), home.scanned.length]).toEqual([3, 1])

  const second = home.open()
  expect(second.list()).toEqual(before)
  expect(second.get('imported/trap')?.skill.blocked).toBe('It says EVIL.')
  second.scan('imported/trap')
  expect([home.reads(), home.scanned.length]).toEqual([3, 1])

  const moon = 'skills/haiku/references/moon.md'
  const written = statSync(home.at(moon)).ctimeMs
  // File times advance in steps.
  await until(() => {
    home.write(moon, 'New pond.')
    return statSync(home.at(moon)).ctimeMs !== written
  })
  const third = home.open()
  expect(third.get('own/haiku')?.skill.updatedAt).not.toBe(before[0]!.skill.updatedAt)
  expect(home.reads()).toBe(4)
})

test('a cache that is damaged, outdated or not writable costs only time', async () => {
  using home = aLibrary({ edition: '1' })
  home.put('skills/haiku')
  settle()
  const first = home.open()
  expect(namesOf(first)).toEqual(['haiku'])
  first.close()
  const cache = home.at('cache/skills.json')
  const text = readFileSync(cache, 'utf8')
  for (const damaged of [
    text.slice(0, -2),
    text.replace('haiku', 'trick'),
    '',
    'null',
    '\n[]',
    text.replace('"1"', '"2"'),
  ]) {
    writeFileSync(cache, damaged)
    const reads = home.reads()
    const library = home.open()
    expect(namesOf(library)).toEqual(['haiku'])
    expect(home.reads()).toBe(reads + 1)
    library.close()
  }
  rmSync(home.at('cache'), { recursive: true })
  home.write('cache', 'A file where the folder should be.')
  const library = home.open()
  expect(namesOf(library)).toEqual(['haiku'])
  library.close()
  expect(home.reports.splice(0)).toMatchObject([{ code: 'EEXIST' }])
})

test('added, removed, moved and renamed skills are seen after “changed”', async () => {
  using home = aLibrary()
  home.put('skills/haiku')
  const library = home.open()
  const seen = () => {
    library.changed()
    return library.list().map(({ skill }) => `${skill.id} ${skill.name}`)
  }
  expect(seen()).toEqual(['own/haiku haiku'])
  home.put('skills/writing/letter')
  expect(seen()).toEqual(['own/haiku haiku', 'own/writing/letter letter'])
  renameSync(home.at('skills/haiku'), home.at('skills/writing/haiku'))
  expect(seen()).toEqual(['own/writing/haiku haiku', 'own/writing/letter letter'])
  home.write('skills/writing/letter/SKILL.md', aSkillText('aaa'))
  expect(seen()).toEqual(['own/writing/letter aaa', 'own/writing/haiku haiku'])
  rmSync(home.at('skills'), { recursive: true })
  expect(seen()).toEqual([])
})

test('an unreported change is seen by a check a moment later', async () => {
  using home = aLibrary()
  home.put('skills/haiku')
  const library = home.open()
  expect(namesOf(library)).toEqual(['haiku'])
  home.put('skills/letter')
  expect(namesOf(library)).toEqual(['haiku'])
  vi.advanceTimersByTime(1_000)
  expect(namesOf(library)).toEqual(['haiku', 'letter'])
  // An unknown name makes the index search immediately.
  home.put('skills/novel')
  expect(library.named('novel', home.home)).toHaveProperty('found')
})

test('a list in slices is the same as one at once, also when something changes meanwhile', async () => {
  using home = aLibrary()
  for (let count = 0; count < 40; count++) home.put(`skills/new/skill-${count}`)
  const library = home.open()
  const listing = library.listInSlices()
  home.put('skills/late')
  library.changed()
  expect(await listing).toEqual(library.list())
  expect(namesOf(library)).toContain('late')
  await Promise.all([library.caughtUp(), library.caughtUp()])
  expect(library.list()).toHaveLength(41)
})

test('a live library reports changes, once for many', async () => {
  using home = aLibrary({
    checks: { ...skillChecks, scan: aScan, lint: () => [], overlaps: noOverlaps },
  })
  home.put('skills/haiku')
  const library = home.open()
  library.list()
  const before = home.changes()
  for (let count = 0; count < 40; count++) home.put(`skills/new/skill-${count}`)
  await clockUntil(() => home.changes() > before)
  expect(library.list().length).toBe(41)
  await clockRuns(5_000)
  expect(home.changes()).toBe(before + 1)
  home.write('skills/new/skill-7/SKILL.md', aSkillText('seven'))
  await clockUntil(() => home.changes() > before + 1)
  expect(namesOf(library)).toContain('seven')
  expect(home.reports).toEqual([])
})

test('a change reported with “now” is reported once, whether or not the list is read afterwards', async () => {
  using home = aLibrary({
    checks: { ...skillChecks, scan: aScan, lint: () => [], overlaps: noOverlaps },
  })
  home.put('skills/haiku')
  const library = home.open()
  library.list()
  await clockRuns(5_000)
  const before = home.changes()
  home.put('skills/letter')
  library.changed()
  library.changed('now')
  expect(home.changes()).toBe(before + 1)
  expect(library.list().length).toBe(2)
  await clockRuns(5_000)
  home.put('skills/poem')
  library.changed('now')
  await clockRuns(5_000)
  expect(home.changes()).toBe(before + 2)
  expect(library.list().length).toBe(3)
  await clockRuns(5_000)
  expect(home.changes()).toBe(before + 2)
  // Later changes that are not announced are news again.
  home.put('skills/song')
  await clockUntil(() => home.changes() > before + 2)
  expect(library.list().length).toBe(4)
})

test('a root that is missing, created, replaced or removed stays watched', async () => {
  using home = aLibrary()
  const library = home.open()
  expect(namesOf(library)).toEqual([])
  const told = async (act: () => void, names: string[]) => {
    const before = home.changes()
    act()
    await clockUntil(() => home.changes() > before)
    expect(namesOf(library)).toEqual(names)
  }
  await told(() => home.put('skills/haiku'), ['haiku'])
  await told(() => home.put('skills/letter'), ['haiku', 'letter'])
  home.put('other/novel')
  await told(() => {
    renameSync(home.at('skills'), home.at('old'))
    renameSync(home.at('other'), home.at('skills'))
  }, ['novel'])
  await told(() => home.put('skills/poem'), ['novel', 'poem'])
  mkdirSync(home.at('skills/category'))
  await clockRuns(1_000)
  await told(() => home.put('skills/category/song'), ['novel', 'poem', 'song'])
  await told(() => rmSync(home.at('skills'), { recursive: true }), [])
  await told(() => home.put('skills/haiku'), ['haiku'])
  expect(home.reports).toEqual([])
})

test('skills are scanned in idle time, doubtful ones first, and findings are reported', async () => {
  using home = aLibrary()
  mkdirSync(home.at('skills'))
  home.put('skills/mine', undefined, { 'references/mine.md': 'Fine.' })
  home.put('bundled/shipped', undefined, { 'references/shipped.md': 'Fine.' })
  home.put('imported-skills/trap', undefined, { 'references/trap.md': 'EVIL' })
  home.state('trap', { enabled: true })
  const library = home.open()
  const blocked = () => library.get('imported/trap')?.skill.blocked
  library.list()
  expect(blocked()).toBeNull()
  await clockUntil(() => home.scanned.length >= 3)
  expect(home.scanned[0]).toContain('references/trap.md')
  expect(blocked()).toBe('It says EVIL.')
  await clockUntil(() => home.changes() > 0)
})

test('overlapping descriptions are found in idle time', async () => {
  using home = aLibrary()
  const description =
    'Writes short weather poems with seasonal nature images. Use it for haiku or tanka verses.'
  home.put('skills/haiku', aSkillText('haiku', description))
  home.put('skills/verse', aSkillText('verse', description))
  const library = home.open()
  const attention = () => library.list().map(({ skill }) => skill.attention.join(' '))
  await clockUntil(() => attention().every(Boolean))
  expect(attention()).toEqual([expect.stringContaining('verse'), expect.stringContaining('haiku')])
  expect(library.get('own/haiku')?.skill.attention.join()).toContain('verse')
})

test('a closed library does nothing more and returns its last list', async () => {
  using home = aLibrary()
  home.put('skills/haiku')
  const library = home.open()
  library.list()
  library.close()
  const { length } = home.scanned
  home.put('skills/letter')
  await clockRuns(5_000)
  expect(namesOf(library)).toEqual(['haiku'])
  expect([home.changes(), home.scanned.length]).toEqual([0, length])
})

test('a failing read throws its error, and the next one starts over', () => {
  let isBroken = true
  using home = aLibrary({
    roots() {
      if (isBroken) throw new Error('no settings')
      return [{ key: 'own', kind: 'own', folder: home.at('skills') }]
    },
  })
  home.put('skills/haiku')
  const library = home.open()
  expect(() => library.list()).toThrow('no settings')
  isBroken = false
  expect(namesOf(library)).toEqual(['haiku'])
})
