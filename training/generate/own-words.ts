import type { Conversation } from './conversation.ts'

const WORD = /[\p{L}\p{N}]+/gu

/** The words of a text in small letters, as `src/main/models/engines/local/decoding/copied-words.ts` takes them apart. */
const wordsIn = (text: string): string[] => text.toLowerCase().replaceAll(/\\./g, ' ').match(WORD) ?? []

/** Seen less often than this, a word is a value that was written in another form, and not a word of the model’s own. */
const OFTEN = 4

/**
 * The words that right replies hold and that stand nowhere before them: “lives” where somebody said “live”. With them and
 * the words of the conversation, all replies can be written.
 */
export function ownWords(conversations: Iterable<Conversation>): string[] {
  const counts = new Map<string, number>()
  for (const { messages } of conversations) {
    const heard = new Set<string>()
    for (const { text, target } of messages) {
      const words = new Set(wordsIn(text))
      for (const word of words) if (target && !heard.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
      for (const word of words) heard.add(word)
    }
  }
  return [...counts]
    .filter(([, count]) => count >= OFTEN)
    .map(([word]) => word)
    .toSorted()
}
