import { splitUnspaced } from '../../lib/words/index-words.ts'
import { keptSpellings, spellingsOf } from '../../lib/words/spellings.ts'

const MAX_QUERY = 1_000
const MAX_TERMS = 32

/** How to search for a query: `words` with the index; `literal` for symbols and scripts without spaces. */
type Lookup = { words: string } | { literal: string } | undefined

/**
 * Convert any text to a valid query for messages with all of its words. The last word is a prefix, for search
 * while typing. A “quoted phrase” stays together. Undefined for an empty query.
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
  return { words: words.map((word, at) => inAnySpelling(word, at === words.length - 1)).join(' AND ') }
}

/** Return a word in all of its spellings, such as Strasse for Straße; a phrase unchanged. */
function inAnySpelling(term: string, isBegun: boolean): string {
  const ways = /^[\p{L}\p{M}]+$/u.test(term)
    ? [...new Set([term, ...spellingsOf(term).sure, ...keptSpellings(term)])]
    : [term]
  const all = ways.map(way => `"${way}"${isBegun ? '*' : ''}`)
  return all.length === 1 ? all[0]! : `(${all.join(' OR ')})`
}
