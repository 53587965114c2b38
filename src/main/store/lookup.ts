import { splitUnspaced } from '../lib/index-words.ts'

const MAX_QUERY = 1_000
const MAX_TERMS = 32

/** How to look for a query: `words` for the index, or `literal` for scripts without spaces and for signs. */
export type Lookup = { words: string } | { literal: string } | undefined

/**
 * Make any text a valid question for messages that have all of its words, the last only begun, as while typing. A
 * “quoted phrase” stays together. Undefined means that nothing is asked.
 */
export function lookupOf(query: string): Lookup {
  const text = query.slice(0, MAX_QUERY).toWellFormed().replaceAll('\0', ' ')
  const terms = (text.match(/"[^"]*"|[^\s"]+/g) ?? []).map(term => term.replaceAll('"', ' ').trim())
  const unspaced = terms
    .filter(term => splitUnspaced(term).runs.length > 0)
    .toSorted((a, b) => b.length - a.length)
  if (unspaced[0] !== undefined) return { literal: unspaced[0] }
  const words = terms.filter(term => /[\p{L}\p{N}]/u.test(term)).slice(0, MAX_TERMS)
  if (words.length === 0) return text.trim() === '' ? undefined : { literal: text.trim() }
  return { words: `${words.map(word => `"${word}"`).join(' AND ')}*` }
}
