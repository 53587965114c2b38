import { expect, test } from 'vitest'
import { hasVisible, isUnreadable, readableStart } from './readable-text.ts'

const garbage = '\ufffd\u0000\u0007\ufffd\u009b\ufffd'.repeat(20)

test.for<[string, string]>([
  ['bytes that are no text', '\ufffd'.repeat(40)],
  ['controls', '\u001b[2J\u0000\u0007\b'.repeat(30)],
  ['characters that nobody sees', '\u200b\u2060\u00ad\u202e\u2066\ufeff'.repeat(10)],
  ['garbage behind a good answer', `${'The sea is wide and blue. '.repeat(30)}${garbage.repeat(4)}`],
  ['garbage between letters', 'ab\ufffd\ufffd'.repeat(30)],
])('%s cannot be read', ([, text]) => {
  expect(isUnreadable(text)).toBe(true)
})

test.for<[string, string]>([
  ['plain words', 'The sea is wide and blue. '.repeat(30)],
  ['a family of emoji', '👨‍👩‍👧‍👦 🏳️‍🌈 '.repeat(30)],
  ['Persian with its joiners', 'می‌خواهم کتاب‌ها را ببینم '.repeat(20)],
  ['Hebrew and Latin with marks of direction', '\u200fשלום\u200e and \u200fתודה\u200e '.repeat(20)],
  ['a table of rules and boxes', '│ a │ b │\n├───┼───┤\n'.repeat(20)],
  ['a few broken characters', 'Name: Jos\ufffd, city: M\ufffdnchen. '.repeat(8)],
  ['a log with colours', '\u001b[32mok\u001b[0m the test of the parser has passed in 12 ms\n'.repeat(12)],
  ['very little', '\ufffd\ufffd'],
])('%s can', ([, text]) => {
  expect(isUnreadable(text)).toBe(false)
})

test('blanks and hidden characters are nothing to see, a mark or an emoji is', () => {
  expect([' \n\t', '\u200b\u2060\ufeff', '\u0000\u0007'].map(hasVisible)).toEqual([false, false, false])
  expect(['?', '👍', '好', '\ufffd'].map(hasVisible)).toEqual([true, true, true, true])
})

test('of what cannot be read one mark is kept, and what stood before it', () => {
  expect(readableStart(`Well.\nSo ${garbage} ${garbage} and`)).toBe('Well.\nSo \ufffdand')
  expect(readableStart('a'.repeat(1_000))).toHaveLength(200)
})
