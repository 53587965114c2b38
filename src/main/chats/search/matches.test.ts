import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCounter, matchRanges, excerptOf } from './matches.ts'
import { parseQuery, stemOf } from './query.ts'
import { countCases } from '../../../../testing/count-cases.ts'

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

test('words are counted by their stems', () => {
  const word = fc.stringMatching(/^[a-z]{1,4}(?:ization|ational|fulness|ibilities|ies|ing|ed|y|s|ously|)$/)
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 30 }), (asked, text) => {
      const stem = stemOf(asked)
      const expected = text.filter(each => stemOf(each) === stem).length
      const counter = createCounter([{ match: '', kind: 'words', stems: [stem] }])
      expect(counter(text.join(' '))).toEqual([expected])
    }),
    { numRuns: 500 },
  )
})

test('marks cover the searched words as written in the text', () => {
  expect(marked('camping trips', 'The Camp… our tripped TRIP')).toEqual(['Camp', 'tripped', 'TRIP'])
  expect(marked('"red tape"', 'Red, tape: red')).toEqual(['Red, tape'])
  expect(marked('post*', 'Postgres is no outpost')).toEqual(['Postgres'])
  expect(marked('日本語', '私は日本語を')).toEqual(['日本語'])
  expect(marked('cafe', 'Der Cafe\u0301 im Café')).toEqual(['Cafe\u0301', 'Café'])
})

test('of several words before a star only the last one may go on', () => {
  const { wanted } = parseQuery('chat-send*')
  expect(matchRanges('Chat, sender! Chats send. Send a chat. Chat ascend.', wanted)).toEqual([
    [0, 12],
    [14, 24],
  ])
  expect(createCounter(wanted)('Chat, sender! Chats send. Send a chat.')).toEqual([2])
})

const long = `${'before '.repeat(80)}needle ${'after '.repeat(80)}`

test('a short text is whole, and a long one is cut around the match', () => {
  expect(excerptOf('one\nneedle', parseQuery('needle').wanted, 100)).toEqual({
    text: 'one needle',
    marks: [[4, 10]],
  })
  const { text, marks } = excerptOf(long, parseQuery('needle').wanted, 100)
  expect([text.slice(...marks[0]!), text.length]).toEqual(['needle', 102])
  expect(text).toMatch(/^…before .* needle after .*…$/)
  expect(excerptOf(long, [], 100).text).toMatch(/^before .*[^…]…$/)
})

test('marks lie within the text, whatever it is', () => {
  const text = fc.array(fc.constantFrom('needle', 'a', '🚀', '日本', '\n', 'é', '\ud800'), { maxLength: 60 })
  const { met, atLeast } = countCases<'mark'>()
  fc.assert(
    fc.property(text, fc.integer({ min: 5, max: 60 }), (parts, room) => {
      const found = excerptOf(parts.join(' '), parseQuery('needle').wanted, room)
      for (const [from, to] of found.marks) {
        met('mark')
        expect(found.text.slice(from, to)).toBe('needle')
      }
      expect(found.text.length).toBeLessThanOrEqual(room + 2)
    }),
  )
  atLeast({ mark: 15 })
})
