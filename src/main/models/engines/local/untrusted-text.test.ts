import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../../testing/count-cases.ts'
import { cutMarkup, findMarkup } from './untrusted-text.ts'

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

test('markup is cut after its first character', () => {
  expect(cutMarkup('say <tool_call> and </tool_call>', pattern)).toEqual([
    'say <',
    'tool_call> and <',
    '/tool_call>',
  ])
})

test('markup inside a longer token is cut as well', () => {
  expect(cutMarkup('"}}</tool_call>', pattern)).toEqual(['"}}<', '/tool_call>'])
})

test.for(['<|python_tag|>x', '<｜tool▁sep｜>', '[TOOL_CALLS]'])('the notation of %s is known', text => {
  expect(cutMarkup(text, pattern)).toEqual([text.slice(0, 1), text.slice(1)])
})

test.for(['\n', '### Observations', '[Tool Result: x]', 'a < b > c', '<table>', '<unknown>'])(
  'everyday text such as %j stays whole',
  text => expect(cutMarkup(text, pattern)).toEqual([text]),
)

test('without markup in the vocabulary nothing is cut', () => {
  expect(findMarkup(['\n', 'word'])).toBeUndefined()
  expect(cutMarkup('<tool_call>', undefined)).toEqual(['<tool_call>'])
})

test('whatever the text is, the pieces spell it and none holds markup of the model', () => {
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
