import { expect, test } from 'vitest'
import { claimIn, factOf } from './claims.ts'
import { claims } from '../../../testing/memory/claims.ts'
import { ordinaryAnswers } from '../../../testing/memory/ordinary-answers.ts'

test('no ordinary answer is taken for a claim that something was saved', () => {
  const alarms = ordinaryAnswers.filter(([question, answer]) => claimIn(answer, question))
  expect(ordinaryAnswers.length).toBeGreaterThanOrEqual(200)
  expect(alarms).toEqual([])
})

test('answers that say so are found', () => {
  expect(claims.filter(([question, answer]) => !claimIn(answer, question))).toEqual([])
})

test('what could be saved is what the person said, in their words', () => {
  expect(factOf('Please remember that I use pnpm.')).toBe('User says: I use pnpm.')
  expect(factOf('my dog is called Rex')).toBe('User says: My dog is called Rex.')
  expect(claimIn('Got it. I’ve saved that to memory.', 'remember: tea, no milk')).toEqual({
    quote: 'I’ve saved that to memory.',
    text: 'User says: Tea, no milk.',
    target: 'user',
  })
})

test('an answer of a megabyte is looked at in linear time', () => {
  const long = 'I have saved '.repeat(80_000)
  expect(claimIn(long, 'hi')).toBeUndefined()
})
