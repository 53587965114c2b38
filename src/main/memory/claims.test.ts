import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
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

// The “blind” half was written before the patterns were revised. At first 43 of its 46 claims were
// recognised, and one of the 48 other answers was taken for a claim.
const Row = z.strictObject({
  half: z.enum(['seen', 'blind']),
  act: z.enum(['saved', 'forgotten']).nullable(),
  asked: z.string(),
  answer: z.string(),
})
const file = fileURLToPath(new URL('../../../testing/memory/claims-abroad.jsonl', import.meta.url))
const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map(line => Row.parse(JSON.parse(line)))
const actIn = (answer: string, asked: string) => {
  const claim = claimIn(answer, asked)
  return claim === undefined ? null : claim.isForgetting ? 'forgotten' : 'saved'
}

test('in eight languages, claims of having saved or forgotten are found, and nothing else is one', () => {
  const wrong = rows.filter(({ act, asked, answer }) => actIn(answer, asked) !== act)
  expect(wrong.filter(({ act, asked, answer }) => act === null || actIn(answer, asked) !== null)).toEqual([])
  expect(wrong.length).toBeLessThanOrEqual(1)
  expect(rows.filter(({ act }) => act !== null).length).toBeGreaterThan(90)
})

test.each([
  ['I use pnpm. Remember that.', 'User says: I use pnpm.'],
  ['Please remember that I use pnpm. And fix the bug.', 'User says: I use pnpm.'],
  ['I am vegan, please remember that.', 'User says: I am vegan.'],
  ['Ich bin Vegetarier. Merk dir das bitte.', 'User says: Ich bin Vegetarier.'],
  ['Merke dir, dass ich Vegetarier bin.', 'User says: Ich bin Vegetarier.'],
  ['Recuerda que soy vegetariano.', 'User says: Soy vegetariano.'],
  ['Souviens-toi que je suis végétarien.', 'User says: Je suis végétarien.'],
  ['Ricorda che vivo a Pisa.', 'User says: Vivo a Pisa.'],
  ['请记住我吃素。', 'User says: 我吃素'],
  // A sentence that is no fact of the user's is never offered.
  ['In my novel the hero says: I am allergic to nuts. Remember that.', ''],
  ['“I am the king of Spain.” Remember that.', ''],
  ['Imagine I live on Mars. Remember that.', ''],
  ['In meinem Roman sagt der Held: Ich bin blind. Merk dir das.', ''],
  ['En mi novela el héroe es ciego. Recuérdalo.', ''],
  ['The article says: I never sleep. Remember that.', ''],
  ['Remember that.', ''],
])('of “%s” what could be saved is “%s”', (asked, text) => {
  expect(claimIn('I have saved that to my memory.', asked)?.text).toBe(text)
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
