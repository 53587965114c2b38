import type { Attachment } from '../../shared/contract/chats/attachments.ts'
import { byCount, many } from '../../shared/text/amounts.ts'

/** What the model of a chat can do with documents. `readPerSecond`: tokens, undefined while unknown. */
export type ReadingModel = {
  name: string
  contextTokens: number
  /** It writes no sentences of its own from what it reads. */
  isBuiltIn: boolean
  /** It has the tool that reads more of a document. */
  canReadOn: boolean
  readPerSecond: number | undefined
  count(this: void, text: string): number
}

/** Share of a context window that the documents of one message may take whole, and as passages. */
const WHOLE_SHARE = 0.4
const PASSAGE_SHARE = 0.12
/** Tokens of passages at least and at most. */
const LEAST_PASSAGES = 200
const MOST_PASSAGES = 6_000
/** Longer than this nobody wants to wait by default, in seconds. */
const PATIENCE_S = 20
/** The most tokens that are sent whole, whatever the window. */
const MOST_WHOLE = 250_000
/** Windows below this are said to be small. */
const SMALL_WINDOW = 8_000

/** Tokens that the documents of one message may take whole. */
export const roomForWhole = ({ contextTokens }: ReadingModel): number =>
  Math.min(MOST_WHOLE, Math.floor(contextTokens * WHOLE_SHARE))

/** Tokens that the passages of one message may take: what a model reads in the time that people wait, too. */
export function roomForPassages({ contextTokens, readPerSecond }: ReadingModel): number {
  const inTime = readPerSecond === undefined ? Infinity : readPerSecond * PATIENCE_S
  const wanted = Math.floor(Math.min(contextTokens * PASSAGE_SHARE, inTime, MOST_PASSAGES))
  return Math.max(LEAST_PASSAGES, wanted)
}

/** How long a model needs to read tokens, in seconds; null while nobody knows. */
export const readingTime = (tokens: number, { readPerSecond }: ReadingModel): number | null =>
  readPerSecond === undefined ? null : Math.round((tokens / readPerSecond) * 10) / 10

/** How a model gets a document unless the user says otherwise. */
export function usualUse(tokens: number, model: ReadingModel): 'whole' | 'passages' {
  const seconds = readingTime(tokens, model)
  return tokens <= roomForWhole(model) && (seconds === null || seconds <= PATIENCE_S) ? 'whole' : 'passages'
}

/**
 * What a person should know before they send documents to a model that can do little with them: what it cannot do, who can, and what
 * needs no model. Null if there is nothing to say.
 */
export function sayLimits(
  attachments: readonly Attachment[],
  model: ReadingModel,
  others: readonly string[],
): string | null {
  if (attachments.length === 0) return null
  const isSmall = model.contextTokens < SMALL_WINDOW
  if (!model.isBuiltIn && !isSmall) return null
  const all = attachments.reduce((sum, { tokens = Infinity }) => sum + tokens, 0)
  if (all <= roomForWhole(model))
    return model.isBuiltIn ? `${model.name} gets all of it, and writes no summaries.` : null
  const window = `reads at most ${many(model.contextTokens, 'token')} at once`
  const what = model.isBuiltIn
    ? `${model.name} ${window} and writes no summaries: it gets the beginning of a long document and what fits your message, and cannot read on.`
    : `${model.name} ${window}: it gets the beginning of a long document and what fits your message.`
  const better =
    others.length === 0
      ? 'A larger model could read all of it; none is set up here.'
      : `${others.slice(0, 2).join(' and ')} ${byCount(Math.min(others.length, 2), 'reads', 'read')} more.`
  return `${what} ${better} You can read and search the text here without any model.`
}
