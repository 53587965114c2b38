import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldQuery, foldText, matchWords } from './rank-matches.ts'

const score = (query: string, title: string, others = '') =>
  matchWords(foldQuery(query), foldText(title), foldText(others).text)?.score
const marked = (query: string, title: string) => {
  const match = matchWords(foldQuery(query), foldText(title))
  return match?.marks.map(([from, to]) => title.slice(from, to))
}

/** The matching titles, best first. */
const ranked = (query: string, ...titles: string[]) =>
  titles
    .flatMap(title => (score(query, title) === undefined ? [] : [title]))
    .toSorted((a, b) => score(query, b)! - score(query, a)!)

test.for([
  ['memory', ['Memory', 'Memory limits', 'Show the memory', 'Immemory', 'Me moor by']],
  ['new chat', ['New chat', 'New chat in a folder', 'A new kind of chat', 'Chat about what is new']],
  ['rent', ['Rent', 'The rent of May', 'Current prices']],
] as const)(
  '“%s” finds the same text first, then beginnings, words, parts and letters',
  ([query, titles]) => {
    const shuffled = [...titles].toReversed()
    expect(ranked(query, ...shuffled)).toEqual(titles.filter(title => score(query, title) !== undefined))
    expect(ranked(query, ...shuffled).length).toBeGreaterThan(2)
  },
)

test.for([
  ['stgs', 'Settings', ['S', 't', 'gs']],
  ['cafe', 'Le Café', ['Café']],
  ['straße', 'STRASSE', undefined],
  ['ÜBER', 'Über uns', ['Über']],
  ['chat new', 'New chat', ['chat', 'New']],
  ['東京', '旅行 東京', ['東京']],
  ['😀', 'Smile 😀 here', ['😀']],
  ['xyz', 'Settings', undefined],
] as const)('“%s” in “%s” marks %j', ([query, title, expected]) => {
  expect(marked(query, title)).toEqual(expected)
})

test('further words find it too, below what its title says', () => {
  expect(score('trash', 'Recently deleted', 'trash bin')).toBeLessThan(score('deleted', 'Recently deleted')!)
  expect(score('bin', 'Recently deleted', 'cabin')).toBeUndefined()
})

test('letters scattered over a long sentence are no match', () => {
  expect(score('abc', `a${' word'.repeat(20)} b c`)).toBeUndefined()
})

test('whatever is typed and whatever the title, marks lie in the title, in letters that exist', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 })
  fc.assert(
    fc.property(text, text, (query, title) => {
      const match = matchWords(foldQuery(query), foldText(title))
      for (const [from, to] of match?.marks ?? []) {
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeGreaterThan(from)
        expect(to).toBeLessThanOrEqual(title.length)
      }
    }),
  )
})
