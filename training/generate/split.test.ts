import { expect, test } from 'vitest'
import { isBlocked } from './block-list.ts'
import { createRandom } from './random.ts'
import { isHeldOut, SPLITS, wordsFor } from './split.ts'
import { coined } from './words/coined.ts'
import * as computing from './words/computing.ts'
import * as everyday from './words/everyday.ts'
import * as nouns from './words/nouns.ts'
import * as people from './words/people.ts'
import './words/slots.ts'

const lists = Object.entries({ ...computing, ...everyday, ...nouns, ...people })

test('a word belongs to the training or to the test, never to both, in whatever list it stands', () => {
  const learned = new Set(lists.flatMap(([, list]) => wordsFor(list, 'train')))
  for (const [name, list] of lists) {
    const held = wordsFor(list, 'test')
    expect({ name, shared: held.filter(word => learned.has(word)) }).toEqual({ name, shared: [] })
    expect({ name, enough: held.length >= 4 }).toEqual({ name, enough: true })
    expect(wordsFor(list, 'id')).toEqual(wordsFor(list, 'train'))
  }
})

test('coined words keep to their split as well', () => {
  const random = createRandom('words')
  for (const split of SPLITS)
    for (let at = 0; at < 200; at++) expect(isHeldOut(coined(random, split))).toBe(split === 'test')
})

test('no list holds a word of the block list, which finds words in any case and inside a sentence', () => {
  expect(lists.flatMap(([, list]) => list.filter(isBlocked))).toEqual([])
  // The only one that a file of ours can spell without harm.
  expect(isBlocked('What a Bollocks!')).toBe(true)
  expect(isBlocked('a hill in Scunthorpe')).toBe(false)
})

test('equal seeds give equal numbers, and others do not', () => {
  const numbers = (seed: string) => Array.from({ length: 20 }, createRandom(seed).next)
  expect(numbers('a')).toEqual(numbers('a'))
  expect(numbers('a')).not.toEqual(numbers('b'))
})
