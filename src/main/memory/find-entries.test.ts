import { expect, test } from 'vitest'
import type { MemoryEntry } from '../../shared/contract/learned/memory.ts'
import { findEntries } from './find-entries.ts'

const anEntry = (text: string, at: number): MemoryEntry => ({
  id: `note-${at}`,
  target: 'user',
  project: null,
  text,
  origin: 'you',
  sessionId: null,
  messageId: null,
  createdAt: at,
  updatedAt: at,
  locked: false,
  uses: 0,
  lastUsedAt: null,
  archivedAt: null,
  blocked: null,
})
const entries = [
  'Drinks green tea.',
  'The phone number of the office is 41 22.',
  'Wohnt in der Müllerstraße 5.',
  'Loves cafe\u0301s.',
  'Reads a+b (c) in one go.',
].map(anEntry)

const find = (words: string) => {
  const { found, nearest } = findEntries(entries, words)
  return { found: found.map(({ text }) => text), nearest: nearest.map(({ text }) => text) }
}

test.each([
  ['tea', ['Drinks green tea.']],
  ['TEA drinks', ['Drinks green tea.']],
  ['“green tea”.', ['Drinks green tea.']],
  ['muellerstrasse', ['Wohnt in der Müllerstraße 5.']],
  ['cafés', ['Loves cafe\u0301s.']],
  ['a+b (c)', ['Reads a+b (c) in one go.']],
  ['in', ['Drinks green tea.', 'Wohnt in der Müllerstraße 5.', 'Reads a+b (c) in one go.']],
])('“%s” finds the entries that hold all of its words, in any case and spelling', (words, found) => {
  expect(find(words)).toEqual({ found, nearest: [] })
})

test('where none holds all, those that come nearest are named and none is found', () => {
  expect(find('my phone number')).toEqual({
    found: [],
    nearest: ['The phone number of the office is 41 22.'],
  })
  expect(find('phnoe')).toEqual({ found: [], nearest: ['The phone number of the office is 41 22.'] })
})

test('nothing is near words that no entry resembles, nor words that are empty', () => {
  for (const words of ['zeppelin', '', ' \n ', 'xy zq'])
    expect(find(words)).toEqual({ found: [], nearest: [] })
})

test('no more than five are named, however many entries there are, and a very long word is nowhere', () => {
  const many = Array.from({ length: 2_000 }, (_, at) =>
    anEntry(`The machine number ${at} is in the cellar.`, at),
  )
  expect(findEntries(many, 'machine attic').nearest).toHaveLength(5)
  expect(findEntries(many, 'x'.repeat(1_000))).toEqual({ found: [], nearest: [] })
})
