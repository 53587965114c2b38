import { useEffect, useState } from 'react'
import type { RecallHit } from '../../../../shared/contract/recall.ts'
import { attempt, type Outcome } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { isFiltered, startOf, type Filters } from './filters.ts'
import { joinHits } from './join-hits.ts'

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
        attempt(
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
