import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCounter, matchRanges } from './count-matches.ts'
import { parseQuery } from './query.ts'
import { stemOf, wordsOf } from './search-words.ts'

const counts = (query: string, text: string) => createCounter(parseQuery(query).wanted)(text)
const marked = (query: string, text: string) =>
  matchRanges(text, parseQuery(query).wanted).map(([from, to]) => text.slice(from, to))

test.for([
  ['camping', 'We camped. Camping! A campaign, encamping.', [2]],
  ['happiness', 'happy happier happily happiness', [2]],
  ['foo_bar', 'foo_bar, foo bar, bar foo', [2, 3, 3]],
  ['"red tape"', 'Red tape is red. Red-tape.', [2]],
  ['post* x', 'postgres posts outpost', [2, 0]],
  ['日本語', '日本語と日本', [2, 1]],
  ['café', 'CAFE café Cafés', [3]],
] as const)('%j is counted in %j', ([query, text, expected]) => {
  expect(counts(query, text)).toEqual(expected)
})

test('words are counted as if each had been stemmed', () => {
  const word = fc.stringMatching(/^[a-z]{1,4}(?:ization|ational|fulness|ibilities|ies|ing|ed|y|s|ously|)$/)
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 30 }), (asked, text) => {
      const stem = stemOf(asked)
      const expected = wordsOf(text.join(' ')).filter(each => stemOf(each) === stem).length
      const counter = createCounter([{ match: '', kind: 'words', stems: [stem] }])
      expect(counter(text.join(' '))).toEqual([expected])
    }),
    { numRuns: 500 },
  )
})

test('marks are what was looked for, in the letters of the text', () => {
  expect(marked('camping trips', 'The Camp… our tripped TRIP')).toEqual(['Camp', 'tripped', 'TRIP'])
  expect(marked('"red tape"', 'Red, tape: red')).toEqual(['Red, tape'])
  expect(marked('post*', 'Postgres is no outpost')).toEqual(['Postgres'])
  expect(marked('日本語', '私は日本語を')).toEqual(['日本語'])
  expect(marked('cafe', 'Der Cafe\u0301 im Café')).toEqual(['Cafe\u0301', 'Café'])
})
