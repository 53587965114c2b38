import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutAtMarks, excerptOf, type Mark, type Piece } from './excerpts.ts'

/** A text with the matches in brackets. */
const shown = (pieces: readonly Piece[]) => pieces.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('')

test.for([
  ['one mark', [[4, 7]], 'the [dog] and the cat'],
  [
    'two marks',
    [
      [12, 15],
      [4, 7],
    ],
    'the [dog] and [the] cat',
  ],
  [
    'marks that overlap',
    [
      [4, 9],
      [7, 13],
    ],
    'the [dog a][nd t]he cat',
  ],
  ['a mark beyond the end', [[18, 99]], 'the dog and the ca[t]'],
  ['a mark outside of the text', [[40, 50]], 'the dog and the cat'],
  ['a mark of nothing', [[4, 4]], 'the dog and the cat'],
] as const)('%s', ([, marks, expected]) => {
  expect(shown(cutAtMarks('the dog and the cat', marks))).toBe(expected)
})

test('an excerpt loses and repeats no letter, whatever is marked', () => {
  const mark = fc.tuple(fc.integer({ min: -5, max: 60 }), fc.integer({ min: -5, max: 60 }))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.array(mark), (text, marks) => {
      const pieces = cutAtMarks(text, marks)
      expect(pieces.map(piece => piece.text).join('')).toBe(text)
    }),
  )
})

test('a short text is shown whole, as one paragraph', () => {
  expect(shown(excerptOf('Use pnpm,\n\nplease.', [[4, 8]]))).toBe('Use [pnpm], please.')
})

test('of a long text, the part around the first match is shown, from the start of a word', () => {
  const text = `${'word '.repeat(50)}needle${' word'.repeat(100)}`
  const at = text.indexOf('needle')
  const marks: Mark[] = [[at, at + 6]]
  const line = shown(excerptOf(text, marks))
  expect(line).toMatch(/^… (?:word )+\[needle\](?: word)+(?: w?o?r?d?)? …$/u)
  expect(line.length).toBeLessThan(240)
})

test('a match stays visible even in a text without spaces', () => {
  const text = `${'x'.repeat(500)}needle`
  expect(shown(excerptOf(text, [[500, 506]]))).toMatch(/^… x+\[needle\]$/u)
})
