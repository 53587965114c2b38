import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { highlightCode, type Piece } from './highlight.ts'

const textOf = (pieces: readonly Piece[]): string =>
  pieces.map(piece => (typeof piece === 'string' ? piece : textOf(piece.children))).join('')

test('code in a known language is cut into pieces with a meaning', () => {
  expect(highlightCode('return 1', 'js')).toEqual([
    { scope: 'keyword', children: ['return'] },
    ' ',
    { scope: 'number', children: ['1'] },
  ])
})

test('an unknown language and very long code stay as they are', () => {
  expect([
    highlightCode('a', 'klingon'),
    highlightCode('a', ''),
    highlightCode('a'.repeat(60_001), 'js'),
  ]).toEqual([undefined, undefined, undefined])
})

test('no letter is lost or added, whatever the code', () => {
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
