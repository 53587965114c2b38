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
  /** The mixture. */
  name: string
  /** The names of the references. */
  names: readonly string[]
  /** The name of the model that answers. */
  answerer: string
  /** How many requests and tokens asking them takes, and money where all prices are set, as sentences. */
  sayCost(question: ReferenceQuestion): string
  /** Ask all of them; `onGiven` is told each as soon as it has ended. It never rejects. */
  ask(question: ReferenceQuestion, signal: AbortSignal, onGiven?: (given: Given) => void): Promise<Advice>
}

/** A mixture that a single question can be put to. */
export type AskedMixture = {
  name: string
  /** Requests that one question takes. */
  requests: number
  /** The names of its models that run on other computers. */
  away: readonly string[]
  /** Names the models and where they run, so that what was allowed ends when they change. */
  pin: string
  /** Who is asked, and what that takes in requests, tokens and money, as sentences. */
  sayCost(question: string): string
  /** See `combineAnswers`; it never rejects. */
  ask(question: string, signal: AbortSignal, onGiven: (given: Given) => void): Promise<CombinedAnswer>
}

type Parts = {
  mixtures: Pick<Mixtures, 'all' | 'find' | 'nameOf' | 'hostOf' | 'answererOf'>
  /** The engine of one model, without another that would answer in its place: advice is by name. */
  engineFor(this: void, id: string): Promise<LlmEngine | EngineFailure>
  forget(this: void, sessionId: string): Promise<void>
  /** The prices of a model on a server; undefined for any other. */
  pricesOf(this: void, id: string): Prices | undefined
}

/** Create the functions that find the references of a mixture, and the mixture that a single question is put to. */
export function createAdvisers({ mixtures, engineFor, forget, pricesOf }: Parts) {
  const memberOf = (id: string) => {
    const isLocal = !id.startsWith('server:')
    return { id, name: mixtures.nameOf(id), isLocal, prices: isLocal ? FREE : pricesOf(id) }
  }
  const askingOf = ({ wait_s }: MixtureEntry) => ({ engineFor, forget, waitMs: wait_s * 1_000 })

  /** The references of a mixture; undefined for any other model. */
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
   * The mixture of this name; without one that of the chat, given the id of its model, or else the only one. A refusal names those that
   * there are.
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

  /** What a mixture of these models takes for each message, before it is made. */
  const sayTurnCost = ({
    references,
    aggregator,
  }: Pick<MixtureEntry, 'references' | 'aggregator'>): string => {
    const [answerer, ...asked] = [aggregator, ...references].map(memberOf)
    // What the chat holds is read too, and nobody knows how long it will be.
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
