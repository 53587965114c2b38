import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathProblem, plainPath } from './plain-path.ts'

test.for([
  ['"src/b.ts"', 'src/b.ts'],
  ["'src/b.ts'", 'src/b.ts'],
  ['`src/b.ts`', 'src/b.ts'],
  ['```src/b.ts```', 'src/b.ts'],
  ['“src/b.ts”', 'src/b.ts'],
  ['„src/b.ts“', 'src/b.ts'],
  ['‘src/b.ts’', 'src/b.ts'],
  ['«src/b.ts»', 'src/b.ts'],
  ['「src/b.ts」', 'src/b.ts'],
  ['""src/b.ts""', 'src/b.ts'],
  [`"'src/b.ts'"`, 'src/b.ts'],
  ['\\"src/b.ts\\"', 'src/b.ts'],
  ['"src/b.ts', 'src/b.ts'],
  ['src/b.ts"', 'src/b.ts'],
  ['src/b.ts`', 'src/b.ts'],
  [' src/b.ts ', 'src/b.ts'],
  ['\u00a0src/b.ts\u3000\u200b', 'src/b.ts'],
  ['\ufeffsrc/b.ts\r\n', 'src/b.ts'],
  ['"src/b.ts"\n', 'src/b.ts'],
  ['" src/b.ts "', 'src/b.ts'],
  ['<src/b.ts>', 'src/b.ts'],
  ['[b](src/b.ts)', 'src/b.ts'],
  ['[`b.ts`](<src/b.ts> "The title")', 'src/b.ts'],
  ['[src/b.ts](http://src/b.ts)', 'src/b.ts'],
  ['src/b.ts,', 'src/b.ts'],
  ['src/b.ts:', 'src/b.ts'],
  ['"src/b.ts",', 'src/b.ts'],
  ['src/b.ts.', 'src/b.ts'],
  ['src\\b.ts', 'src/b.ts'],
  ['.\\src\\b.ts', './src/b.ts'],
  ['src\\\\b.ts', 'src/b.ts'],
  ['My\\ Notes\\ \\(1\\).txt', 'My Notes (1).txt'],
  ['file:///tmp/My%20Notes.txt', '/tmp/My Notes.txt'],
  ['<file:///tmp/100%.txt>', '/tmp/100%.txt'],
  ['FILE://localhost/tmp/a', '/tmp/a'],
  ['file:src/b.ts', 'src/b.ts'],
  ['file:///%2e%2e/etc/passwd', '/../etc/passwd'],
] as const)('%j is the path %j', ([given, text]) => {
  expect(plainPath(given)).toEqual({ text })
})

test.for([
  'src/b.ts',
  '../x',
  '..',
  '.',
  "'tis.txt",
  "the dogs'",
  "it's.txt",
  '«Война и мир».txt',
  '“Quoted” title.md',
  'Screen 27"',
  'app/[slug]/(group)/page.tsx',
  '@scope/x.ts',
  'My%20Notes.txt',
  'src/a.ts:10',
  'etc.',
  '__init__.py',
  '❤️.md',
  'a <b> c',
  '~/x',
])('%j stays as it is', given => {
  expect(plainPath(given)).toEqual({ text: given })
})

test('an address of another computer is told apart', () => {
  expect(plainPath('file://host/share')).toEqual({ text: '/share', host: 'host' })
  expect(plainPath('file://notes.md')).toEqual({ text: '', host: 'notes.md' })
})

test.for([
  ['""', 'The path is empty.'],
  ['file://', 'The path is empty.'],
  ['`\n`', 'The path is empty.'],
  ['file:///a%00b', 'null character'],
  ['notes\nmore.md', 'has a line break in it, after “notes”'],
  ['a\u2028b', 'a line break'],
  ['src\test.ts', 'a tab'],
  ['a\u001b[31m.md', 'the control character U+001B'],
  ['a\ud800.md', 'half of a character'],
  ['https://example.test/a.md', 'is an address'],
  ['\\\\host\\share\\a.md', 'is on another computer'],
  ['file://host/share', 'names another computer'],
])('%j is no path: %s', ([given, problem]) => {
  expect(pathProblem(plainPath(given!))).toContain(problem)
})

test('a plain path stays plain, whatever the text', () => {
  const piece = fc.constantFrom(
    '"',
    "'",
    '`',
    '\\',
    '<',
    '>',
    ' ',
    '\n',
    '[',
    '](',
    ')',
    '.',
    ',',
    '%20',
    'a',
    '/',
    'é',
    'file://',
    '“',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const once = plainPath(pieces.join(''))
      expect(pieces.join('').length).toBeGreaterThanOrEqual(once.text.length)
      if (!pieces.includes('file://') && !pieces.includes('\\')) expect(plainPath(once.text)).toEqual(once)
    }),
  )
})
