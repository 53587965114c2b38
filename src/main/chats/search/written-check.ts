import type { ReadStore } from '../../db/file/read-store.ts'
import { createCounter } from './matches.ts'
import { WORD, type IsWritten } from './query.ts'
import { hasSpecial } from '../../lib/words/spellings.ts'
import type { TermWeights } from './term-weights.ts'

/** Messages that are read to see how a word is written there. */
const MOST_READ = 30
const MAX_KNOWN = 5_000

/**
 * Create the check whether texts really have a spelling for which the index has no letter of its own: for “Schoen” it finds
 * “schon”, and only a text tells that from “schön”.
 */
export function createWrittenCheck(store: ReadStore['recall'], terms: TermWeights): IsWritten {
  const known = new Map<string, { n: number; isWritten: boolean }>()

  return (match, term, isSure) => {
    const n = terms.frequency(match, 'messages')
    if (isSure) return n > 0
    const before = known.get(match)
    if (before && (before.isWritten || before.n === n)) return before.isWritten
    const within = n > 0 ? store.range('messages') : undefined
    const ids = within ? store.messages(match, { within, limit: MOST_READ }) : []
    const { spelled = [], ...rest } = term
    const readable = spelled.length > 1 ? (text: string) => (hasSpecial(text) ? text : '') : onlySpecial
    const count = createCounter([{ ...rest, stems: spelled, spelled }])
    const isWritten = store.windows(ids, 0).some(({ text }) => count(readable(text))[0]! > 0)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(match, { n, isWritten })
    return isWritten
  }
}

/** The words with a letter that is written in two ways: “pursu” is the stem of pursue, and there is no ü in it. */
const onlySpecial = (text: string): string => (text.match(WORD) ?? []).filter(hasSpecial).join(' ')
