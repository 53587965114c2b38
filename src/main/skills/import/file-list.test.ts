import { normalize, win32 } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entryPath } from './entry-path.ts'

test('ordinary names become paths with /, whatever the archiver wrote', () => {
  for (const [name, path] of [
    ['skills/a/SKILL.md', 'skills/a/SKILL.md'],
    ['skills\\a\\SKILL.md', 'skills/a/SKILL.md'],
    ['./a/b.md', 'a/b.md'],
    ['.claude/skills/a b/größe (1).md', '.claude/skills/a b/größe (1).md'],
    ['..a/b..c/...d', '..a/b..c/...d'],
    ['100%.md', '100%.md'],
  ])
    expect(entryPath(name!)).toEqual({ path })
})

const OUTSIDE = [
  '../x',
  'a/../../x',
  'a\\..\\x',
  'a/..\\../x',
  '..',
  'a/..',
  '.. /x',
  'a/.. ./x',
  'a/...../x',
  '/etc/passwd',
  '\\windows\\x',
  '//server/share',
  '\\\\?\\C:\\x',
  'C:\\x',
  'c:x',
  'C:/x',
  '~/x',
  '%2e%2e/x',
  '%2E%2e%2Fx',
  '..%2fx',
  '..%5cx',
  '%252e%252e%252fx',
  '%2fetc/passwd',
  '．．/x',
  '‥/x',
  'a/．．／x',
]

test.for(OUTSIDE)('%s is outside of the folder', name => {
  expect(entryPath(name)).toEqual({ outside: true })
})

test.for([
  ['con', 'device'],
  ['a/NUL.md', 'device'],
  ['com¹.txt', 'device'],
  ['ab:stream', 'characters'],
  ['a\0.md', 'characters'],
  ['a\u202egnp.md', 'characters'],
  ['a/b?.md', 'characters'],
  ['a./b', 'ends with one or a dot'],
  ['a /b', 'ends with one or a dot'],
  ['a//b', 'not in order'],
  ['', 'not in order'],
  [`${'a/'.repeat(300)}b`, 'too long'],
] as const)('%s cannot be stored: %s', ([name, why]) => {
  expect(entryPath(name)).toEqual({ refused: expect.stringContaining(why) })
})

test('for any name the result lies inside the folder on every system', () => {
  const piece = fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    'a',
    'C:',
    '%2e',
    '%2f',
    '%5c',
    ' ',
    '\0',
    '．',
    '／',
    '~',
    'nul',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))), pieces => {
      const found = entryPath(pieces.join(''))
      fc.pre('path' in found)
      for (const reading of [
        found.path,
        decodeURIComponent(found.path.replaceAll(/%(?![\da-f]{2})/gi, '_')),
      ]) {
        expect(normalize(`/safe/${reading}`)).toMatch(/^\/safe\/./)
        expect(win32.normalize(`C:\\safe\\${reading}`)).toMatch(/^C:\\safe\\./)
      }
    }),
    { numRuns: 300 },
  )
})
