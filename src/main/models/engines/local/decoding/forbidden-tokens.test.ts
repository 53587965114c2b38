import type { LlamaModel, Token, TokenBias } from 'node-llama-cpp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomModel } from '../../../../../../testing/gguf/cached.ts'
import { byteCharacters } from '../../../../../../testing/gguf/vocabulary.ts'
import { open } from '../../../../../../testing/models/local-loaded.ts'
import { compiledGrammar } from './compiled-grammar.ts'
import { forbiddenTokens } from './forbidden-tokens.ts'
import { readTokenBytes } from './token-bytes.ts'
import type { LoadedModel } from '../process/load-model.ts'

let loaded: LoadedModel
let model: LlamaModel
beforeAll(async () => {
  loaded = await open(randomModel())
  model = loaded.model
})
afterAll(() => loaded.close())

/** The tokens whose bias forbids them; the library does not expose them. */
function tokensOf(bias: TokenBias): Set<Token> {
  const { _biases: biases } = bias as unknown as { _biases: Map<Token, number> }
  return new Set([...biases].filter(([, logit]) => logit === -Infinity).map(([token]) => token))
}
const token = (text: string): Token => model.tokenize(text, true)[0] ?? expect.fail()

test('tokens that are not text are forbidden in a call, unless its grammar contains them', async () => {
  const forbidden = await forbiddenTokens(model)
  const start = token('<|im_start|>')
  expect(tokensOf(forbidden.none).size).toBe(0)
  expect(tokensOf(forbidden.inCall()(undefined))).toContain(start)
  expect(tokensOf(forbidden.inCall('root ::= "\\"<|im_start|>\\""')(undefined))).not.toContain(start)
  expect(tokensOf(forbidden.inCall('root ::= "<" "|im_start|>"')(undefined))).toContain(start)
  // Text, even if it has its own token.
  expect(tokensOf(forbidden.inCall()(undefined))).not.toContain(token('<tool_call>'))
})

test('after the first byte of a character only valid continuation bytes are allowed', async () => {
  const forbidden = (await forbiddenTokens(model)).inCall()
  const byte = (value: number) => value as Token
  const bytesOf = [...Array(256).keys()].map(value => model.detokenize([byte(value)]))
  expect(bytesOf.filter(text => text === '\uFFFD').length).toBeGreaterThan(100)
  expect(tokensOf(forbidden(byte(0xe0)))).toContain(byte(0x80))
  expect(tokensOf(forbidden(byte(0xe1)))).not.toContain(byte(0x80))
  expect(tokensOf(forbidden(undefined))).toContain(byte(0xff))
})

test('a compiled grammar is cached until many others have been used', async () => {
  const gbnf = (n: number) => `root ::= "${n}"`
  const first = compiledGrammar(model, gbnf(0))
  expect(compiledGrammar(model, gbnf(0))).toBe(first)
  for (let n = 1; n < 16; n++) await compiledGrammar(model, gbnf(n))
  expect(compiledGrammar(model, gbnf(0))).toBe(first)
  for (let n = 16; n < 32; n++) await compiledGrammar(model, gbnf(n))
  expect(compiledGrammar(model, gbnf(0))).not.toBe(first)
})

test('a grammar that the library refuses gives the reason', async () => {
  expect(await compiledGrammar(model, 'root ::= (')).toEqual({ refused: 'Failed to parse grammar' })
})

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
] as const)('in a vocabulary of kind %s the bytes that form no text are found', ([kind, texts, type]) => {
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

test('incomplete characters are found at the ends of tokens, and special tokens are ignored', () => {
  const [e0, bad] = [byteCharacters()[0xe0] ?? '', byteCharacters()[0x85] ?? '']
  const texts = [`a${e0}`, `${bad}b`, 'ab', e0]
  const { leads, behind, never } = readTokenBytes({ kind: 'gpt2', texts, types: [1, 1, 1, 4] })
  expect([...leads]).toEqual([[0, 0xe0]])
  expect(behind.get(0xe0)).toEqual([1])
  expect(never).toEqual([])
})
