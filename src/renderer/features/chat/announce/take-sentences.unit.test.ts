import { expect, test } from 'vitest'
import { takeSentences } from './take-sentences.ts'
import * as fc from 'fast-check'

test.for([
  ['nothing of a sentence that goes on', 'It is no', 0, false, { text: '', upTo: 0 }],
  ['a sentence once something follows it', 'It is noon. The', 0, false, { text: 'It is noon.', upTo: 11 }],
  ['nothing at a stop that may be a number’s', 'It costs 3.', 0, false, { text: '', upTo: 0 }],
  ['two sentences in one go', 'Yes. No! Wh', 0, false, { text: 'Yes. No!', upTo: 8 }],
  ['a line that ends', 'Files:\n- a', 0, false, { text: 'Files:', upTo: 7 }],
  ['a sentence that needs no space after it', '正午です。次', 0, false, { text: '正午です。', upTo: 5 }],
  ['what is new only', 'Yes. No! Wh', 4, false, { text: 'No!', upTo: 8 }],
  ['the rest at the end', 'Yes. And so', 4, true, { text: 'And so', upTo: 11 }],
  ['words without the signs of Markdown', '**It** is `noon`.\n', 0, false, { text: 'It is noon.', upTo: 18 }],
] as const)('%s is taken', ([, text, from, all, expected]) => {
  expect(takeSentences(text, from, all)).toEqual(expected)
})

test('however a text grows, every part of it is announced once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('Yes. ', 'No', '!', ' ', 'a\n', '3.5', '。')), pieces => {
      let text = ''
      let upTo = 0
      let covered = ''
      for (const piece of pieces) {
        text += piece
        const next = takeSentences(text, upTo).upTo
        covered += text.slice(upTo, next)
        upTo = next
      }
      expect(covered + text.slice(upTo)).toBe(text)
    }),
  )
})
