import { byCount, many } from '../../../shared/text/amounts.ts'
import type { Advice } from '../../../shared/contract/chats/messages.ts'
import type { Refusal } from '../../lib/expected-errors.ts'
import type { EngineFailure, LlmEngine } from '../interface/engine.ts'
import { estimateTokens } from '../../../shared/text/estimate-tokens.ts'
import type { Prices } from '../meter-answers.ts'
import { ADVICE_TOKENS, askReferences, type Given, type ReferenceQuestion } from './ask-references.ts'
import type { MixtureEntry, Mixtures } from './open-mixtures.ts'
import {
  combineAnswers,
  sayQuestionCost,
  type CombinedAnswer,
  FREE,
  sayPrice,
  sayTokens,
} from './combine-answers.ts'

/** The references of one mixture. */
export type Advisers = {
  /** The name of the mixture. */
  name: string
  /** The names of the references. */
  names: readonly string[]
  /** The name of the model that answers. */
  answerer: string
  /** Say how many requests and tokens it takes to ask them, and the price if all prices are set. */
  sayCost(question: ReferenceQuestion): string
  /** Ask all references. `onGiven` gets each answer as soon as it is complete. Never rejects. */
  ask(question: ReferenceQuestion, signal: AbortSignal, onGiven?: (given: Given) => void): Promise<Advice>
}

/** A mixture that can be asked a single question. */
export type AskedMixture = {
  name: string
  /** Number of requests for one question. */
  requests: number
  /** The names of the models that run on other computers. */
  away: readonly string[]
  /** Names the models and where they run. An approval ends if this changes. */
  pin: string
  /** Say which models are asked, and how many requests, tokens and dollars that takes. */
  sayCost(question: string): string
  /** Ask the question, as `combineAnswers` does. Never rejects. */
  ask(question: string, signal: AbortSignal, onGiven: (given: Given) => void): Promise<CombinedAnswer>
}

type Parts = {
  mixtures: Pick<Mixtures, 'all' | 'find' | 'nameOf' | 'hostOf' | 'answererOf'>
  /** Return the engine of one model, without fallback models: each answer is shown under its model's name. */
  engineFor(this: void, id: string): Promise<LlmEngine | EngineFailure>
  forget(this: void, sessionId: string): Promise<void>
  /** Return the prices of a model on a server; undefined for any other model. */
  pricesOf(this: void, id: string): Prices | undefined
}

/** Create the functions that find the references of a mixture, and the mixture for a single question. */
export function createAdvisers({ mixtures, engineFor, forget, pricesOf }: Parts) {
  const memberOf = (id: string) => {
    const isLocal = !id.startsWith('server:')
    return { id, name: mixtures.nameOf(id), isLocal, prices: isLocal ? FREE : pricesOf(id) }
  }
  const askingOf = ({ wait_s }: MixtureEntry) => ({ engineFor, forget, waitMs: wait_s * 1_000 })

  /** Return the references of a mixture; undefined for any other model. */
  function advisersOf(modelId: string): Advisers | undefined {
    const entry = mixtures.find(modelId)
    if (!entry) return undefined
    const references = entry.references.map(memberOf)
    return {
      name: entry.name,
      names: references.map(({ name }) => name),
      answerer: mixtures.nameOf(entry.aggregator),
      sayCost: question =>
        sayCost(
          question,
          references.map(({ prices }) => prices),
        ),
      ask: async (question, signal, onGiven) => ({
        mixture: entry.name,
        given: await askReferences(
          references,
          question,
          { ...askingOf(entry), ...(onGiven && { onGiven }) },
          signal,
        ),
      }),
    }
  }

  /**
   * Find the mixture with this name. Without a name, the one of the chat, given its model id, or else the
   * only one. A refusal lists the existing mixtures.
   */
  function askedMixture(named: string | undefined, chatModelId: string | undefined): AskedMixture | Refusal {
    const all = mixtures.all()
    const entry =
      named === undefined
        ? (mixtures.find(chatModelId ?? '') ?? (all.length === 1 ? all[0] : undefined))
        : all.find(({ name, id }) => [name, id].some(each => each.toLowerCase() === named.toLowerCase()))
    if (!entry) return { refused: whichMixture(named, all) }
    const [aggregator, ...references] = [entry.aggregator, ...entry.references].map(memberOf)
    const places = [...references, aggregator!].map(({ id, name }) => ({ name, host: mixtures.hostOf(id) }))
    const awayNow = places.flatMap(({ name, host }) => (host?.away ? [`${name} (${host.host})`] : []))
    return {
      name: entry.name,
      requests: references.length + 1,
      away: [...new Set(awayNow)],
      pin: places.map(({ name, host }) => (host ? `${name} (${host.host})` : name)).join(', '),
      sayCost: question => sayQuestionCost(question, references, aggregator!),
      ask: (question, signal, onGiven) =>
        combineAnswers(
          { references, aggregator: aggregator!, asking: { ...askingOf(entry), onGiven } },
          question,
          signal,
        ),
    }
  }

  /** Say what each message would cost with a mixture of these models, before it is created. */
  const sayTurnCost = ({
    references,
    aggregator,
  }: Pick<MixtureEntry, 'references' | 'aggregator'>): string => {
    const [answerer, ...asked] = [aggregator, ...references].map(memberOf)
    // The chat is read too, but its future length is unknown.
    const writes = asked.map(({ prices }) => ({ read: 0, write: ADVICE_TOKENS, prices }))
    const advice = ADVICE_TOKENS * asked.length
    const sum = sayPrice([...writes, { read: advice, write: 0, prices: answerer!.prices }])
    const money =
      sum === '' ? '' : ` ${sum.replace(/\.$/, '')} for the advice, and more for reading the chat.`
    return `At least ${asked.length + 1} requests for each message. ${byCount(asked.length, 'The reference reads', `All ${asked.length} references read`)} the chat and ${byCount(asked.length, 'writes', 'write')} at most ${advice.toLocaleString('en')} tokens of advice, which ${answerer!.name} reads too.${money}`
  }

  return { advisersOf, askedMixture, sayTurnCost }
}

function whichMixture(named: string | undefined, all: readonly MixtureEntry[]): string {
  if (all.length === 0)
    return 'No mixture of models is set, so there is nobody to ask. Go on without it, and tell the user, who can make one on the Models page.'
  const names = all.map(({ name }) => `“${name}”`).join(', ')
  return named === undefined
    ? `There are several mixtures: name one of ${names} in mixture.`
    : `There is no mixture “${named}”. There are: ${names}.`
}

function sayCost({ system, said }: ReferenceQuestion, prices: readonly (Prices | undefined)[]): string {
  const read = [system, ...said.map(({ text }) => text)].reduce((sum, text) => sum + estimateTokens(text), 0)
  const requests = prices.map(each => ({ read, write: ADVICE_TOKENS, prices: each }))
  return `${many(requests.length, 'more request')} for each of your messages: now ${sayTokens(requests)}, and more as the chat grows. ${sayPrice(requests)}`.trim()
}
