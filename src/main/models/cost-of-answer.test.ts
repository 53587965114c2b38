import { expect, test } from 'vitest'
import type { Usage } from '../../shared/contract/messages.ts'
import { costOfAnswer } from './meter-answers.ts'

const usage: Usage = {
  promptTokens: 1_000,
  reusedTokens: 400,
  evaluatedTokens: 600,
  outputTokens: 100,
  contextTokens: 8_192,
  firstTokenMs: 1,
  prefillPerSecond: 1,
  tokensPerSecond: 1,
}

test.for([
  ['what the server says goes first', { ...usage, costUsd: 0.5 }, { price_input: 1, price_output: 1 }, 0.5],
  [
    'cached tokens have a price of their own',
    usage,
    { price_input: 3, price_cached: 0.3, price_output: 15 },
    0.00342,
  ],
  ['without one they cost as much as others', usage, { price_input: 3, price_output: 15 }, 0.0045],
  ['half a price list is none', usage, { price_input: 3 }, null],
  ['nothing is known', usage, undefined, null],
] as const)('%s', ([, took, prices, cost]) => {
  const said = costOfAnswer(took, prices)
  if (cost === null) expect(said).toBeNull()
  else expect(said).toBeCloseTo(cost, 10)
})
