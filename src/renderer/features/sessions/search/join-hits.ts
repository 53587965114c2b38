import type { RecallHit, Session } from '../../../../shared/contract/chats/session.ts'

/**
 * Full-text hits, followed by chats whose title contains the query. A word index cannot match the half-typed
 * words of a user who is still typing, so title matches fill in.
 */
export function joinHits(hits: readonly RecallHit[], listed: readonly Session[], query: string): RecallHit[] {
  const known = new Set(hits.map(hit => hit.sessionId))
  const others = listed.filter(session => !known.has(session.id)).map(session => hitOf(session, query))
  return [...hits, ...others.filter(hit => hit.titleMarks.length > 0)]
}

function hitOf({ id, origin, title, updatedAt }: Session, query: string): RecallHit {
  const words = query.split(/\s+/u).filter(word => word !== '')
  const pattern = new RegExp(words.map(word => RegExp.escape(word)).join('|'), 'giu')
  const titleMarks =
    words.length === 0
      ? []
      : [...title.matchAll(pattern)].map((match): [number, number] => [
          match.index,
          match.index + match[0].length,
        ])
  return { sessionId: id, origin, title, titleMarks, updatedAt, passages: [] }
}
