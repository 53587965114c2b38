import { expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { slotWords } from '../words/slots.ts'
import { inSentence, toStored, toTold } from './fact.ts'
import { changedFact, isSingle, makeFact } from './make-fact.ts'
import { relations } from './relations.ts'
import type { Talk } from '../talk.ts'

test.each([
  ['my dog is called Rex', "User's dog is called Rex", 'Your dog is called Rex'],
  ["I'm allergic to peanuts", 'User is allergic to peanuts', 'You are allergic to peanuts'],
  ['im a nurse', 'User is a nurse', 'You are a nurse'],
  ['i keep my bike in the shed', 'User keeps their bike in the shed', 'You keep your bike in the shed'],
  ['i study law', 'User studies law', 'You study law'],
  ["i don't like fish", 'User does not like fish', 'You do not like fish'],
  ["i can't eat nuts", 'User cannot eat nuts', 'You cannot eat nuts'],
  ['i never eat ham', 'User never eats ham', 'You never eat ham'],
  ['I moved to Oslo', 'User moved to Oslo', 'You moved to Oslo'],
  ['call me Al', 'User wants to be called Al', 'You want to be called Al'],
  ['the printer is in the hall', 'The printer is in the hall', 'The printer is in the hall'],
  ['i must water the plants', 'User must water the plants', 'You must water the plants'],
])('“%s” is kept and told back in the right person', (said, stored, told) => {
  expect(toStored(said)).toBe(stored)
  expect(toTold(said)).toBe(told)
})

test('inside a sentence it begins small, but for names', () => {
  expect(inSentence({ told: 'Your dog is called Rex', said: 'my dog is called Rex' })).toBe(
    'your dog is called Rex',
  )
  expect(inSentence({ told: 'Anna pays for the bread', said: 'Anna pays for the bread' })).toBe(
    'Anna pays for the bread',
  )
})

test('every kind of fact holds its value as it is kept, and can be corrected by another one of its kind', () => {
  const random = createRandom('facts')
  for (const split of ['train', 'test'] as const) {
    const talk = {
      random,
      split,
      manner: { lower: false, slips: 0, closing: 1 },
      slot: (name: string) => slotWords(random, split, name),
      facts: [],
      pending: [],
    }
    for (const relation of relations) {
      const fact = makeFact(talk, relation)
      expect(fact.stored).toContain(fact.value)
      expect(fact.told).toContain(fact.value)
      expect(fact.stored).not.toMatch(/\b(my|me|i|i'm)\b/)
      if (!isSingle(fact)) continue
      const other = changedFact(talk as unknown as Talk, fact)
      expect(other.key).toBe(fact.key)
      expect(other.stored).not.toBe(fact.stored)
    }
  }
})
