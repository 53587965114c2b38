import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSimple, yamlFront } from './front-yaml.ts'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('the usual front matter is read without the library', () => {
  const text = [
    '# of ours',
    'name: clean-csv',
    'description: "Cleans: files"',
    "title: 'It''s'",
    'version: 1.0.0',
    'long: >-',
    '  one',
    '  # two',
    'platforms: [linux, torch>=2.0, ]',
    'metadata:',
    '  hermes:',
    '    tags: []',
    '',
    '    list:',
    '    - a b',
    '    - "c"',
    '  on: true',
    'last:',
    '',
  ].join('\n')
  expect(plain(parseSimple(text))).toEqual({
    name: 'clean-csv',
    description: 'Cleans: files',
    title: "It's",
    version: '1.0.0',
    long: 'one # two',
    platforms: ['linux', 'torch>=2.0'],
    metadata: { hermes: { tags: [], list: ['a b', 'c'] }, on: true },
    last: null,
  })
})

test.for([
  'a: b: c',
  'a: b #c\n',
  'a: "b\\n"',
  'a: &x b',
  'a: b\n  c',
  'a: [b, [c]]',
  'a:\n  - b: c',
  'a: b\na: c',
  '__proto__: a',
  'a: |\n  b\n\n  c',
  'a: |\n  b\n\n  # c',
  'a:\tb',
  '- a',
  'a',
])('%j is passed to the library', text => {
  expect(parseSimple(text)).toBeUndefined()
})

const word = fc.constantFrom(
  'a',
  'b c',
  '1',
  '1.0',
  'true',
  'null',
  '~',
  '-x',
  '- x',
  'a:b',
  'a: b',
  'x #y',
  '#z',
  "it's",
  '"q"',
  "'q'",
  '[',
  '[a, b]',
  '[a,, b]',
  '[]',
  '{}',
  '>',
  '|',
  '>-',
  '>+',
  '|2',
  '&a',
  '*a',
  '!t',
  '%',
  '@',
  '`',
  '?',
  ':',
  ',',
  '---',
  '...',
  'é',
  '😀',
  '=',
  '<<',
  'a\\b',
  '"a\\b"',
  '',
)
const line = fc
  .tuple(
    fc.constantFrom('', '', '', ' ', '  ', '    '),
    fc.constantFrom('a:', 'b:', 'c-d:', 'e.f:', '-', '#', '', '"k":', 'a'),
    fc.constantFrom(' ', ' ', ' ', '  ', ''),
    word,
    fc.constantFrom('', '', ' ', '  # aside'),
  )
  .map(parts => parts.join(''))

const easy = fc
  .tuple(
    fc.constantFrom('', '', '  ', '    '),
    fc.constantFrom('a:', 'b:', 'c-d:', 'e.f:', 'a:', 'g:', '-'),
    fc.constantFrom(
      ' b c',
      ' 1.0',
      '',
      '',
      ' "q: r"',
      " 'it''s'",
      ' [a, 1, b c]',
      ' >',
      ' |-',
      ' torch>=2',
      ' true',
    ),
  )
  .map(parts => parts.join(''))

test('the fast reader never reads anything differently from the library', () => {
  let seen = 0
  const lines = fc.oneof(
    fc.array(line, { minLength: 1, maxLength: 7 }),
    fc.array(easy, { minLength: 1, maxLength: 5 }),
    fc.array(fc.oneof({ weight: 4, arbitrary: easy }, line), { minLength: 1, maxLength: 6 }),
  )
  fc.assert(
    fc.property(lines, each => {
      const text = `${each.join('\n')}\n`
      const simple = parseSimple(text)
      if (simple === undefined) return
      seen++
      const read = yamlFront(text)
      expect('map' in read ? plain(read.map) : read).toEqual(plain(simple))
    }),
    { numRuns: 10_000 },
  )
  expect(seen).toBeGreaterThan(500)
})
