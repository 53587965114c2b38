import { expect, test } from 'vitest'
import { isKey, type KeyStroke } from './keys.ts'

const stroke = (key: string, given: Partial<KeyStroke> = {}): KeyStroke => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...given,
})

test.for([
  ['Enter', {}, 'enter', true],
  ['Enter', { shiftKey: true }, 'enter', false],
  ['Enter', { ctrlKey: true }, 'mod+enter', true],
  ['F', { ctrlKey: true, shiftKey: true }, 'mod+shift+f', true],
  ['f', { ctrlKey: true }, 'mod+shift+f', false],
  ['/', { ctrlKey: true }, 'mod+/', true],
  ['/', { ctrlKey: true, shiftKey: true }, 'mod+/', true],
  ['т', { altKey: true, code: 'KeyN' }, 'alt+n', true],
  ['b', { altKey: true, code: 'KeyN' }, 'alt+n', false],
  ['Escape', { metaKey: true }, 'escape', false],
] as const)('%s with %o is %s: %s', ([key, given, name, expected]) => {
  expect(isKey(stroke(key, given), name)).toBe(expected)
})

test('what AltGr writes is no shortcut, whatever key it is on', () => {
  const altGraph = { getModifierState: (name: string) => name === 'AltGraph' }
  expect(isKey(stroke('¶', { code: 'KeyR' }), 'r')).toBe(true)
  expect(isKey(stroke('¶', { code: 'KeyR', ...altGraph }), 'r')).toBe(false)
  // Windows reports AltGr as Ctrl and Alt.
  expect(isKey(stroke('ķ', { code: 'KeyK', ctrlKey: true, altKey: true }), 'mod+k')).toBe(false)
  expect(isKey(stroke('/', { ctrlKey: true, ...altGraph }), 'mod+/')).toBe(true)
})
