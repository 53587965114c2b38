import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { createOutputRing, createShow, createCleaner } from './command-output.ts'

test('short output is kept whole', () => {
  const ring = createOutputRing(4)
  for (const piece of ['ab', 'cd', 'e', 'fgh']) ring.add(piece)
  expect(ring.text()).toBe('abcdefgh')
})

test('of long output the beginning and the end are kept, with the number of characters left out', () => {
  const ring = createOutputRing(4)
  for (let count = 0; count < 10_000; count++) ring.add(String(count % 10))
  ring.add('the end')
  expect(ring.text()).toBe('0123\n[… 9,999 characters were not kept …]\n end')
})

test('output within a moment is shown as one piece, and nothing is shown for none', () => {
  const shown: string[] = []
  const show = createShow(text => shown.push(text))
  show.add('a')
  show.add('b')
  show.end()
  createShow(text => shown.push(text)).end()
  expect(shown).toEqual(['ab'])
})

test('of too much output at once only the end is shown', () => {
  const shown: string[] = []
  const show = createShow(text => shown.push(text))
  for (let count = 0; count < 1_000; count++) show.add('0123456789'.repeat(100))
  show.add('the end')
  show.end()
  expect(shown).toHaveLength(1)
  expect(shown[0]).toMatch(/^\[…\]\n/)
  expect(shown[0]!.endsWith('the end')).toBe(true)
  expect(shown[0]!.length).toBeLessThan(20_000)
})

const clean = (...pieces: string[]) => {
  const cleaner = createCleaner()
  return pieces.map(piece => cleaner(piece)).join('')
}

test.for([
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['eight-bit sequences', '\u009b31mred', 'red'],
  ['titles', '\u001b]0;title\u0007text\u001b]8;;http://x\u001b\\link', 'textlink'],
  ['character sets', '\u001b(Btext', 'text'],
  ['cursor movements', 'a\u001b[2J\u001b[Hb', 'ab'],
  ['bells, nulls and backspaces', 'a\u0007b\u0000c\u0008d\u007f', 'abcd'],
  ['Windows line endings', 'a\r\nb\r\n', 'a\nb\n'],
  ['progress bars', '10%\r20%\r30%\n', '10%\n20%\n30%\n'],
  ['tabs and letters of all kinds, which stay', 'a\tä 🙂\n', 'a\tä 🙂\n'],
  ['a title without an end', '\u001b]0;lost\ntext', 'text'],
] as const)('%s', ([, given, expected]) => expect(clean(given)).toBe(expected))

test('the result does not depend on how the output is split', () => {
  const part = fc.constantFrom('\u001b[31m', '\u001b]0;t\u0007', '\r\n', '\r', '\n', 'text', 'ä', '\u001b')
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat(20)), (parts, lengths) => {
      let rest = parts.join('')
      const pieces = lengths.map(length => {
        const piece = rest.slice(0, length)
        rest = rest.slice(length)
        return piece
      })
      expect(clean(...pieces, rest)).toBe(clean(parts.join('')))
    }),
  )
})

test('nothing that moves the cursor is left', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0x120)), codes => {
      const left = Array.from(clean(String.fromCharCode(...codes)), letter => letter.charCodeAt(0))
      expect(
        left.filter(code => (code < 32 && code !== 9 && code !== 10) || (code > 126 && code < 160)),
      ).toEqual([])
    }),
  )
})

test('secrets are redacted in pieces of any size, and only what may begin one waits', () => {
  const secrets = ['abcabd', 'abcab%2F', 'longer than a piece']
  const whole = 'x abcabd y abcabcab%2F z abcab and longer than a piece, abcabd%2'
  const expected = 'x [redacted] y abc[redacted] z abcab and [redacted], [redacted]%2'
  for (let size = 1; size <= whole.length; size++) {
    const cleaner = createCleaner(secrets)
    const pieces = whole.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
    expect(pieces.map(piece => cleaner(piece)).join('') + cleaner('', true)).toBe(expected)
  }
  const cleaner = createCleaner(secrets)
  expect([cleaner('ready'), cleaner(' abc'), cleaner('\nnext')]).toEqual(['ready', ' ', 'abc\nnext'])
})
