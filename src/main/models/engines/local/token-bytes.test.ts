import { expect, test } from 'vitest'
import { byteCharacters } from '../../../../../testing/gguf/vocabulary.ts'
import { readTokenBytes } from './token-bytes.ts'

const isText = (bytes: number[]): boolean => !Buffer.from(bytes).toString().includes('\uFFFD')
/** Whether these two bytes can start a character. */
const canBegin = (first: number, second: number): boolean =>
  [[], [0x80], [0x80, 0x80]].some(rest => isText([first, second, ...rest]))
const seconds = Array.from({ length: 64 }, (_, at) => 0x80 + at)

test.for([
  ['gpt2', byteCharacters(), 1],
  [
    'llama',
    Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).padStart(2, '0').toUpperCase()}>`),
    6,
  ],
] as const)('in a vocabulary of kind %s the bytes that make no text are found', ([kind, texts, type]) => {
  const { never, leads, behind } = readTokenBytes({ kind, texts, types: texts.map(() => type) })
  const lost = texts
    .map((_, byte) => byte)
    .filter(byte => byte > 0xbf && !seconds.some(next => canBegin(byte, next)))
  expect(never).toEqual(lost)
  for (let byte = 0xc2; byte < 0xf5; byte++) {
    const bad = seconds.filter(next => !canBegin(byte, next))
    expect(leads.has(byte)).toBe(bad.length > 0)
    expect(behind.get(byte) ?? []).toEqual(bad)
  }
})

test('pieces of text are told by their ends, and special tokens are left alone', () => {
  const [e0, bad] = [byteCharacters()[0xe0] ?? '', byteCharacters()[0x85] ?? '']
  const texts = [`a${e0}`, `${bad}b`, 'ab', e0]
  const { leads, behind, never } = readTokenBytes({ kind: 'gpt2', texts, types: [1, 1, 1, 4] })
  expect([...leads]).toEqual([[0, 0xe0]])
  expect(behind.get(0xe0)).toEqual([1])
  expect(never).toEqual([])
})
