import type { LlamaModel } from 'node-llama-cpp'
import { expect, test } from 'vitest'
import { copiedWords } from './copied-words.ts'

const pieces = [
  'B',
  'ello',
  'erg',
  'b',
  'li',
  'ves',
  'x',
  ' ',
  '"',
  '- A line.',
  '<0xC3>',
  'Caf',
  '7',
  '\\',
  'n',
]
const kinds = pieces.map(piece => (piece.startsWith('<0x') ? 6 : piece === '- A line.' ? 4 : 1))

/** The parts of a model that are used: a vocabulary, and its own words. */
const aModel = (talaria?: object): LlamaModel =>
  ({
    fileInfo: { metadata: { talaria, tokenizer: { ggml: { tokens: pieces, token_type: kinds } } } },
  }) as unknown as LlamaModel

const said = [{ role: 'user' as const, text: 'My dog is Bello, in the Café at 7.' }]
const words = copiedWords(aModel({ words: ['lives'] }), said)!
/** The tokens that may follow a text. */
const right = (text: string): string[] => {
  const wrong = words.wrongBehind(text) ?? []
  return pieces.filter((_, token) => !(wrong as readonly number[]).includes(token))
}

test('a started word must continue as a word of the conversation or of the model’s list', () => {
  expect(right('is called B')).toEqual(['ello'])
  expect(right('User li')).toEqual(['ves'])
  expect(right('is called Bello')).toEqual([' ', '"', '\\'])
})

test('a new word must start like one of those words, in any capitalisation', () => {
  expect(right('called ')).toEqual(['B', 'b', 'li', ' ', '"', '- A line.', 'Caf', '7', '\\'])
})

test('a line of the prompt cannot follow in the middle of another line', () => {
  expect(right('User lives')).not.toContain('- A line.')
})

test('single bytes are allowed only for letters that need them', () => {
  expect(right('Caf')).toEqual(['<0xC3>'])
  expect(right('Bel')).not.toContain('<0xC3>')
})

test('the letter after a backslash does not belong to a word', () => {
  expect(words.wrongBehind('1. a\\')).toBeUndefined()
  expect(words.wrongBehind('1. a\\u00')).toBeUndefined()
  expect(right('1. a\\nB')).toEqual(['ello'])
  expect(right('a\\\\B')).toEqual(['ello'])
})

test('models without a word list are not restricted', () => {
  expect(copiedWords(aModel(), said)).toBeUndefined()
  expect(copiedWords(aModel({ words: 'lives' }), said)).toBeUndefined()
})
