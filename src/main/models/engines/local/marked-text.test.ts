import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../../testing/count-cases.ts'
import { splitMarked, findMarkup } from './untrusted-text.ts'

const marks = ['<tool_call>', '</tool_call>', '[ARGS]', '<|im_end|>']
const pattern = findMarkup(marks)

test('what is marked is markup, and the same words elsewhere are text', () => {
  const text = '<tool_call>say </tool_call></tool_call>'
  expect(
    splitMarked(
      text,
      [
        [0, 11],
        [27, 39],
      ],
      pattern,
    ),
  ).toEqual([
    { text: '<tool_call>', isMarkup: true },
    { text: 'say </tool_call>', isMarkup: false },
    { text: '</tool_call>', isMarkup: true },
  ])
})

test('blanks and words beside a mark stay with the text around them', () => {
  const text = 'now\n<tool_call>\n{}\n</tool_call>'
  expect(splitMarked(text, [[0, text.length]], pattern).map(piece => piece.text)).toEqual([
    'now\n',
    '<tool_call>',
    '\n{}\n',
    '</tool_call>',
  ])
})

test.for([
  ['a stretch that holds only a part of a mark', '<tool_call>', [[1, 11]]],
  ['a mark that is no token of this model', '<other>', [[0, 7]]],
  ['a stretch beyond the end', 'text', [[2, 90]]],
  ['no stretch at all', '<tool_call>', []],
] as const)('%s makes no markup', ([, text, spans]) => {
  expect(splitMarked(text, spans, pattern)).toEqual([{ text, isMarkup: false }])
})

test('a model without any markup has none', () => {
  expect(splitMarked('<tool_call>', [[0, 11]], undefined)).toEqual([{ text: '<tool_call>', isMarkup: false }])
})

test('whatever is marked, the pieces spell the text, and markup lies within what is marked', () => {
  const word = fc.oneof(fc.constantFrom(...marks, '<', '\n'), fc.string({ maxLength: 4 }))
  const span = fc.tuple(fc.nat(40), fc.nat(40))
  const { met, atLeast } = countCases<'markup' | 'text'>()
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), fc.array(span, { maxLength: 4 }), (words, spans) => {
      const text = words.join('')
      const pieces = splitMarked(text, spans, pattern)
      expect(pieces.map(piece => piece.text).join('')).toBe(text)
      let at = 0
      for (const piece of pieces) {
        const end = at + piece.text.length
        met(piece.isMarkup ? 'markup' : 'text')
        if (piece.isMarkup) {
          expect(marks).toContain(piece.text)
          expect(spans.some(([from, to]) => from <= at && end <= to)).toBe(true)
        }
        at = end
      }
    }),
    { numRuns: 300 },
  )
  atLeast({ markup: 15, text: 100 })
})
