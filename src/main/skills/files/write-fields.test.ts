import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SkillFields } from '../../../shared/contract/learned/skills.ts'
import { lintSkill } from './lint-skill.ts'
import { readSkillText } from './read-skill.ts'
import { newSkillText, writeFields } from './write-fields.ts'

const text = (...lines: string[]) => `${lines.join('\n')}\n`
const foreign = text(
  '---',
  '# of the team',
  'name: notes # short',
  '',
  'description: >',
  '  Manage notes on a phone, in a browser and on a desk, each of which has',
  '  its own manner. Use when notes are meant.',
  '# who',
  'author:   "Ann"',
  'version: 1.0',
  'platforms: [macos,linux]',
  'metadata:',
  '    # of another agent',
  '    hermes:',
  '        tags:',
  '            - one # first',
  '            - two',
  '        category: apple',
  'x: { y: [1,2] }',
  '# the end',
  '---',
  '',
  '# Notes',
)

test('writing equal values changes nothing', () => {
  const { fields } = readSkillText(foreign, 'x')
  expect(writeFields(foreign, fields)).toBe(foreign)
  expect(writeFields(foreign, {})).toBe(foreign)
})

test.for<[string, Partial<SkillFields>, Record<string, string | undefined>]>([
  ['a name', { name: 'my-notes' }, { 'name: notes # short': 'name: my-notes # short' }],
  [
    'a folded description',
    { description: 'Other words.' },
    {
      '  Manage notes on a phone, in a browser and on a desk, each of which has': '  Other words.',
      '  its own manner. Use when notes are meant.': undefined,
    },
  ],
  ['a list in a line', { platforms: ['linux'] }, { 'platforms: [macos,linux]': 'platforms: [linux]' }],
  ['a list below', { tags: ['one', 'three: x'] }, { '            - two': '            - "three: x"' }],
  ['a list without entries', { platforms: [] }, { 'platforms: [macos,linux]': undefined }],
  ['a licence', { licence: 'MIT' }, { '# who': 'license: MIT\n# who' }],
  [
    'needs',
    { requires: ['terminal', 'files'] },
    { '        category: apple': '        category: apple\n    requires_toolsets: terminal files' },
  ],
])('%s is written in place, and every other line stays', ([, fields, lines]) => {
  const expected = foreign
    .split('\n')
    .flatMap(line => (line in lines ? (lines[line] === undefined ? [] : [lines[line]]) : [line]))
    .join('\n')
  const written = writeFields(foreign, fields)
  const kind = 'description' in fields ? written.replace(/^description: [>|]-?$/m, 'description: >') : written
  expect(kind).toBe(expected)
})

test('removing the only tag also removes its empty maps', () => {
  const before = text(
    '---',
    'name: a',
    'description: b',
    'metadata:',
    '  hermes:',
    '    tags: [x]',
    '---',
    'Body',
  )
  expect(writeFields(before, { tags: [] })).toBe(text('---', 'name: a', 'description: b', '---', 'Body'))
})

test('a list defined in several places is merged into the first', () => {
  const before = text(
    '---',
    'name: a',
    'description: b',
    'tags: x',
    'metadata:',
    '  tags: [y]',
    '  a: b',
    '---',
  )
  expect(writeFields(before, { tags: ['y', 'z'] })).toBe(
    text('---', 'name: a', 'description: b', 'tags: y, z', 'metadata:', '  a: b', '---'),
  )
})

test('Windows line endings stay, and a byte order mark is removed', () => {
  const before = '\uFEFF---\r\nname: a\r\ndescription: b\r\n---\r\n\r\nBody\r\n'
  expect(writeFields(before, { description: 'One\ntwo', tags: ['x'] })).toBe(
    '---\r\nname: a\r\ndescription: |-\r\n  One\r\n  two\r\nmetadata:\r\n  tags: x\r\n---\r\n\r\nBody\r\n',
  )
})

test('text without front matter gets one', () => {
  expect(writeFields('# Title\n\nWords.\n', { name: 'a', description: 'b' })).toBe(
    '---\nname: a\ndescription: b\n---\n\n# Title\n\nWords.\n',
  )
})

test('invalid front matter is repaired, and its valid fields stay', () => {
  const before = text(
    '---',
    '# ours',
    'name: a',
    'description:"Does: this"',
    'other: [1,2] # kept',
    '---',
    'Body',
  )
  expect(writeFields(before, { licence: 'MIT' })).toBe(
    text(
      '---',
      '# ours',
      'name: a',
      'description: "Does: this"',
      'license: MIT',
      'other: [1,2] # kept',
      '---',
      'Body',
    ),
  )
  const open = text('---', 'name: a', 'description: b', '', '# Title')
  expect(writeFields(open, { name: 'c' })).toBe(
    text('---', 'name: c', 'description: b', '---', '', '# Title'),
  )
})

test('metadata that is not a map is left unchanged', () => {
  const before = text('---', 'name: a', 'description: b', 'metadata: words', '---')
  const after = writeFields(before, { tags: ['x'] })
  expect(readSkillText(after, '').fields.tags).toEqual(['x'])
  expect(after).toContain('metadata: words\n')
})

test('words that other readers would misread are quoted', () => {
  const written = newSkillText({ name: 'a', description: 'yes', tags: ['on'], licence: '2024-01-01' }, 'Body')
  expect(written).toBe(
    text(
      '---',
      'name: a',
      'description: "yes"',
      'license: "2024-01-01"',
      'metadata:',
      '  tags: "on"',
      '---',
      '',
      'Body',
    ),
  )
})

test('a new skill follows the specification', () => {
  const written = newSkillText(
    {
      name: 'clean-csv',
      description: 'Cleans tables: headers, dates, numbers. Use when a CSV file is untidy.',
      tags: ['tables', 'data science'],
      platforms: ['macos', 'linux'],
      requires: ['terminal'],
      licence: 'MIT',
    },
    '\r\n# Clean\r\n\r\n1. Look at it.\r\n\r\n',
  )
  expect(lintSkill(written)).toEqual([])
  expect(written).toMatch(/---\n\n# Clean\n\n1\. Look at it\.\n$/)
})

const prose = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        ': ',
        ' #',
        '\n',
        '\n\n',
        '---',
        '\n---\n',
        '"',
        "'",
        '- ',
        '@',
        '> ',
        '%',
        '\t',
        '  ',
        'yes',
        '1e3',
        '{',
        '[',
        '\\',
        '\r\n',
        '\u2028',
        '\u0085',
      ),
    ),
    { maxLength: 12 },
  )
  .map(parts => parts.join('').toWellFormed().replace(/\r\n?/g, '\n').trim())
const words = (separator: RegExp, most: number) =>
  fc.uniqueArray(
    fc
      .oneof(
        fc.constantFrom('a', 'b c', 'd, e', '1.0', 'true', 'null', '- x', '[y]', 'k: v', '#h'),
        fc.string({ unit: 'binary', maxLength: 12 }),
      )
      .map(word => word.toWellFormed().replace(/\s+/g, ' ').trim())
      .filter(word => word !== '' && !separator.test(word)),
    { maxLength: most, selector: word => word.toLowerCase() },
  )
const fields: fc.Arbitrary<SkillFields> = fc.record({
  name: prose.map(name => name.replace(/\s+/g, ' ').trim().slice(0, 60).toWellFormed().trim() || 'a'),
  description: prose.filter(description => description !== ''),
  tags: words(/$^/, 6),
  platforms: fc.subarray(['macos', 'linux', 'windows', 'android']),
  requires: words(/$^/, 4),
  licence: prose.map(licence => licence.slice(0, 300).toWellFormed().trim()),
})
const body = '\n# Body\n\n---\n\nname: no field\n'
const starts = fc.constantFrom(
  body,
  foreign,
  text('---', 'name: a', 'description: b', '---') + body,
  text('---', 'description:"b: c', 'name: x: y', 'metadata:', '\ttags: [a', '---') + body,
  text('---', 'metadata: [a]', 'tags: &t [a, b]', 'keywords: *t', 'license: &l MIT', 'x: *l', '---') + body,
  text('---', '"name": a', '? description', ': b', '{a: b}: c', '---') + body,
  text('---', 'tags: {a: b}', 'platforms:', 'requires_tools: null', 'license:', '---') + body,
  text('---', 'name: a', '__proto__: b', 'requires_tools: [a]', 'requires_toolsets: b', '---') + body,
  text('---', '{name: a, description: b, tags: [c]}', '---') + body,
  text('---', 'name: a', 'description: b', 'name: c', '', '# open'),
)

test('written fields are read back unchanged, whatever was there before', () => {
  fc.assert(
    fc.property(starts, fields, fc.boolean(), (before, wanted, isWindows) => {
      const start = isWindows ? before.replaceAll('\n', '\r\n') : before
      const written = writeFields(start, wanted)
      const read = readSkillText(written, '')
      expect(read.fields).toEqual(wanted)
      expect(read.issues).toEqual([])
      expect(read.body.trim()).toBe(readSkillText(start, '').body.trim())
      expect(writeFields(written, wanted)).toBe(written)
    }),
    { numRuns: 250 },
  )
})

test('a new skill is read back as intended', () => {
  fc.assert(
    fc.property(fields, wanted => {
      const read = readSkillText(newSkillText(wanted, '# Body'), '')
      expect([read.fields, read.body, read.issues]).toEqual([wanted, '\n# Body\n', []])
    }),
    { numRuns: 150 },
  )
})
