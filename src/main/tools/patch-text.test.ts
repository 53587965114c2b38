import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRefusal } from '../lib/expected-errors.ts'
import { patchText } from './patch-text.ts'

const patch = (text: string, old: string, now: string, all = false) => patchText(text, { old, new: now, all })

test.for([
  ['a passage', 'one\ntwo\nthree\n', 'two', 'TWO', 'one\nTWO\nthree\n'],
  ['several lines', 'a\nb\nc\n', 'a\nb\n', 'x\n', 'x\nc\n'],
  ['a passage that is removed', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
  ['CRLF, quoted with LF', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz', 'x\r\ny\r\nz\r\nc\r\n'],
  ['LF, quoted with CRLF', 'a\nb\nc\n', 'a\r\nb', 'x\r\ny', 'x\ny\nc\n'],
  ['one line of mixed endings', 'a\r\nb\nc\n', 'a\nb', 'x\ny', 'x\ny\nc\n'],
  ['spaces at the end of lines', 'a  \nb\t\nc\n', 'a\nb', 'x\ny', 'x\ny\nc\n'],
  [
    'another indentation',
    '  if (a) {\n    b()\n  }\n',
    'if (a) {\n  b()\n}',
    'if (c) {\n  d()\n}',
    '  if (c) {\n    d()\n  }\n',
  ],
  ['tabs for spaces', '\tif (a)\n\t\tb()\n', '    if (a)\n        b()', '    c()', '\tc()\n'],
  ['a last line without a break', 'a\n  b', 'b \n', 'c\n', 'a\n  c'],
  ['a text with $ in it', 'a', 'a', '$& $1', '$& $1'],
] as const)('%s', ([, text, old, now, expected]) => {
  expect(patch(text, old, now)).toEqual({ text: expected, count: 1 })
})

test('all occurrences are replaced on request', () => {
  expect(patch('a b a\na\n', 'a', 'aa', true)).toEqual({ text: 'aa b aa\naa\n', count: 3 })
  expect(patch('  x\n y\n  x\n y\n', 'x\ny', 'z\ny', true)).toMatchObject({ count: 2 })
})

test('a passage that occurs more than once is refused, with the lines', () => {
  expect(patch('a\nb\na\n', 'a', 'x')).toEqual({
    refused:
      'old_string occurs 2 times (lines 1, 3). Add lines around it until it is unique, or set replace_all.',
  })
  expect(patch('a\n'.repeat(9), 'a', 'x')).toEqual({
    refused: expect.stringContaining('lines 1, 2, 3, 4, 5, …'),
  })
})

test('for a missing passage the answer shows the most similar text', () => {
  const text = 'function add(a, b) {\n  return a + b\n}\n'
  expect(patch(text, 'function add(x, y) {\n  return x + y', 'nothing')).toEqual({
    refused: 'old_string was not found.',
    near: 'Lines 1-2 are nearest to it:\nfunction add(a, b) {\n  return a + b',
  })
  expect(patch(text, '#include <stdio.h>', 'nothing')).toEqual({
    refused: 'old_string was not found.',
    near: 'Read the file and quote the text as it is.',
  })
})

test('an empty patch is refused', () => {
  expect(patch('a', '', 'b')).toHaveProperty('refused', expect.stringContaining('old_string is empty'))
  expect(patch('a', 'a', 'a')).toHaveProperty('refused', expect.stringContaining('nothing would change'))
})

test('text outside the patch stays unchanged, byte for byte', () => {
  const line = fc.stringMatching(/^[ab ]{0,4}(\r?\n)$/)
  fc.assert(
    fc.property(fc.array(line), fc.array(line), fc.string(), (before, after, now) => {
      const [start, end] = [before.join(''), after.join('')]
      const result = patch(`${start}<unique>${end}`, '<unique>', `<${now}`)
      if (isRefusal(result)) throw new Error(result.refused)
      expect(result.text.startsWith(start) && result.text.endsWith(end)).toBe(true)
    }),
  )
})
