import { z } from 'zod'
import { MemoryTarget } from '../../../shared/contract/learned/memory.ts'
import type { Evidence } from '../../../shared/contract/learned/learning.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { isSummary } from '../../agent/compaction/apply-compaction.ts'

const place = { target: MemoryTarget, project: z.string().nullable() }

/** The effect of accepting a proposal, with entries and skills by id. Replaced texts are in the proposal. */
export const ProposedChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('memory.add'), ...place, text: z.string() }),
  z.object({ kind: z.literal('memory.edit'), id: z.string(), text: z.string() }),
  z.object({ kind: z.literal('memory.remove'), id: z.string() }),
  z.object({
    kind: z.literal('skill.create'),
    name: z.string(),
    category: z.string(),
    text: z.string(),
    despite: z.boolean(),
  }),
  z.object({
    kind: z.literal('skill.save'),
    id: z.string(),
    path: z.string(),
    text: z.string(),
    despite: z.boolean(),
  }),
  z.object({ kind: z.literal('skill.removeFile'), id: z.string(), path: z.string() }),
  z.object({ kind: z.literal('skill.remove'), id: z.string() }),
])
export type ProposedChange = z.infer<typeof ProposedChange>

/** A change that a review wants, before it becomes a proposal. */
export type Candidate = {
  change: ProposedChange
  headline: string
  place: string
  before: string | null
  after: string | null
  /** The reason why it needs approval in every mode; empty if only the mode requires it. */
  because: string
}

const MAX_QUOTES = 3
const MAX_QUOTE_CHARS = 240
const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []

/**
 * The place in a conversation where something was learned: the user's sentences that share the most words
 * with it, in order. If none shares a word, the one with the most similar spelling, marked as `nearest`.
 */
export function evidenceFor(text: string, messages: readonly Message[]): Evidence[] {
  const wanted = new Set(words(text))
  // A summary has the user role, but the user did not write it.
  const said = messages.filter(message => message.role === 'user' && !isSummary(message))
  const found = said
    .map(message => {
      const quote = sentenceFor(message.text, wanted)
      return { id: message.id, quote, score: score(quote, wanted) }
    })
    .filter(each => each.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_QUOTES)
  const best = found[0]?.score ?? 0
  if (best === 0) return nearestOf(text, said)
  return found
    .filter(each => each.score * 2 > best)
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, quote }) => ({ messageId: id, quote }))
}

/** The id of the message that something was learned from. A `nearest` sentence does not count. */
export const sourceIn = ([first]: readonly Evidence[]): number | null =>
  first === undefined || first.nearest ? null : first.messageId

const score = (text: string, wanted: ReadonlySet<string>): number =>
  new Set(words(text).filter(word => wanted.has(word))).size

function sentenceFor(text: string, wanted: ReadonlySet<string>): string {
  return sentencesOf(text).toSorted((a, b) => score(b, wanted) - score(a, wanted))[0] ?? ''
}

const sentencesOf = (text: string): string[] =>
  text
    .slice(0, 20_000)
    .split(/(?<=[.!?…])\s+|\n+/)
    .map(each => each.trim().slice(0, MAX_QUOTE_CHARS).toWellFormed())
    .filter(each => each !== '')

/** The sentence with the most similar spelling; of several, the newest. */
function nearestOf(text: string, said: readonly Message[]): Evidence[] {
  const wanted = pairsOf(text)
  const sentences = said
    .toReversed()
    .flatMap(({ id, text: spoken }) => sentencesOf(spoken).map(quote => ({ messageId: id, quote })))
  const nearness = ({ quote }: { quote: string }) => {
    const pairs = pairsOf(quote)
    return [...pairs].filter(pair => wanted.has(pair)).length / (pairs.size + wanted.size || 1)
  }
  const [best] = sentences
    .map(each => ({ ...each, near: nearness(each) }))
    .toSorted((a, b) => b.near - a.near)
  return best ? [{ messageId: best.messageId, quote: best.quote, nearest: true }] : []
}

/** Pairs of adjacent letters, to compare spelling. */
function pairsOf(text: string): ReadonlySet<string> {
  const letters = text.toLowerCase().match(/[\p{L}\p{N}]/gu) ?? []
  return new Set(letters.slice(1).map((letter, at) => letters[at]! + letter))
}
