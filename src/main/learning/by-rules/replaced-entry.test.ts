import { expect, test } from 'vitest'
import { findReplaced, saysSame } from './replaced-entry.ts'

const replaced = (text: string, entries: string[], isCorrection = false) =>
  findReplaced(
    { text, isCorrection },
    entries.map(each => ({ text: each })),
  )

test.each([
  ['I live in Bern.', 'Lives in Basel.', 'I live in Bern.'],
  [
    'I moved to Linz.',
    'I live in Graz and work nights as a nurse.',
    'I moved to Linz and work nights as a nurse.',
  ],
  ['I moved to Linz.', 'Lives in Graz and works as a nurse.', 'I moved to Linz. Works as a nurse.'],
  ['I moved to Linz.', 'I work as a nurse and live in Graz.', 'I moved to Linz. I work as a nurse.'],
  ['My name is Vera Maria.', 'The user’s name is Vera.', 'My name is Vera Maria.'],
  ['My editor is Helix.', 'My editor is Vim.', 'My editor is Helix.'],
  ['I switched to tea for good.', 'Drinks coffee.', 'I switched to tea for good.'],
  ['I no longer drink coffee.', 'I drink coffee.', 'I no longer drink coffee.'],
  ['We use pnpm now.', 'We use npm.', 'We use pnpm now.'],
])('“%s” replaces “%s”', (text, entry, after) => {
  expect(replaced(text, ['I play the cello.', entry])).toEqual({ entry: { text: entry }, text: after })
})

test('a thing of which there may be more is only replaced by a correction', () => {
  expect(replaced('My dog is called Luna.', ['My dog is called Rocky.'])).toBeUndefined()
  expect(replaced('My dog is called Luna.', ['My dog is called Rocky.'], true)?.text).toBe(
    'My dog is called Luna.',
  )
  expect(replaced('I work as a baker.', ['I work as a nurse.'])).toBeUndefined()
  expect(replaced('I work as a baker.', ['I work as a nurse.'], true)).toBeDefined()
})

test.each([
  ['My sister Ines is allergic to nuts.', 'My sister Eva lives in Rome.'],
  ['I like tea.', 'Drinks coffee.'],
  ['I play the cello.', 'I live in Graz.'],
  ['My dog is three years old.', 'My dog is called Rocky.'],
])('“%s” leaves “%s”', (text, entry) => {
  expect(replaced(text, [entry])).toBeUndefined()
})

test('what an entry says already, in whatever person, is known', () => {
  expect(saysSame('I live in Graz.', 'Lives in Graz and works as a nurse.')).toBe(true)
  expect(saysSame('My name is Vera.', 'The user is called Vera.')).toBe(true)
  expect(saysSame('I use pnpm, never npm.', 'Uses pnpm, never npm.')).toBe(true)
  expect(saysSame('I do not live in Graz.', 'Lives in Graz.')).toBe(false)
  expect(saysSame('I live in Bern.', 'Lives in Basel.')).toBe(false)
})
