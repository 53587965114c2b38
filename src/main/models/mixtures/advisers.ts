import { many } from '../../../shared/amounts.ts'
import type { Advice } from '../../../shared/contract/messages.ts'
import type { EngineFailure, LlmEngine } from '../engine.ts'
import { estimateTokens } from '../estimate-tokens.ts'
import type { Prices } from '../meter-answers.ts'
import { ADVICE_TOKENS, askReferences, type Reference, type ReferenceQuestion } from './ask-references.ts'
import type { Mixtures } from './open-mixtures.ts'

/** The references of one mixture. */
export type Advisers = {
  /** The mixture. */
  name: string
  /** The names of the references. */
  names: readonly string[]
  /** The name of the model that answers. */
  answerer: string
  /** How many requests and tokens asking them takes, and money where all prices are set, as sentences. */
  sayCost(question: ReferenceQuestion): string
  /** Ask all of them. It never rejects. */
  ask(question: ReferenceQuestion, signal: AbortSignal): Promise<Advice>
}

type Parts = {
  mixtures: Pick<Mixtures, 'find' | 'nameOf'>
  /** The engine of one model, without another that would answer in its place: advice is by name. */
  engineFor(this: void, id: string): Promise<LlmEngine | EngineFailure>
  forget(this: void, sessionId: string): Promise<void>
  /** The prices of a model on a server; undefined for any other. */
  pricesOf(this: void, id: string): Prices | undefined
}

/** Create the function that finds the references of a mixture; undefined for any other model. */
export function createAdvisers({ mixtures, engineFor, forget, pricesOf }: Parts) {
  return (modelId: string): Advisers | undefined => {
    const entry = mixtures.find(modelId)
    if (!entry) return undefined
    const references: Reference[] = entry.references.map(id => ({
      id,
      name: mixtures.nameOf(id),
      isLocal: !id.startsWith('server:'),
    }))
    return {
      name: entry.name,
      names: references.map(({ name }) => name),
      answerer: mixtures.nameOf(entry.aggregator),
      sayCost: question =>
        sayCost(
          question,
          references.map(({ id, isLocal }) => (isLocal ? FREE : pricesOf(id))),
        ),
      ask: async (question, signal) => ({
        mixture: entry.name,
        given: await askReferences(
          references,
          question,
          { engineFor, forget, waitMs: entry.wait_s * 1_000 },
          signal,
        ),
      }),
    }
  }
}

const FREE: Prices = { price_input: 0, price_output: 0 }
const MILLION = 1_000_000

function sayCost({ system, said }: ReferenceQuestion, prices: readonly (Prices | undefined)[]): string {
  const read = [system, ...said.map(({ text }) => text)].reduce((sum, text) => sum + estimateTokens(text), 0)
  const count = prices.length
  const tokens = `${many(count, 'more request')} for each of your messages: now about ${rounded(read * count)} tokens to read and at most ${rounded(ADVICE_TOKENS * count)} to write, and more as the chat grows.`
  const dollars = prices.map(each =>
    each?.price_input === undefined || each.price_output === undefined
      ? undefined
      : (read * each.price_input + ADVICE_TOKENS * each.price_output) / MILLION,
  )
  const known = dollars.filter(each => each !== undefined)
  const sum = known.reduce((all, each) => all + each, 0)
  return known.length === count && sum > 0
    ? `${tokens} At the prices that you set, at most about $${sum < 0.01 ? sum.toFixed(4) : sum.toFixed(2)}.`
    : tokens
}

/** A count with two significant digits. */
const rounded = (tokens: number): string => Number(tokens.toPrecision(2)).toLocaleString('en')
