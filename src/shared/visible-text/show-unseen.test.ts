import { expect, test } from 'vitest'
import { countUnseen, isUnseen, showTitle, showUnseen } from './show-unseen.ts'

test.each([
  ['a zero-width space', 'rm\u200b -rf', 'rm⟨U+200B⟩ -rf', 1],
  ['a mark that turns the order', 'invoice\u202egpj.exe', 'invoice⟨U+202E⟩gpj.exe', 1],
  ['tags', 'ok\u{e0061}\u{e0062}', 'ok⟨U+E0061⟩⟨U+E0062⟩', 2],
  ['NUL', 'a\0b', 'a⟨U+0000⟩b', 1],
  ['a direction mark among Latin letters', 'a\u200fb', 'a⟨U+200F⟩b', 1],
])('%s is written out and counted', (_, text, shown, count) => {
  expect(showUnseen(text)).toBe(shown)
  expect(countUnseen(text)).toBe(count)
})

test.each([
  'Füße, 漢字, नमस्ते, می‌روم',
  '👨‍👩‍👧 and ❤️ and 1️⃣',
  'שלום\u200f, עולם\u200e!',
  '10\u00a0km and\u00a0more\u2003wide',
  'pаypal in Cyrillic is not hidden',
  'Line\n\tnext',
])('%j stays as it is', text => {
  expect(showUnseen(text)).toBe(text)
  expect(countUnseen(text)).toBe(0)
})

test('a joiner at the end of a growing text may belong to what follows', () => {
  expect(showUnseen('👨\u200d', true)).toBe('👨\u200d')
  expect(showUnseen('👨\u200d', false)).toBe('👨⟨U+200D⟩')
})

test('titles of nothing that is seen are told from others', () => {
  expect(['', ' ', '\u200b\u2060', '\u3164', '\u00a0', '\u2800'].map(isUnseen)).toEqual(Array(6).fill(true))
  expect(['a', '\u200ba', '👨‍👩‍👧'].map(isUnseen)).toEqual([false, false, false])
  expect(showTitle('')).toBe('New chat')
  expect(showTitle('\u200b')).toBe('⟨U+200B⟩')
})
