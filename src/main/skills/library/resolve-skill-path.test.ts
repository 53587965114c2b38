import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ELSEWHERE, SLASH, UP } from '../../../../testing/skills/spellings.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { resolveSkillPath } from './resolve-skill-path.ts'

let home: string
let skill: string

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-inside-')))
  skill = join(home, 'haiku')
  mkdirSync(join(skill, 'references', 'deep'), { recursive: true })
  writeFileSync(join(skill, 'SKILL.md'), 'Count syllables.')
  writeFileSync(join(skill, 'references', 'deep', 'moon.md'), 'Old pond.')
  writeFileSync(join(home, 'secret.txt'), 'secret')
  mkdirSync(join(home, 'haiku-2'))
  symlinkSync(join(home, 'secret.txt'), join(skill, 'references', 'file-link.md'))
  symlinkSync(home, join(skill, 'references', 'folder-link'))
  symlinkSync(join(skill, 'SKILL.md'), join(skill, 'references', 'link-within.md'))
  symlinkSync(join(home, 'nothing'), join(skill, 'references', 'broken-link.md'))
  symlinkSync('loop', join(skill, 'references', 'loop'))
  symlinkSync(skill, join(home, 'skill-link'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('no spelling leads out of the skill, however dots and slashes are encoded, mixed or imitated', () => {
  const crossed = UP.flatMap(up =>
    SLASH.flatMap(slash => [
      `${up}${slash}secret.txt`,
      `references${slash}${up}${slash}${up}${slash}secret.txt`,
    ]),
  )
  const spellings = new Set([...crossed, ...ELSEWHERE])
  expect(spellings.size).toBeGreaterThan(2_000)
  const accepted = [...spellings].filter(
    path =>
      'path' in resolveSkillPath(skill, path) || 'path' in resolveSkillPath(skill, path, { forWrite: true }),
  )
  expect(accepted).toEqual([])
})

test('a refusal is a sentence that does not repeat the path', () => {
  for (const path of ELSEWHERE) {
    const { refused } = resolveSkillPath(skill, path) as Refusal
    expect(refused).toMatch(/^(The|A|What|Write|con|references) .*\.$/)
    if (path.length > 8) expect(refused).not.toContain(path)
  }
})

test('ordinary paths are resolved, even if the file does not exist yet', () => {
  for (const path of [
    'SKILL.md',
    'references/deep/moon.md',
    'references/new.md',
    'assets/Bild eins.png',
    'scripts/run-1_b.py',
    'templates/日本語.md',
    'references/Übung (2).md',
    '.hidden/notes.md',
    'LICENSE',
    'a..b.md',
  ])
    expect(resolveSkillPath(skill, path), path).toEqual({ path: join(skill, ...path.split('/')) })
})

test('only SKILL.md and files in the four folders can be written', () => {
  const refused = (path: string) => isRefusal(resolveSkillPath(skill, path, { forWrite: true }))
  expect(
    ['SKILL.md', 'references/a.md', 'templates/a/b.md', 'scripts/a.sh', 'assets/a.png'].filter(refused),
  ).toEqual([])
  const others = [
    [
      'skill.md',
      'Skill.md',
      'SKILL.MD',
      'README.md',
      'notes/a.md',
      'references',
      'References/a.md',
      'a/SKILL.md',
    ],
    [
      'scripts',
      'assets/.hidden',
      'references/.a/b.md',
      '.env',
      'references.md',
      'SKILL.md/x',
      'references/deep',
    ],
  ].flat()
  expect(others.filter(path => !refused(path))).toEqual([])
})

test('links are not followed, wherever they lead', () => {
  for (const path of [
    'references/file-link.md',
    'references/folder-link/secret.txt',
    'references/folder-link/haiku/SKILL.md',
    'references/folder-link/new.md',
    'references/link-within.md',
    'references/broken-link.md',
    'references/loop',
    'references/loop/x.md',
  ]) {
    expect(resolveSkillPath(skill, path), path).toEqual({ refused: expect.stringContaining('link') })
    expect(resolveSkillPath(skill, path, { forWrite: true }), path).toHaveProperty('refused')
  }
  expect(resolveSkillPath(join(home, 'skill-link'), 'SKILL.md')).toEqual({
    refused: expect.stringContaining('link'),
  })
})

test('a folder is not a file, a file is not a folder, and a deleted skill has neither', () => {
  expect(resolveSkillPath(skill, 'references')).toHaveProperty('refused')
  expect(resolveSkillPath(skill, 'SKILL.md/x.md')).toHaveProperty('refused')
  expect(resolveSkillPath(join(home, 'gone'), 'SKILL.md')).toEqual({
    refused: expect.stringContaining('cannot be opened'),
  })
})

test('any accepted path lies in the skill and is the requested one', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...UP,
      ...SLASH,
      'references',
      'SKILL.md',
      'references/folder-link',
      'deep',
      'con',
      ' ',
      '.',
      '~',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  const anything = fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join(''))
  const likely = fc.constantFrom(
    'references',
    'scripts',
    'new',
    'notes.md',
    'SKILL.md',
    'é ü',
    'x'.repeat(60),
  )
  const nearly = fc
    .array(fc.oneof({ weight: 6, arbitrary: likely }, piece), { minLength: 1, maxLength: 5 })
    .map(names => names.join('/'))
  fc.assert(
    fc.property(fc.oneof(anything, nearly), fc.boolean(), (given, forWrite) => {
      const inside = resolveSkillPath(skill, given, { forWrite })
      fc.pre('path' in inside)
      expect(inside.path).toBe(resolve(skill, given))
      expect(relative(skill, inside.path).split(sep)).not.toContain('..')
      expect(inside.path.startsWith(skill + sep)).toBe(true)
      expect(inside.path.startsWith(`${join(skill, 'references', 'folder-link')}${sep}`)).toBe(false)
    }),
    { numRuns: 300 },
  )
})
