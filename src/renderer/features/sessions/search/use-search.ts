import { useEffect, useState } from 'react'
import type { RecallHit } from '../../../../shared/contract/recall.ts'
import type { Session } from '../../../../shared/contract/session.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { isFiltered, startOf, type Filters } from './SearchFilters.tsx'

/** Debounce of the search, in ms. */
const TYPING_MS = 150

/** Maximum number of chats shown. */
const MOST = 30

/** The results, with the query and filters they belong to. */
export type Found = { query: string; filters: Filters; hits: Outcome<readonly RecallHit[]> }

/**
 * Search all messages. The last results stay until the next arrive, so the list does not flicker.
 * Outdated requests are aborted. A new filters object searches again, even with equal values.
 */
export function useSearch(query: string, filters: Filters): Found | undefined {
  const { client } = useLink()
  const findSessions = useHost(host => host.findSessions)
  const [found, setFound] = useState<Found>()

  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    async function search() {
      const from = startOf(filters.since, Date.now())
      const { role } = filters
      const [recalled, listed] = await Promise.all([
        attemptCall(
          client['recall.search'](
            {
              query,
              limit: MOST,
              ...(from === undefined ? {} : { from }),
              ...(role === 'any' ? {} : { role }),
            },
            { signal },
          ),
        ),
        // Titles have neither a role nor a single date.
        isFiltered(filters) ? undefined : findSessions(query, signal),
      ])
      if (signal.aborted) return
      const others = listed?.ok ? listed.value : []
      const hits: Found['hits'] = recalled.ok
        ? { ok: true, value: joinHits(recalled.value.hits, others, query) }
        : recalled
      setFound({ query, filters, hits })
    }
    const timer = setTimeout(() => void search(), TYPING_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [client, findSessions, query, filters])

  return found
}

/**
 * Full-text hits, followed by chats whose title contains the query. A word index cannot match the half-typed
 * words of a user who is still typing, so title matches fill in.
 */
export function joinHits(hits: readonly RecallHit[], listed: readonly Session[], query: string): RecallHit[] {
  const known = new Set(hits.map(hit => hit.sessionId))
  const others = listed.filter(session => !known.has(session.id)).map(session => hitOf(session, query))
  return [...hits, ...others.filter(hit => hit.titleMarks.length > 0)]
}

function hitOf({ id, title, updatedAt }: Session, query: string): RecallHit {
  const words = query.split(/\s+/u).filter(word => word !== '')
  const pattern = new RegExp(words.map(word => RegExp.escape(word)).join('|'), 'giu')
  const titleMarks =
    words.length === 0
      ? []
      : [...title.matchAll(pattern)].map((match): [number, number] => [
          match.index,
          match.index + match[0].length,
        ])
  return { sessionId: id, title, titleMarks, updatedAt, passages: [] }
}
