import type { Evidence } from '../../shared/contract/learning.ts'
import type { Message } from '../../shared/contract/messages.ts'
import { summaryText } from '../agent/compaction/apply-compaction.ts'

const MAX_QUOTES = 3
const MAX_QUOTE_CHARS = 240
const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
const [SUMMARY_BEGINS] = summaryText('').split('\n')

/** Where in a conversation something was learned: the user's sentences that share the most words with it, in order. */
export function evidenceFor(text: string, messages: readonly Message[]): Evidence[] {
  const wanted = new Set(words(text))
  const found = messages
    // A summary has the user role, but the user did not write it.
    .filter(message => message.role === 'user' && !message.text.startsWith(SUMMARY_BEGINS!))
    .map(message => {
      const quote = sentenceFor(message.text, wanted)
      return { id: message.id, quote, score: score(quote, wanted) }
    })
    .filter(each => each.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_QUOTES)
  const best = found[0]?.score ?? 0
  return found
    .filter(each => each.score * 2 > best)
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, quote }) => ({ messageId: id, quote }))
}

const score = (text: string, wanted: ReadonlySet<string>): number =>
  new Set(words(text).filter(word => wanted.has(word))).size

function sentenceFor(text: string, wanted: ReadonlySet<string>): string {
  const sentences = text
    .slice(0, 20_000)
    .split(/(?<=[.!?…])\s+|\n+/)
    .filter(each => each.trim() !== '')
  const best = sentences.toSorted((a, b) => score(b, wanted) - score(a, wanted))[0] ?? ''
  return best.trim().slice(0, MAX_QUOTE_CHARS).toWellFormed()
}
