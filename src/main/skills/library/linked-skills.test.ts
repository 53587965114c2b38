import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { aLibrary, aSkillText } from '../../../../testing/skills/a-library.ts'
import { exportSkills } from '../import/export-skills.ts'
import { digestOf } from './skill-files.ts'

/** A library whose own folder of skills has links; `allowed` is what the user agreed to. */
function aLinkedLibrary() {
  const allowed: string[] = []
  const home = aLibrary()
  home.followLinks({ allowed, never: [home.at('imported-skills'), home.at('private')] })
  return {
    home,
    allowed,
    link(path: string, to: string) {
      mkdirSync(dirname(home.at(path)), { recursive: true })
      symlinkSync(home.at(to), home.at(path))
    },
    names: () =>
      home
        .open()
        .list()
        .map(({ skill }) => skill.id),
    asks: () =>
      home
        .open()
        .unreadable()
        .map(({ path, target }) => [path.slice(home.home.length + 1), target?.slice(home.home.length + 1)]),
    [Symbol.dispose]: () => home[Symbol.dispose](),
  }
}

test('a skill, a category and a SKILL.md that are links of the person ask for where they lead', () => {
  using linked = aLinkedLibrary()
  const { home, allowed } = linked
  home.put('dotfiles/tide')
  home.put('dotfiles/sea/ebb')
  home.write('dotfiles/notes/wave.md', aSkillText('wave'))
  linked.link('skills/tide', 'dotfiles/tide')
  linked.link('skills/sea', 'dotfiles/sea')
  linked.link('skills/wave/SKILL.md', 'dotfiles/notes/wave.md')
  expect(linked.names()).toEqual([])
  expect(linked.asks()).toEqual([
    ['skills/sea', 'dotfiles/sea'],
    ['skills/tide', 'dotfiles/tide'],
    ['skills/wave/SKILL.md', 'dotfiles/notes/wave.md'],
  ])
  allowed.push(home.at('dotfiles/tide'), home.at('dotfiles/sea'), home.at('dotfiles/notes/wave.md'))
  home.open().changed()
  expect(linked.names()).toEqual(['own/sea/ebb', 'own/tide', 'own/wave'])
  expect(linked.asks()).toEqual([])
  const library = home.open()
  expect(library.list().map(({ found }) => found.linked)).toEqual([
    home.at('dotfiles/sea/ebb'),
    home.at('dotfiles/tide'),
    home.at('dotfiles/notes/wave.md'),
  ])
  expect(library.read('own/wave')).toBe(aSkillText('wave'))
  expect(library.file('own/wave', 'SKILL.md')).toEqual({ bytes: Buffer.from(aSkillText('wave')) })
  // The permission is withdrawn.
  allowed.length = 0
  library.changed()
  expect(linked.names()).toEqual([])
})

test('the answer is for the place: a link that is moved to another asks again', () => {
  using linked = aLinkedLibrary()
  const { home, allowed } = linked
  home.put('dotfiles/tide')
  home.put('other/tide', aSkillText('tide', 'Another one. Use it when asked.'))
  linked.link('skills/tide', 'dotfiles/tide')
  allowed.push(home.at('dotfiles/tide'))
  expect(linked.names()).toEqual(['own/tide'])
  rmSync(home.at('skills/tide'))
  linked.link('skills/tide', 'other/tide')
  home.open().changed()
  expect([linked.names(), linked.asks()]).toEqual([[], [['skills/tide', 'other/tide']]])
  // So does a link that the link leads to.
  rmSync(home.at('skills/tide'))
  linked.link('skills/tide', 'dotfiles/tide')
  renameSync(home.at('dotfiles/tide'), home.at('dotfiles/was'))
  linked.link('dotfiles/tide', 'other/tide')
  home.open().changed()
  expect([linked.names(), linked.asks()]).toEqual([[], [['skills/tide', 'other/tide']]])
})

test('links in imported skills, projects and folders are never followed out, and none to what Talaria keeps', () => {
  using linked = aLinkedLibrary()
  const { home, allowed } = linked
  home.put('dotfiles/tide')
  home.put('imported-skills/ebb')
  home.put('private/wave')
  for (const root of ['imported-skills', 'desk/.claude/skills', 'folder'])
    linked.link(`${root}/tide`, 'dotfiles/tide')
  linked.link('skills/ebb', 'imported-skills/ebb')
  linked.link('skills/wave', 'private/wave')
  linked.link('skills/all', '.')
  home.trusted.push(home.at('desk'))
  home.folders.push(home.at('folder'))
  allowed.push(home.at('dotfiles/tide'), home.at('imported-skills'), home.at('private'), home.at('.'), '/')
  expect(linked.names()).toEqual(['imported/ebb'])
  expect(linked.asks().every(([, target]) => target === undefined)).toBe(true)
  expect(linked.asks()).toHaveLength(6)
})

test('a linked SKILL.md is scanned, counts for the digest, and is read again when it changes', () => {
  using linked = aLinkedLibrary()
  const { home, allowed } = linked
  home.write('dotfiles/wave.md', aSkillText('wave', 'EVIL. Use it when asked.'))
  home.write('skills/wave/run.sh', 'ls')
  linked.link('skills/wave/SKILL.md', 'dotfiles/wave.md')
  allowed.push(home.at('dotfiles/wave.md'))
  const library = home.open()
  expect(library.scan('own/wave').findings).toMatchObject([{ path: 'SKILL.md', rule: 'evil' }])
  const { found } = library.get('own/wave')!
  expect(digestOf(found.folder, found.main)).not.toBe(digestOf(found.folder))
  home.write('dotfiles/wave.md', aSkillText('wave', 'Better now. Use it when asked.'))
  library.changed()
  expect(library.get('own/wave')!.skill.description).toBe('Better now. Use it when asked.')
  expect(library.scan('own/wave').verdict).toBe('safe')
  const { bytes } = exportSkills([library.get('own/wave')!.found])
  expect(Buffer.from(bytes).toString('latin1')).toContain('wave/SKILL.md')
  expect(readFileSync(home.at('dotfiles/wave.md'), 'utf8')).toContain('Better now.')
})
