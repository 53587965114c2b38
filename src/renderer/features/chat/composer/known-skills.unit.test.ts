import { expect, test } from 'vitest'
import { matchingSkills, slashWord, type SlashOffer } from './known-skills.ts'

test.for([
  ['/', ''],
  ['/tidy-csv', 'tidy-csv'],
  ['/übung_2.0', 'übung_2.0'],
  ['/usr/bin', undefined],
  ['/tidy csv', undefined],
  ['/personality ', 'personality '],
  ['/personality bri', 'personality bri'],
  [' /tidy', undefined],
  ['tidy', undefined],
  ['', undefined],
] as const)('of the message %j the slash word is %j', ([draft, word]) => {
  expect(slashWord(draft)).toBe(word)
})

test('typed letters match the start of a word first, then the start of one of its parts', () => {
  const offers = ['/fetch', '/make-csv', '/CSV-report', '/etc.tool'].map((word): SlashOffer => ({
    word,
    says: '',
    kind: 'skill',
    loads: 0,
  }))
  const words = (typed: string) => matchingSkills(offers, typed).map(offer => offer.word)
  expect(words('csv')).toEqual(['/CSV-report', '/make-csv'])
  expect(words('etc')).toEqual(['/etc.tool'])
  expect(words('')).toHaveLength(4)
  expect(words('tool')).toEqual(['/etc.tool'])
})
