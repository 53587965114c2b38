import { focusManager, notifyManager, QueryClient, type Query } from '@tanstack/react-query'
import { areasRead } from '../../shared/contract/areas.ts'
import type { HostClient } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { attemptCall, type Outcome } from './attempt.ts'

/** The names of calls with one answer. */
export type Method = {
  [M in keyof HostClient]: HostClient[M] extends (...given: never[]) => Promise<unknown> ? M : never
}[keyof HostClient]
export type Given<M extends Method> = Parameters<HostClient[M]>[0]
export type Answer<M extends Method> = Awaited<ReturnType<HostClient[M]>>

/** A cache of the newest answer of the host to each call, which is repeated once it is stale. */
export type Answers = {
  readonly queries: QueryClient
  ask<M extends Method>(method: M, given: Given<M>, signal?: AbortSignal): Promise<Outcome<Answer<M>>>
  /**
   * Mark the answers of these areas stale: shown ones are read again now, others when they are shown. Without
   * areas, all answers; `unasked`: calls that did not reach the host.
   */
  areOld(areas?: readonly string[] | 'unasked'): void
  /**
   * Like `areOld`, after a call by this window changed the areas, or when the user asks. Resolves once the
   * shown answers are new.
   */
  renew(areas: readonly string[]): Promise<void>
  /**
   * Make a call that changes areas. Resolves once the shown answers are new. If the event of the change
   * arrives before its answer, nothing is read twice.
   */
  change<M extends Method>(method: M, given: Given<M>, areas: readonly string[]): Promise<Outcome<Answer<M>>>
  /** The last answer, if it is cached and was not a fault. */
  known<M extends Method>(method: M, given: Given<M>): Answer<M> | undefined
  /** Store an answer that the host has reported. */
  take<M extends Method>(method: M, given: Given<M>, value: Answer<M>): void
  /** Store an expected answer before the host is asked again. */
  put<M extends Method>(method: M, given: Given<M>, change: (known: Answer<M>) => Answer<M>): void
}

/** How long to keep an answer that nothing shows, in ms. */
const KEPT_MS = 5 * 60_000

/** Whether a call did not reach the host. */
const isUnasked = (fault: unknown): boolean => fault instanceof Fault && fault.code === 'disconnected'

/** Create the cache of the host's answers. Faults are answers too, so they are not retried. */
export function createAnswers(client: HostClient): Answers {
  // Without this, an answer is shown a moment after `renew` resolves, and a stored answer is delayed as well.
  notifyManager.setScheduler(queueMicrotask)
  // Without this, only a hidden window counts, not one that another window covers.
  focusManager.setEventListener(onFocus => {
    const look = () => onFocus()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  })
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        gcTime: KEPT_MS,
        staleTime: Infinity,
        // Files change without an event, so an answer is read again when it comes into view.
        refetchOnMount: 'always',
        refetchOnWindowFocus: 'always',
        refetchOnReconnect: false,
        networkMode: 'always',
      },
    },
  })
  /** When each area was last marked stale, on the clock of `dataUpdatedAt`. */
  const told = new Map<string, number>()
  const ofAreas = (areas: readonly string[] | 'unasked' | undefined, { toldSince = Infinity } = {}) => ({
    predicate({ queryKey: [method], state }: Query) {
      if (areas === 'unasked')
        return isUnasked(state.error) || isUnasked((state.data as { fault?: Fault } | undefined)?.fault)
      const concerned = areasRead(String(method)).filter(area => areas?.includes(area) ?? true)
      const at = Math.max(0, ...concerned.map(area => told.get(area) ?? 0))
      const isNew = at >= toldSince && state.dataUpdatedAt >= at && state.fetchStatus === 'idle'
      return concerned.length > 0 && !isNew
    },
  })
  // An event of the same change may already have started a read.
  const renew = (areas: readonly string[], toldSince?: number) =>
    queries.invalidateQueries(ofAreas(areas, { toldSince }), { cancelRefetch: false })
  /** Calls whose first request started before a change. They are repeated once answered. */
  const askedTwice = new Set<Query>()
  // The library does not repeat a pending call, but its answer may be older than the change.
  const askOnceAnswered = (filters: ReturnType<typeof ofAreas>) => {
    for (const query of queries.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
      if (query.state.data !== undefined || askedTwice.has(query)) continue
      askedTwice.add(query)
      const again = () => {
        askedTwice.delete(query)
        void queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
      }
      void query.promise?.then(again, () => askedTwice.delete(query))
    }
  }
  const ask: Answers['ask'] = (method, given, signal) => {
    const call = client[method] as (given: unknown, how: object) => Promise<never>
    return attemptCall(call(given, signal ? { signal } : {}))
  }
  return {
    queries,
    ask,
    areOld(areas) {
      for (const area of areas === 'unasked' ? [] : (areas ?? [])) told.set(area, Date.now())
      askOnceAnswered(ofAreas(areas))
      void queries.invalidateQueries(ofAreas(areas))
    },
    renew: areas => renew(areas),
    async change(method, given, areas) {
      const begun = Date.now()
      const answer = await ask(method, given)
      await renew(areas, begun)
      return answer
    },
    known(method, given) {
      const known = queries.getQueryData<Outcome<never>>([method, given])
      return known?.ok ? known.value : undefined
    },
    take: (method, given, value) => void queries.setQueryData([method, given], { ok: true, value }),
    put: (method, given, change) =>
      void queries.setQueryData([method, given], (known: Outcome<never> | undefined) =>
        known?.ok ? { ok: true, value: change(known.value) } : known,
      ),
  }
}
