import { expect, test } from 'vitest'
import { claimIn } from './claims.ts'
import { claims } from '../../../testing/memory/claims.ts'
import { ordinaryAnswers } from '../../../testing/memory/ordinary-answers.ts'

test('ordinary answers are not taken for a claim of having saved something', () => {
  const alarms = ordinaryAnswers.filter(([question, answer]) => claimIn(answer, question))
  expect(ordinaryAnswers.length).toBeGreaterThanOrEqual(200)
  expect(alarms).toEqual([])
})

test('answers that claim a save are found', () => {
  expect(claims.filter(([question, answer]) => !claimIn(answer, question))).toEqual([])
})

test('the suggested entry is the user’s own message', () => {
  const suggested = (question: string) => claimIn('I’ve saved that to memory.', question)?.text
  expect(suggested('Please remember that I use pnpm.')).toBe('User says: I use pnpm.')
  expect(suggested('my dog is called Rex')).toBe('User says: My dog is called Rex.')
  expect(claimIn('Got it. I’ve saved that to memory.', 'remember: tea, no milk')).toEqual({
    quote: 'I’ve saved that to memory.',
    text: 'User says: Tea, no milk.',
    target: 'user',
  })
})

test('an answer of one megabyte is checked in linear time', () => {
  const long = 'I have saved '.repeat(80_000)
  expect(claimIn(long, 'hi')).toBeUndefined()
})
