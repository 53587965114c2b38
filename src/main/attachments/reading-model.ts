import type { Attachment } from '../../shared/contract/chats/attachments.ts'
import { byCount, many } from '../../shared/text/amounts.ts'

/** The abilities of a chat's model for documents. `readPerSecond`: tokens; undefined while unknown. */
export type ReadingModel = {
  name: string
  contextTokens: number
  /** The model writes no sentences of its own from a text. */
  isBuiltIn: boolean
  /** The model has the tool for reading more of a document. */
  canReadOn: boolean
  readPerSecond: number | undefined
  count(this: void, text: string): number
}

/** Maximum share of a context window for the documents of one message, sent whole or as passages. */
const WHOLE_SHARE = 0.4
const PASSAGE_SHARE = 0.12
/** Minimum and maximum tokens for passages. */
const LEAST_PASSAGES = 200
const MOST_PASSAGES = 6_000
/** Maximum reading time to accept by default, in seconds. */
const PATIENCE_S = 20
/** Maximum number of tokens to send whole, whatever the context window. */
const MOST_WHOLE = 250_000
/** Context windows below this are called small. */
const SMALL_WINDOW = 8_000

/** Maximum number of tokens for the whole documents of one message. */
export const roomForWhole = ({ contextTokens }: ReadingModel): number =>
  Math.min(MOST_WHOLE, Math.floor(contextTokens * WHOLE_SHARE))

/** Maximum tokens for the passages of one message, limited by the window and by reading time. */
export function roomForPassages({ contextTokens, readPerSecond }: ReadingModel): number {
  const inTime = readPerSecond === undefined ? Infinity : readPerSecond * PATIENCE_S
  const wanted = Math.floor(Math.min(contextTokens * PASSAGE_SHARE, inTime, MOST_PASSAGES))
  return Math.max(LEAST_PASSAGES, wanted)
}

/** How long a model needs to read tokens, in seconds; null while unknown. */
export const readingTime = (tokens: number, { readPerSecond }: ReadingModel): number | null =>
  readPerSecond === undefined ? null : Math.round((tokens / readPerSecond) * 10) / 10

/** How to send a document unless the user chooses. */
export function usualUse(tokens: number, model: ReadingModel): 'whole' | 'passages' {
  const seconds = readingTime(tokens, model)
  return tokens <= roomForWhole(model) && (seconds === null || seconds <= PATIENCE_S) ? 'whole' : 'passages'
}

/**
 * What the user should know before sending documents to a limited model: what it cannot do, which models can,
 * and what works without a model. Null if there is nothing to say.
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
