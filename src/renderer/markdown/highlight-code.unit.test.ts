import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { highlightCode, type Piece } from './highlight-code.ts'

const textOf = (pieces: readonly Piece[]): string =>
  pieces.map(piece => (typeof piece === 'string' ? piece : textOf(piece.children))).join('')

test('code in a known language is split into highlighted tokens', () => {
  expect(highlightCode('return 1', 'js')).toEqual([
    { scope: 'keyword', children: ['return'] },
    ' ',
    { scope: 'number', children: ['1'] },
  ])
})

test('an unknown language and very long code are not highlighted', () => {
  expect([
    highlightCode('a', 'klingon'),
    highlightCode('a', ''),
    highlightCode('a'.repeat(60_001), 'js'),
  ]).toEqual([undefined, undefined, undefined])
})

test('highlighting neither loses nor adds a letter', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('js', 'python', 'html', 'bash', 'diff', 'md'),
      (code, language) => {
        expect(textOf(highlightCode(code, language) ?? [])).toBe(code)
      },
    ),
  )
})
