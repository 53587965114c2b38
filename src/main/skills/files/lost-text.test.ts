import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lintSkill } from './lint-skill.ts'
import { readSkillText } from './read-skill.ts'
import { writeFields } from './write-fields.ts'

const skill = (...lines: string[]) => `---\n${lines.join('\n')}\n---\nBody.`
const notesOn = (text: string) =>
  readSkillText(text, 'folder').issues.map(({ line, rule, text: said }) => [
    line,
    rule,
    /`([^`]*)`/.exec(said)?.[1],
  ])

test.for<[string[], [number, string][]]>([
  [['name: a', 'description: Fix issue #42 and C# code'], [[3, '#42 and C# code']]],
  [['name: a', 'description: Fix issue', '  #42 and C# code'], [[4, '#42 and C# code']]],
  [['name: a', 'description: Fix issue', '  and #42'], [[4, '#42']]],
  [['name: a', 'description: #hashtags are made'], [[3, '#hashtags are made']]],
  [['name: a', 'description: Fix issue # 42'], [[3, '# 42']]],
  [['  name: a', '  description: Fix #42'], [[3, '#42']]],
  [['name: a', 'Description: Fix #42'], [[3, '#42']]],
  [
    ['name: a', 'description: x', 'tags:', '- #css', '- c #d'],
    [
      [5, '#css'],
      [6, '#d'],
    ],
  ],
  [['name: a', 'description: x', 'license: MIT #1'], [[4, '#1']]],
  [['name: a', 'description: !important thing'], [[3, '!important']]],
  [['name: a', 'description: &c is a language'], [[3, '&c']]],
  [['name: a', 'description: Short # said aside', '# above', 'license: MIT # see LICENSE'], []],
  [['name: a', 'description: "Fix issue #42"'], []],
  [['name: a', "description: 'Fix issue #42'"], []],
  [['name: a', 'description: Fix C# and F#, a#b'], []],
  [['name: a', 'description: >', '  Fix issue #42', '  #43'], []],
  [['name: a', 'description: |', '  #42'], []],
  [['name: a', 'description: x', 'metadata:', '  # a remark', '  color: #fff'], []],
  [
    ['name: a', 'description: x', 'tags: [a, b] #c', "license: 'MIT #1' #2"],
    [
      [4, '#c'],
      [5, '#2'],
    ],
  ],
  [['name: a', 'description: > #1', '  Fix.'], [[3, '#1']]],
])('what YAML leaves out is said: %s', ([lines, wanted]) => {
  const lost = notesOn(skill(...lines)).filter(([, rule]) => rule === 'lost-text')
  expect(lost.map(([line, , text]) => [line, text])).toEqual(wanted)
})

test('what was read as text after all is not said to be lost', () => {
  const text = skill('name: a', 'description: Fix: issue #42')
  const { fields } = readSkillText(text, '')
  expect(fields.description).toBe('Fix: issue #42')
  expect(notesOn(text).map(([, rule]) => rule)).toEqual(['yaml'])
})

test('fields are read in any case, with a note that says so, and stay a warning', () => {
  const text = skill('Name: tide', 'DESCRIPTION: Tells the tide. Use it when asked.', 'Tags: [a, b]')
  expect(readSkillText(text, '').fields).toMatchObject({
    name: 'tide',
    description: 'Tells the tide. Use it when asked.',
    tags: ['a', 'b'],
  })
  expect(notesOn(text)).toEqual([
    [2, 'field-case', 'Name'],
    [3, 'field-case', 'DESCRIPTION'],
    [4, 'field-case', 'Tags'],
  ])
  const levels = lintSkill(text)
    .filter(({ rule }) => rule === 'field-case')
    .map(({ level }) => level)
  expect(levels).toEqual(['warning', 'warning', 'warning'])
})

test('a field in small letters counts before one of another case', () => {
  const text = skill('Name: other', 'name: tide', 'Description: first', 'DESCRIPTION: second')
  expect(readSkillText(text, '').fields).toMatchObject({ name: 'tide', description: 'first' })
  // Also if the YAML is invalid.
  expect(readSkillText(skill('Name:tide', 'Description: Tell: the tide'), '').fields).toMatchObject({
    name: 'tide',
    description: 'Tell: the tide',
  })
})

test('a change of fields writes their usual names and keeps the rest', () => {
  const text = skill('# mine', 'Name: tide', '"Description": Tell it', 'color: Blue')
  expect(writeFields(text, { description: 'Tell the tide' })).toBe(
    skill('# mine', 'name: tide', '"description": Tell the tide', 'color: Blue'),
  )
  expect(writeFields(text, { name: 'tide' })).toBe(text)
})

test('every word of a description without quotes is read, or something is said', () => {
  const word = fc.constantFrom(
    '#42',
    '#',
    'C#',
    '!x',
    '&y',
    '*z',
    'a:',
    ': b',
    '- c',
    '"q"',
    "it's",
    '{x}',
    '[y]',
    '@a',
    '%',
    '|',
    '>',
    'tide',
    '`t`',
  )
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), words => {
      const value = words.join(' ')
      const text = skill('name: a', `description: ${value}`)
      const { fields, issues } = readSkillText(text, 'a')
      // Quotes and brackets may be YAML syntax; letters and digits are not.
      const isWhole = (value.match(/[\p{L}\p{N}]+/gu) ?? []).every(part => fields.description.includes(part))
      const isRemark = /(?:^| )#(?: |$)/.test(value)
      expect(isWhole || isRemark || issues.length > 0).toBe(true)
    }),
  )
})
