import type { LlamaModel, Token, TokenBias } from 'node-llama-cpp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomModel } from '../../../../../testing/gguf/cached.ts'
import { forbiddenTokens } from './forbidden-tokens.ts'
import { compiledGrammar } from './grammar-cache.ts'
import type { LoadedModel } from './load-model.ts'
import { open } from '../../../../../testing/models/local-loaded.ts'

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

test('tokens that are no text are forbidden in a call, unless its grammar asks for them', async () => {
  const forbidden = await forbiddenTokens(model)
  const start = token('<|im_start|>')
  expect(tokensOf(forbidden.none).size).toBe(0)
  expect(tokensOf(forbidden.inCall()(undefined))).toContain(start)
  expect(tokensOf(forbidden.inCall('root ::= "\\"<|im_start|>\\""')(undefined))).not.toContain(start)
  expect(tokensOf(forbidden.inCall('root ::= "<" "|im_start|>"')(undefined))).toContain(start)
  // Text, even if it has its own token.
  expect(tokensOf(forbidden.inCall()(undefined))).not.toContain(token('<tool_call>'))
})

test('behind the first byte of a character only bytes that go on with it are left', async () => {
  const forbidden = (await forbiddenTokens(model)).inCall()
  const byte = (value: number) => value as Token
  const bytesOf = [...Array(256).keys()].map(value => model.detokenize([byte(value)]))
  expect(bytesOf.filter(text => text === '\uFFFD').length).toBeGreaterThan(100)
  expect(tokensOf(forbidden(byte(0xe0)))).toContain(byte(0x80))
  expect(tokensOf(forbidden(byte(0xe1)))).not.toContain(byte(0x80))
  expect(tokensOf(forbidden(undefined))).toContain(byte(0xff))
})

test('a grammar is compiled once, and again when many others were used since', async () => {
  const gbnf = (n: number) => `root ::= "${n}"`
  const first = compiledGrammar(model, gbnf(0))
  expect(compiledGrammar(model, gbnf(0))).toBe(first)
  for (let n = 1; n < 16; n++) await compiledGrammar(model, gbnf(n))
  expect(compiledGrammar(model, gbnf(0))).toBe(first)
  for (let n = 16; n < 32; n++) await compiledGrammar(model, gbnf(n))
  expect(compiledGrammar(model, gbnf(0))).not.toBe(first)
})

test('a grammar that the library refuses says why', async () => {
  expect(await compiledGrammar(model, 'root ::= (')).toEqual({ refused: 'Failed to parse grammar' })
})
