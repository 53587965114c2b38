import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeLines } from './merge-lines.ts'

const base = 'one\ntwo\nthree\nfour\nfive\n'

test('changes in different places are merged', () => {
  const ours = base.replace('one', 'ONE')
  const theirs = base.replace('four\n', '')
  expect(mergeLines({ base, ours, theirs })).toBe('ONE\ntwo\nthree\nfive\n')
})

test.for([
  ['the same line', base.replace('two', 'TWO'), base.replace('two', 'zwei')],
  ['lines that touch', base.replace('two', 'TWO'), base.replace('three', 'drei')],
  ['an insertion in the same place', `zero\n${base}`, `null\n${base}`],
])('changes of %s are left to the user', ([, ours, theirs]) => {
  expect(mergeLines({ base, ours: ours!, theirs: theirs! })).toBeUndefined()
})

test('a last line without a line break is a line like any other', () => {
  expect(mergeLines({ base: 'a\nb\nc', ours: 'A\nb\nc', theirs: 'a\nb\nc\nd' })).toBe('A\nb\nc\nd')
})

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'x'), { maxLength: 12 })
  .map(lines => lines.join(''))

test('for any texts, a change on one side alone is the result', () => {
  fc.assert(
    fc.property(text, text, (from, to) => {
      expect(mergeLines({ base: from, ours: to, theirs: from })).toBe(to)
      expect(mergeLines({ base: from, ours: from, theirs: to })).toBe(to)
    }),
  )
})

test('the result does not depend on which side is which', () => {
  fc.assert(
    fc.property(text, text, text, (from, ours, theirs) => {
      expect(mergeLines({ base: from, ours, theirs })).toBe(
        mergeLines({ base: from, ours: theirs, theirs: ours }),
      )
    }),
  )
})
