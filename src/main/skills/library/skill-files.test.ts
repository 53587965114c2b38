import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { digestOf, kindOf, partsOf, scanFolder } from './skill-files.ts'

let home: string
let skill: string
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(skill, path)), { recursive: true })
  writeFileSync(join(skill, path), text)
}

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-parts-')))
  skill = join(home, 'haiku')
  put('SKILL.md', 'Count.')
  put('references/moon.md', 'Old pond.')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('all files are parts, even hidden ones, but not links or git’s files', () => {
  put('.env', 'x')
  put('.git/config', 'x')
  put('node_modules/a/run.js', 'x')
  put('LICENSE', 'x')
  symlinkSync(join(skill, 'SKILL.md'), join(skill, 'link.md'))
  symlinkSync(home, join(skill, 'up'))
  expect(partsOf(skill)).toEqual({
    parts: [
      { path: 'SKILL.md', bytes: 6, kind: 'skill' },
      { path: '.env', bytes: 1, kind: 'other' },
      { path: 'LICENSE', bytes: 1, kind: 'other' },
      { path: 'node_modules/a/run.js', bytes: 1, kind: 'script' },
      { path: 'references/moon.md', bytes: 9, kind: 'reference' },
    ],
    bytes: 18,
    more: false,
  })
})

test('too many files and too deep folders are reported', () => {
  put('a/b/c/d/e/f/g/h/i.md', 'x')
  expect(partsOf(skill).more).toBe(true)
  rmSync(join(skill, 'a'), { recursive: true })
  for (let count = 0; count < 1_010; count++) put(`assets/${count}.txt`, '')
  const { parts, more } = partsOf(skill)
  expect([parts.length, more]).toEqual([1_000, true])
})

test('a part’s kind comes from its folder, or else from its extension', () => {
  expect(
    [
      'SKILL.md',
      'skill.md',
      'references/a.py',
      'templates/a.md',
      'scripts/data.json',
      'assets/a.sh',
      'a.PY',
      'a.md',
    ].map(kindOf),
  ).toEqual(['skill', 'skill', 'reference', 'template', 'script', 'asset', 'script', 'other'])
  expect(kindOf('constructor/a.md')).toBe('other')
})

test('the digest depends on the content and nothing else', () => {
  const digest = digestOf(skill)
  expect(digest).toMatch(/^[0-9a-f]{64}$/)
  const other = join(home, 'copy', 'haiku')
  mkdirSync(join(other, 'references'), { recursive: true })
  writeFileSync(join(other, 'references', 'moon.md'), 'Old pond.')
  writeFileSync(join(other, 'SKILL.md'), 'Count.')
  expect(digestOf(other)).toBe(digest)
  symlinkSync(join(home, 'copy'), join(home, 'link'))
  expect(digestOf(join(home, 'link', 'haiku'))).toBe(digest)
  const seen = new Set([digest])
  const differs = (act: () => void) => {
    act()
    expect(seen).not.toContain(digestOf(skill))
    seen.add(digestOf(skill))
  }
  differs(() => put('references/moon.md', 'Old pong.'))
  differs(() => put('references/moon.md2', ''))
  differs(() => put('references/moon.md', 'Old pond.2'))
  differs(() => rmSync(join(skill, 'references'), { recursive: true }))
  differs(() => put('SKILL.md', ''))
})

test('many files, a large file and a program are three findings, a caution, and links are no part', () => {
  for (let count = 0; count < 48; count++) put(`assets/${count}.txt`, '')
  expect(scanFolder(skill)).toEqual({ verdict: 'safe', findings: [] })
  put('assets/48.txt', '')
  put('assets/long.txt', 'a\n'.repeat(131_073))
  put('assets/tool.exe', 'MZ')
  symlinkSync(home, join(skill, 'up'))
  symlinkSync(join(skill, 'SKILL.md'), join(skill, 'link.md'))
  const { verdict, findings } = scanFolder(skill)
  expect(verdict).toBe('caution')
  expect(findings.map(({ path, rule, severity }) => [path, rule, severity])).toEqual([
    ['', 'many-files', 'high'],
    ['assets/long.txt', 'large-file', 'high'],
    ['assets/tool.exe', 'program', 'high'],
  ])
})
