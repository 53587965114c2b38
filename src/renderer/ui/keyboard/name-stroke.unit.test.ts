import { expect, test } from 'vitest'
import { isKey, type KeyStroke } from './keys.ts'
import { nameStroke } from './name-stroke.ts'

const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }
const stroke = (key: string, code: string, held: Partial<KeyStroke> = {}): KeyStroke => ({
  key,
  code,
  ...none,
  ...held,
})
const name = (...given: Parameters<typeof stroke>) => nameStroke(stroke(...given), { inBrowser: true })

test.for([
  ['k', 'KeyK', { ctrlKey: true }, 'mod+k'],
  ['F', 'KeyF', { ctrlKey: true, shiftKey: true }, 'mod+shift+f'],
  ['t', 'KeyT', { altKey: true }, 'alt+t'],
  ['л', 'KeyK', { ctrlKey: true }, 'mod+k'],
  ['ƒ', 'KeyF', { altKey: true }, 'alt+f'],
  ['F6', 'F6', {}, 'f6'],
  [',', 'Comma', { ctrlKey: true }, 'mod+,'],
] as const)('%s with %o is named as the same stroke is found by', ([key, code, held, keys]) => {
  expect(name(key, code, held)).toEqual({ keys })
  expect(isKey(stroke(key, code, held), keys)).toBe(true)
})

test.for([
  ['a', 'KeyA', {}, /Hold Ctrl/],
  ['c', 'KeyC', { ctrlKey: true }, /edits text/],
  ['t', 'KeyT', { ctrlKey: true }, /browser keeps/],
  ['ArrowUp', 'ArrowUp', { ctrlKey: true }, /letter, a digit/],
  ['+', 'BracketRight', { ctrlKey: true }, /letter, a digit/],
  ['k', 'KeyK', { metaKey: true }, /your system/],
] as const)('%s with %o cannot be bound, and the reason is said', ([key, code, held, problem]) => {
  expect(name(key, code, held)).toEqual({ problem: expect.stringMatching(problem) })
})

test('modifiers alone are no key yet', () => {
  for (const key of ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph']) expect(name(key, key)).toBeUndefined()
})
