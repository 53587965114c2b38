import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { encode } from 'iconv-lite'
import { expect, test } from 'vitest'
import { aLibrary, aSkillText } from '../../../../testing/skills/a-library.ts'
import { digestOf } from './skill-files.ts'

const idsOf = (skills: readonly { skill: { id: string } }[]) => skills.map(({ skill }) => skill.id)
const namesOf = (skills: readonly { skill: { name: string } }[]) => skills.map(({ skill }) => skill.name)

test('skills are found in nested categories of all roots, and listed by name', () => {
  using home = aLibrary()
  home.put('skills/writing/verse/haiku')
  home.put('skills/deploy')
  home.put('imported-skills/Brew')
  home.put('bundled/data/clean-csv')
  home.put('desk/.claude/skills/ship')
  home.put('elsewhere/tools/anvil')
  home.trusted.push(home.at('desk'))
  home.folders.push(home.at('elsewhere'), home.at('nowhere'))
  const list = home.open().list()
  expect(
    list.map(({ skill }) => [skill.id.replace(/-[0-9a-f]{12}/, '-#'), skill.category, skill.origin]),
  ).toEqual([
    ['folder-0/tools/anvil', 'tools', 'folder'],
    ['imported/Brew', '', 'imported'],
    ['bundled/data/clean-csv', 'data', 'builtin'],
    ['own/deploy', '', 'user'],
    ['own/writing/verse/haiku', 'writing/verse', 'user'],
    ['project-#/ship', '', 'project'],
  ])
  expect(list.find(({ skill }) => skill.name === 'ship')?.skill).toMatchObject({
    key: expect.stringMatching(/^project-[0-9a-f]{12}\/ship$/),
    project: home.at('desk'),
  })
  expect(home.reports).toEqual([])
})

test('files inside a skill belong to it, and hidden folders are skipped', () => {
  using home = aLibrary()
  home.put('skills/haiku', undefined, { 'references/SKILL.md': aSkillText('inner'), 'run.sh': 'ls' })
  home.put('skills/.hidden/x')
  home.put('skills/node_modules/y')
  home.put('skills/lower/skill.md')
  home.write('skills/small/skill.md', aSkillText('small'))
  home.write('skills/SKILL.md', aSkillText('stray'))
  const list = home.open().list()
  expect(idsOf(list)).toEqual(['own/haiku', 'own/lower/skill.md', 'own/small'].toSorted())
  expect(list[0]!.found.parts.map(({ path, kind }) => [path, kind])).toEqual([
    ['SKILL.md', 'skill'],
    ['references/SKILL.md', 'reference'],
    ['run.sh', 'script'],
  ])
  expect(list[0]!.skill).toMatchObject({ fileCount: 3, hasScripts: true })
})

test('a configured folder may be a skill itself', () => {
  using home = aLibrary()
  home.put('alone')
  home.folders.push(home.at('alone'))
  expect(idsOf(home.open().list())).toEqual(['folder-0/alone'])
})

test('links are followed within a root, reported if they lead out, and nothing is listed twice', () => {
  using home = aLibrary()
  home.put('skills/real/haiku')
  home.put('outside/secret')
  mkdirSync(home.at('skills/links'))
  symlinkSync(home.at('skills/real/haiku'), home.at('skills/links/again'))
  symlinkSync(home.at('skills'), home.at('skills/links/round'))
  symlinkSync(home.at('outside'), home.at('skills/links/out'))
  symlinkSync(home.at('nothing'), home.at('skills/links/broken'))
  home.put('desk/.agents/x', 'no skill')
  symlinkSync(home.at('outside'), home.at('desk/.agents/skills'))
  mkdirSync(home.at('skills/linked'))
  symlinkSync(home.at('outside/secret/SKILL.md'), home.at('skills/linked/SKILL.md'))
  home.trusted.push(home.at('desk'))
  const library = home.open()
  expect(idsOf(library.list())).toEqual(['own/links/again'])
  expect(library.unreadable().map(({ path, reason }) => [path.slice(home.home.length + 1), reason])).toEqual([
    ['skills/linked/SKILL.md', 'it is a link'],
    ['skills/links/out', 'it is a link that leads out of the folder of skills'],
    ['desk/.agents/skills', 'it is a link that leads out of the project'],
  ])
})

test('unreadable files are reported, and the others are listed', () => {
  using home = aLibrary()
  home.put('skills/good')
  home.write('skills/binary/SKILL.md', new Uint8Array([1, 0, 2]))
  home.write('skills/long/SKILL.md', 'x'.repeat(1_100_000))
  home.put('skills/a/b/c/d/e/f/too-deep')
  const wide = Buffer.from(`\u{feff}${aSkillText('wide')}`, 'utf16le')
  home.write('skills/wide/SKILL.md', wide)
  const library = home.open()
  expect(namesOf(library.list())).toEqual(['good', 'wide'])
  expect(library.unreadable().map(({ reason }) => reason)).toEqual([
    'it lies more than 6 folders deep',
    'it is no text',
    'it is longer than 1000000 bytes',
  ])
})

test('a SKILL.md in an older encoding is read in it, and what cannot be told is reported', () => {
  using home = aLibrary()
  const words = '把会议时间改到明天下午，并检查文件的格式。'
  home.write('skills/meeting/SKILL.md', encode(aSkillText('meeting', words), 'GBK'))
  home.write('skills/short/SKILL.md', encode(aSkillText('short', '中文'), 'GBK'))
  const library = home.open()
  expect(library.list().map(({ skill }) => skill.description)).toEqual([words])
  expect(library.unreadable().map(({ reason }) => reason)).toEqual([
    'it is not UTF-8 text, and its encoding is not sure; save it as UTF-8',
  ])
})

test('a file that this user may not read is reported', context => {
  context.skip(process.getuid?.() === 0, 'root may read every file')
  context.skip(process.platform === 'win32', 'Windows has no such modes')
  using home = aLibrary()
  home.put('skills/closed')
  chmodSync(home.at('skills/closed/SKILL.md'), 0)
  const library = home.open()
  expect(library.list()).toEqual([])
  expect(library.unreadable()).toMatchObject([{ reason: 'this user may not' }])
})

test('a bug while reading one file is reported and does not affect others', () => {
  using home = aLibrary({ count: text => (text.includes('BREAK') ? JSON.parse('{') : 1) })
  home.put('skills/good')
  home.put('skills/bad', aSkillText('bad', 'BREAK'))
  const library = home.open()
  expect(namesOf(library.list())).toEqual(['good'])
  expect(library.unreadable()).toMatchObject([{ reason: 'reading it failed' }])
  expect(home.reports.splice(0)).toMatchObject([{ name: 'SyntaxError' }])
})

test('of several skills with one name the one with the highest precedence is used', () => {
  using home = aLibrary()
  home.trusted.push(home.at('desk'))
  home.folders.push(home.at('elsewhere'))
  for (const root of ['bundled', 'elsewhere', 'desk/skills', 'imported-skills', 'skills'])
    home.put(`${root}/haiku`)
  home.state('haiku', { enabled: true })
  const library = home.open()
  const shadows = () =>
    Object.fromEntries(library.list().map(({ skill }) => [skill.origin, skill.shadowedBy]))
  expect(shadows()).toEqual({
    user: null,
    imported: 'own/haiku',
    project: 'own/haiku',
    folder: 'own/haiku',
    builtin: 'own/haiku',
  })
  rmSync(home.at('skills/haiku'), { recursive: true })
  library.changed()
  expect(shadows()).toMatchObject({ imported: null, project: 'imported/haiku', builtin: 'imported/haiku' })
  rmSync(home.at('imported-skills/haiku'), { recursive: true })
  library.changed()
  // Only chats in the project see its skills.
  expect(shadows()).toMatchObject({ project: null, folder: null, builtin: 'folder-0/haiku' })
  expect(idsOf(library.forChat(home.at('desk')))[0]).toMatch(/^project-/)
  expect(idsOf(library.forChat(home.at('elsewhere')))).toEqual(['folder-0/haiku'])
})

test('an own skill with an original of the same name is an edited copy', () => {
  using home = aLibrary()
  home.put('skills/mine')
  home.put('skills/data/clean-csv')
  home.put('bundled/clean-csv')
  const [copy, original, mine] = home
    .open()
    .list()
    .toSorted((a, b) => (a.skill.id > b.skill.id ? -1 : 1))
    .toReversed()
  expect(
    [copy, original, mine].map(each => [each!.skill.id, each!.skill.isEdited, each!.skill.isOwn]),
  ).toEqual([
    ['bundled/clean-csv', false, false],
    ['own/data/clean-csv', true, true],
    ['own/mine', false, true],
  ])
})

test('a chat gets enabled, available skills, the most used first, and only its own project’s', () => {
  using home = aLibrary()
  home.put('skills/anvil')
  home.put('skills/brew')
  home.put('skills/cut')
  home.put('skills/off')
  home.put('skills/mac', aSkillText('mac', undefined, 'platforms: [macos]\n'))
  home.put('skills/here', aSkillText('here', undefined, 'platforms: [Linux, windows]\n'))
  home.put('skills/web', aSkillText('web', undefined, 'requires_toolsets: [files, web]\n'))
  home.put('desk/skills/ship')
  home.put('other/skills/dock')
  home.trusted.push(home.at('desk'))
  home.projects.push(home.at('desk'), home.at('other'), home.at('nothing'))
  home.state('off', { enabled: false })
  home.used('brew', 3)
  home.used('cut', 9)
  const library = home.open()
  const chat = (folder: string, toolsets?: string[]) => namesOf(library.forChat(home.at(folder), toolsets))
  expect(chat('desk')).toEqual(['cut', 'brew', 'anvil', 'here', 'ship'])
  expect(chat('other')).toEqual(['cut', 'brew', 'anvil', 'here'])
  expect(chat('other', ['files', 'web'])).toContain('web')
  symlinkSync(home.at('desk'), home.at('way'))
  expect(chat('way')).toContain('ship')
  const unavailable = (name: string) =>
    library.list().find(each => each.skill.name === name)?.skill.unavailable
  expect(unavailable('mac')).toBe('It is for macOS only.')
  expect(unavailable('web')).toBe('It needs tools that are not here: web.')
  expect(library.projects()).toEqual([
    { folder: home.at('desk'), trusted: true, skills: 1 },
    { folder: home.at('other'), trusted: false, skills: 1 },
  ])
})

test('a name is matched exactly, then loosely, or else similar names are suggested', () => {
  using home = aLibrary()
  home.put('skills/clean-csv')
  home.put('skills/Clean_Csv')
  home.put('skills/weekly-review')
  home.put('skills/off')
  home.state('off', { enabled: false })
  const library = home.open()
  const idOf = (name: string) => {
    const named = library.named(name, home.home)
    return 'found' in named ? named.found.skill.id : named
  }
  expect(idOf('clean-csv')).toBe('own/clean-csv')
  expect(idOf('Clean_Csv')).toBe('own/Clean_Csv')
  for (const name of [
    'Weekly Review',
    'weekly_review',
    ' WEEKLY-REVIEW ',
    'own/weekly-review',
    'notes/weekly.review',
  ])
    expect(idOf(name), name).toBe('own/weekly-review')
  expect(idOf('wekly-reviews')).toEqual({
    refused: 'There is no skill “wekly-reviews”.',
    near: ['weekly-review'],
  })
  expect(idOf('review')).toMatchObject({ near: ['weekly-review'] })
  expect(idOf('of')).toEqual({ refused: 'There is no skill “of”.', near: [] })
  expect(idOf('off')).toEqual({ refused: 'The skill “off” is switched off.', near: [] })
  expect(idOf('')).toHaveProperty('refused')
})

test('a dangerous skill from outside is blocked until exactly this content is accepted', () => {
  using home = aLibrary()
  home.put('skills/mine', undefined, { 'references/a.md': 'EVIL' })
  home.put('skills/learned', undefined, { 'references/a.md': 'EVIL' })
  home.state('learned', { author: 'agent' })
  home.put('imported-skills/trap', undefined, { 'references/a.md': 'EVIL' })
  home.state('trap', { enabled: true })
  const library = home.open()
  // The list scanned nothing; requesting a skill by name does.
  expect(home.scanned).toEqual([])
  expect(library.named('mine', home.home)).toHaveProperty('found')
  expect(library.named('learned', home.home)).toMatchObject({
    refused: expect.stringContaining('It says EVIL.'),
  })
  expect(library.named('trap', home.home)).toMatchObject({ refused: expect.stringContaining('kept back') })
  expect(namesOf(library.forChat(home.home))).toEqual(['mine'])
  expect(library.get('imported/trap')?.skill).toMatchObject({
    blocked: 'It says EVIL.',
    attention: [expect.stringContaining('dangerous')],
  })

  home.state('trap', { enabled: true, accepted: digestOf(home.at('imported-skills/trap')) })
  expect(library.named('trap', home.home)).toHaveProperty('found')
  expect(namesOf(library.forChat(home.home))).toEqual(['mine', 'trap'])
  expect(library.get('imported/trap')?.skill).toMatchObject({ blocked: null, attention: [] })

  home.write('imported-skills/trap/references/b.md', 'More of it.')
  expect(library.named('trap', home.home)).toHaveProperty('refused')
})

test('content changed between two reads is scanned before it is handed out', () => {
  using home = aLibrary()
  home.put('imported-skills/brew', undefined, { 'references/a.md': 'good' })
  home.state('brew', { enabled: true })
  const library = home.open()
  expect(library.named('brew', home.home)).toHaveProperty('found')
  // The same length, at the same moment.
  home.write('imported-skills/brew/references/a.md', 'EVIL')
  expect(library.named('brew', home.home)).toHaveProperty('refused')
  home.write('imported-skills/brew/references/a.md', 'good')
  const scans = home.scanned.length
  expect(library.named('brew', home.home)).toHaveProperty('found')
  expect(library.scan('imported/brew').verdict).toBe('safe')
  // The findings for this content are cached.
  expect(home.scanned.length).toBe(scans)
})

test('findings of a skill opened before its scan are reported to listeners', async () => {
  const told = Promise.withResolvers<void>()
  using home = aLibrary({ onChange: told.resolve })
  home.put('imported-skills/brew', undefined, { 'references/a.md': 'EVIL' })
  home.state('brew', { enabled: true })
  const library = home.open()
  const blocked = () => library.list()[0]?.skill.blocked
  expect(blocked()).toBeNull()
  library.scan('imported/brew')
  await told.promise
  expect(blocked()).toBe('It says EVIL.')
})

test('a skill with a deceptive description is withheld until it is scanned completely', () => {
  using home = aLibrary()
  home.folders.push(home.at('elsewhere'))
  home.put('elsewhere/trap', aSkillText('trap', 'EVIL words.'))
  home.put('elsewhere/odd', aSkillText('odd', 'ODD words.'))
  home.put('elsewhere/plain', undefined, { 'references/a.md': 'EVIL' })
  const library = home.open()
  expect(namesOf(library.forChat(home.home))).toEqual(['odd', 'plain'])
  // The third name looks harmless, so the skill is caught when it is requested.
  expect(library.named('plain', home.home)).toHaveProperty('refused')
  expect(namesOf(library.forChat(home.home))).toEqual(['odd'])
})

test('a manually added import is off if it has executables or the scan found something', () => {
  using home = aLibrary()
  home.put('imported-skills/plain')
  home.put('imported-skills/odd', aSkillText('odd', 'ODD'))
  home.put('imported-skills/program', undefined, { 'assets/run.py': 'print()' })
  const library = home.open()
  const enabled = () =>
    library
      .list()
      .filter(({ skill }) => skill.enabled)
      .map(({ skill }) => skill.name)
  expect(enabled()).toEqual([])
  for (const name of ['plain', 'odd', 'program']) library.scan(`imported/${name}`)
  expect(enabled()).toEqual(['plain'])
})

test('a failing scan blocks the skill', () => {
  using home = aLibrary()
  const { checks } = home
  using broken = aLibrary({
    checks: {
      ...checks,
      scan: () => {
        throw new RangeError('too much recursion')
      },
    },
  })
  broken.folders.push(broken.at('elsewhere'))
  broken.put('elsewhere/brew')
  const library = broken.open()
  expect(library.named('brew', broken.home)).toMatchObject({
    refused: expect.stringContaining('could not be finished'),
  })
  expect(library.forChat(broken.home)).toEqual([])
  expect(broken.reports.splice(0)).not.toEqual([])
})

test('what the scan cannot examine is reported', () => {
  using home = aLibrary()
  home.put('skills/brew', undefined, {
    'scripts/run.exe': 'MZ\0\0',
    'references/long.md': 'x'.repeat(1_000_001),
  })
  home.write('skills/brew/scripts/a.sh', 'echo\0 EVIL')
  home.write('skills/brew/assets/photo.png', 'EVIL \0')
  const { verdict, findings } = home.open().scan('own/brew')
  expect(verdict).toBe('dangerous')
  expect(findings.map(({ path, rule }) => [path, rule])).toEqual([
    ['scripts/a.sh', 'evil'],
    ['references/long.md', 'not-looked-through'],
    ['scripts/run.exe', 'program'],
  ])
})

test('SKILL.md and files are read as they are now, and nothing outside the skill is', () => {
  using home = aLibrary()
  home.put('skills/haiku', undefined, { 'references/moon.md': 'Old pond.' })
  home.write('skills/secret.md', 'secret')
  const library = home.open()
  expect(library.read('own/haiku')).toBe(aSkillText('haiku'))
  home.write('skills/haiku/SKILL.md', 'Changed.')
  expect(library.read('own/haiku')).toBe('Changed.')
  expect(library.read('own/gone')).toBeUndefined()
  const file = (path: string) => {
    const read = library.file('own/haiku', path)
    return 'bytes' in read ? Buffer.from(read.bytes).toString() : read.refused
  }
  expect(file('references/moon.md')).toBe('Old pond.')
  home.write('skills/haiku/references/new.md', 'New.')
  expect(file('references/new.md')).toBe('New.')
  expect(file('../secret.md')).toMatch(/^The path must name a file within the skill/)
  expect(file('references/gone.md')).toBe('There is no such file in the skill.')
  symlinkSync(home.at('skills/secret.md'), home.at('skills/haiku/references/link.md'))
  expect(file('references/link.md')).toContain('link')
  expect(() => library.scan('own/gone')).toThrow('no such skill')
})
