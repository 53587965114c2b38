import { expect, test } from 'vitest'
import type { MemoryEntry } from '../../../../shared/contract/learned/memory.ts'
import { anEntry } from '../../../../../testing/memory/an-entry.ts'
import { joinTexts, similarPairs, similarTo } from './merge-entries.ts'

let made = 0
const entry = (text: string, given: Partial<MemoryEntry> = {}) =>
  anEntry({ id: `note_${++made}`, text, ...given })
const inWords = (pairs: ReturnType<typeof similarPairs>) =>
  pairs.map(({ kept, other }) => `${kept.text} ${other.text}`)
const user = { target: 'user', project: null } as const

test('similar entries share words, are sorted by similarity and exclude the entry itself', () => {
  const own = entry('Uses pnpm for packages')
  const texts = ['Has a dog', 'Uses pnpm', 'USES PNPM for all packages.', 'Packages: pnpm for work', 'pnpm']
  const found = similarTo(own, [own, ...texts.map(text => entry(text))])
  expect(found.map(each => each.text)).toEqual([
    'USES PNPM for all packages.',
    'Packages: pnpm for work',
    'Uses pnpm',
  ])
  expect(similarTo(own, [own, entry('Lives in Bern')])).toEqual([])
})

test('pairs are within one file, use each entry once, and are sorted by similarity', () => {
  const pairs = similarPairs(
    [
      entry('a b c d'),
      entry('a b c'),
      entry('a b c d e'),
      entry('x y z'),
      entry('x y z'),
      entry('a b c d', { target: 'memory' }),
    ],
    user,
  )
  expect(inWords(pairs)).toEqual(['x y z x y z', 'a b c d a b c d e'])
})

test('in a pair the locked entry is kept', () => {
  const [pair] = similarPairs([entry('a b c'), entry('a b c d', { locked: true })], user)
  expect(pair?.kept.text).toBe('a b c d')
  expect(pair?.other.text).toBe('a b c')
})

test('a text that contains the other is used alone; otherwise the texts are joined by lines', () => {
  expect(joinTexts('Uses pnpm.', 'uses pnpm')).toBe('Uses pnpm.')
  expect(joinTexts('pnpm', 'Uses pnpm.')).toBe('Uses pnpm.')
  expect(joinTexts('Uses pnpm.', 'Likes pnpm.')).toBe('Uses pnpm.\nLikes pnpm.')
})
