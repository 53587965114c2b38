import type Database from 'better-sqlite3'
import type { Store } from './types.ts'

const MAX_QUERY = 1_000
const MAX_TERMS = 32
/** How many of the best rows are weighed again. */
const CANDIDATES = 300
/** How many of the newest messages are read for what the word index cannot find. */
const SCANNED = 20_000
const TOOL_WEIGHT = 0.5

/** How to look for a query: `words` for the index, or `literal` for scripts without spaces and for signs. */
export type Lookup = { words: string } | { literal: string } | undefined

/**
 * Make any text a valid question. `any` finds messages with at least one of the words; `all` wants every one, the last
 * only begun, as while typing. A “quoted phrase” stays together. Undefined means that nothing is asked.
 */
export function lookupOf(query: string, mode: 'any' | 'all'): Lookup {
  const text = query.slice(0, MAX_QUERY).toWellFormed().replaceAll('\0', ' ')
  const terms = (text.match(/"[^"]*"|[^\s"]+/g) ?? []).map(term => term.replaceAll('"', ' ').trim())
  const unspaced = terms.filter(term => UNSPACED.test(term)).toSorted((a, b) => b.length - a.length)
  if (unspaced[0] !== undefined) return { literal: unspaced[0] }
  const words = terms.filter(term => /[\p{L}\p{N}]/u.test(term)).slice(0, MAX_TERMS)
  if (words.length === 0) return text.trim() === '' ? undefined : { literal: text.trim() }
  const quoted = words.map(word => `"${word}"`)
  return { words: mode === 'any' ? quoted.join(' OR ') : `${quoted.join(' AND ')}*` }
}

const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

type Hit = { messageId: number; sessionId: string; role: string; rank: number }

/** Prepare the search over messages of live sessions, best first; what tools answered counts half. */
export function createSearch(db: Database.Database): Store['messages']['search'] {
  const ranked = db.prepare<[string, number], Hit>(`
    select f.rowid as messageId, m.session_id as sessionId, m.role, f.rank
    from messages_search f
    join messages m on m.id = f.rowid
    join sessions s on s.id = m.session_id and s.deleted_at is null
    where messages_search match ? order by f.rank limit ?`)
  // better-sqlite3 binds numbers as real, and FTS5 silently ignores a row id that is not an integer.
  const passage = db.prepare<[string, number], { snippet: string }>(`
    select snippet(messages_search, 0, '', '', '…', 24) as snippet
    from messages_search where messages_search match ? and rowid = cast(? as integer)`)
  const scan = db.prepare<{ literal: string; limit: number }, Hit & { content: string }>(`
    select m.id as messageId, m.session_id as sessionId, m.role, 0 as rank, m.content
    from messages m
    join sessions s on s.id = m.session_id and s.deleted_at is null
    where m.id > (select max(id) from messages) - ${SCANNED} and instr(m.content, @literal) > 0
    order by m.id desc limit @limit`)

  return (query, limit) => {
    const lookup = lookupOf(query, 'any')
    if (!lookup) return []
    if ('literal' in lookup) {
      return scan.all({ literal: lookup.literal, limit }).map(({ sessionId, messageId, content }) => {
        return { sessionId, messageId, snippet: around(content, lookup.literal) }
      })
    }
    // The smaller the rank, the better; the newer of two equals comes first.
    const weight = ({ role, rank }: Hit) => (role === 'tool' ? rank * TOOL_WEIGHT : rank)
    return ranked
      .all(lookup.words, Math.max(CANDIDATES, limit))
      .toSorted((a, b) => weight(a) - weight(b) || b.messageId - a.messageId)
      .slice(0, limit)
      .map(({ sessionId, messageId }) => {
        return { sessionId, messageId, snippet: passage.get(lookup.words, messageId)?.snippet ?? '' }
      })
  }
}

function around(content: string, literal: string): string {
  const at = content.indexOf(literal)
  const start = Math.max(0, at - 40)
  const end = at + literal.length + 80
  return `${start > 0 ? '…' : ''}${content.slice(start, end).toWellFormed()}${end < content.length ? '…' : ''}`
}
