import type { Prices } from '../meter-answers.ts'

/** One request as it is estimated: tokens to read, most tokens to write, and the prices of its model where all are set. */
export type EstimatedRequest = { read: number; write: number; prices: Prices | undefined }

const MILLION = 1_000_000
/** The prices of models of this computer. */
export const FREE: Prices = { price_input: 0, price_output: 0 }

/** The tokens of some requests, such as “about 90 tokens to read and at most 2,400 to write”. */
export function sayTokens(requests: readonly EstimatedRequest[]): string {
  const read = requests.reduce((sum, each) => sum + each.read, 0)
  const write = requests.reduce((sum, each) => sum + each.write, 0)
  return `about ${rounded(read)} tokens to read and at most ${rounded(write)} to write`
}

/** What some requests cost at most, as a sentence; empty where a price is not known, or all are free. */
export function sayPrice(requests: readonly EstimatedRequest[]): string {
  let dollars = 0
  for (const { read, write, prices } of requests) {
    if (prices?.price_input === undefined || prices.price_output === undefined) return ''
    dollars += (read * prices.price_input + write * prices.price_output) / MILLION
  }
  if (dollars === 0) return ''
  return `At the prices that you set, at most about $${dollars < 0.01 ? dollars.toFixed(4) : dollars.toFixed(2)}.`
}

/** A count with two significant digits. */
const rounded = (tokens: number): string => Number(tokens.toPrecision(2)).toLocaleString('en')
