import type { ReadStore } from '../../db/file/read-store.ts'
import { createCounter } from './matches.ts'
import { WORD, type IsWritten } from './query.ts'
import { hasSpecial } from '../../lib/words/spellings.ts'
import type { TermWeights } from './term-weights.ts'

/** Maximum number of messages to read for the spelling of a word. */
const MOST_READ = 30
const MAX_KNOWN = 5_000

/**
 * Create the check whether texts really contain a spelling that the index cannot tell apart: for “Schoen” it
 * finds “schon”, and only the text shows whether it is “schön”.
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

/** Keep the words with a letter that has two spellings: “pursu” is the stem of pursue, and has no ü. */
const onlySpecial = (text: string): string => (text.match(WORD) ?? []).filter(hasSpecial).join(' ')
