import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCleaner } from './clean-output.ts'

const clean = (...pieces: string[]) => {
  const cleaner = createCleaner()
  return pieces.map(cleaner).join('')
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

test('it makes no difference where the output is cut into pieces', () => {
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

test('nothing that moves a cursor is left', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0x120)), codes => {
      const left = Array.from(clean(String.fromCharCode(...codes)), letter => letter.charCodeAt(0))
      expect(
        left.filter(code => (code < 32 && code !== 9 && code !== 10) || (code > 126 && code < 160)),
      ).toEqual([])
    }),
  )
})
