import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../../../testing/count-cases.ts'
import { cutMarkup, findMarkup, splitMarked } from './find-markup.ts'

const tokens = [
  '<tool_call>',
  '</tool_call>',
  '<think>',
  '<|python_tag|>',
  '<｜tool▁sep｜>',
  '[TOOL_CALLS]',
  '"}}</tool_call>',
  '\n',
  '### Observations',
  '[Tool Result: ',
  '<table>',
]
const pattern = findMarkup(tokens)

test('markup is split after its first character', () => {
  expect(cutMarkup('say <tool_call> and </tool_call>', pattern)).toEqual([
    'say <',
    'tool_call> and <',
    '/tool_call>',
  ])
})

test('markup inside a longer token is split too', () => {
  expect(cutMarkup('"}}</tool_call>', pattern)).toEqual(['"}}<', '/tool_call>'])
})

test.for(['<|python_tag|>x', '<｜tool▁sep｜>', '[TOOL_CALLS]'])('the markup in %s is recognised', text => {
  expect(cutMarkup(text, pattern)).toEqual([text.slice(0, 1), text.slice(1)])
})

test.for(['\n', '### Observations', '[Tool Result: x]', 'a < b > c', '<table>', '<unknown>'])(
  'ordinary text such as %j stays whole',
  text => expect(cutMarkup(text, pattern)).toEqual([text]),
)

test('without markup in the vocabulary nothing is split', () => {
  expect(findMarkup(['\n', 'word'])).toBeUndefined()
  expect(cutMarkup('<tool_call>', undefined)).toEqual(['<tool_call>'])
})

test('for any text the pieces join to it, and none contains the model’s markup', () => {
  const word = fc.oneof(fc.constantFrom(...tokens, '<', '>', '/', '<tool'), fc.string({ maxLength: 5 }))
  const { met, atLeast } = countCases<'cut' | 'whole'>()
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), parts => {
      const text = parts.join('')
      const pieces = cutMarkup(text, pattern)
      expect(pieces.join('')).toBe(text)
      met(pieces.length > 1 ? 'cut' : 'whole')
      for (const piece of pieces) expect(piece).not.toMatch(pattern ?? /^$/)
    }),
  )
  atLeast({ cut: 30, whole: 15 })
})

const marks = ['<tool_call>', '</tool_call>', '[ARGS]', '<|im_end|>']
const markPattern = findMarkup(marks)

test('marked spans are markup, and the same words elsewhere are text', () => {
  const text = '<tool_call>say </tool_call></tool_call>'
  expect(
    splitMarked(
      text,
      [
        [0, 11],
        [27, 39],
      ],
      markPattern,
    ),
  ).toEqual([
    { text: '<tool_call>', isMarkup: true },
    { text: 'say </tool_call>', isMarkup: false },
    { text: '</tool_call>', isMarkup: true },
  ])
})

test('white space and words beside a mark stay with the surrounding text', () => {
  const text = 'now\n<tool_call>\n{}\n</tool_call>'
  expect(splitMarked(text, [[0, text.length]], markPattern).map(piece => piece.text)).toEqual([
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
] as const)('%s gives no markup', ([, text, spans]) => {
  expect(splitMarked(text, spans, markPattern)).toEqual([{ text, isMarkup: false }])
})

test('a model without markup tokens has no markup', () => {
  expect(splitMarked('<tool_call>', [[0, 11]], undefined)).toEqual([{ text: '<tool_call>', isMarkup: false }])
})

test('for any marked spans the pieces join to the text, and markup lies within the spans', () => {
  const word = fc.oneof(fc.constantFrom(...marks, '<', '\n'), fc.string({ maxLength: 4 }))
  const span = fc.tuple(fc.nat(40), fc.nat(40))
  const { met, atLeast } = countCases<'markup' | 'text'>()
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), fc.array(span, { maxLength: 4 }), (words, spans) => {
      const text = words.join('')
      const pieces = splitMarked(text, spans, markPattern)
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
