import { expect, test } from 'vitest'
import { stateFact } from './state-fact.ts'

test.for([
  ['my dog is called Rocky', "User's dog is called Rocky"],
  ["I'm allergic to nuts.", 'User is allergic to nuts'],
  ['I live in Graz with my wife', 'User lives in Graz with their wife'],
  ['Know that I work night shifts', 'User works night shifts'],
  ['I never drink coffee', 'User never drinks coffee'],
  ["I don't eat meat", "User doesn't eat meat"],
  ['I have two cats', 'User has two cats'],
  ['I study law', 'User studies law'],
  ['I can swim', 'User can swim'],
  ['call me Sam', 'Wants to be called Sam.'],
  ['to water the plants', 'User wants to be reminded to water the plants'],
  ['the garage code is 4711', 'The garage code is 4711'],
  ['we moved, I now live in Linz', 'User says: We moved, I now live in Linz'],
])('%s', ([said, entry]) => {
  expect(stateFact(said!)).toBe(entry)
})
