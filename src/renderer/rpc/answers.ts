import { focusManager, notifyManager, QueryClient } from '@tanstack/react-query'
import { areasRead } from '../../shared/contract/areas.ts'
import type { HostClient } from '../../shared/contract/index.ts'
import { attemptCall, type Outcome } from './attempt.ts'

/** The names of calls with one answer. */
export type Method = {
  [M in keyof HostClient]: HostClient[M] extends (...given: never[]) => Promise<unknown> ? M : never
}[keyof HostClient]
export type Given<M extends Method> = Parameters<HostClient[M]>[0]
export type Answer<M extends Method> = Awaited<ReturnType<HostClient[M]>>

/** What the window knows of the host: the newest answer to each question, asked again once it is old. */
export type Answers = {
  readonly queries: QueryClient
  ask<M extends Method>(method: M, given: Given<M>, signal?: AbortSignal): Promise<Outcome<Answer<M>>>
  /** What was read of these areas is old: what is shown is asked again, the rest when it is shown. Without areas, all of it. */
  areOld(areas?: readonly string[]): void
  /** The same, after a call of the window that changed them; done once what is shown is new. */
  renew(areas: readonly string[]): Promise<void>
  /** Put an answer in place that is known before the host is asked again. */
  put<M extends Method>(method: M, given: Given<M>, change: (known: Answer<M>) => Answer<M>): void
}

/** How long an answer is kept that nothing shows, in ms. */
const KEPT_MS = 5 * 60_000

/** Create what asks the host. Faults are answers too, so nothing is asked again because of one. */
export function createAnswers(client: HostClient): Answers {
  // Without this an answer is shown a moment after `renew` is done, and what was put in place waits as long.
  notifyManager.setScheduler(queueMicrotask)
  // Without this only a window that was hidden counts, not one that another covers.
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
        // Files change without an event, so what comes into view is asked again, from what is known.
        refetchOnMount: 'always',
        refetchOnWindowFocus: 'always',
        refetchOnReconnect: false,
        networkMode: 'always',
      },
    },
  })
  const ofAreas = (areas: readonly string[] | undefined) => ({
    predicate: ({ queryKey: [method] }: { queryKey: readonly unknown[] }) =>
      !areas || areasRead(String(method)).some(area => areas.includes(area)),
  })
  return {
    queries,
    ask(method, given, signal) {
      const call = client[method] as (given: unknown, how: object) => Promise<never>
      return attemptCall(call(given, signal ? { signal } : {}))
    },
    areOld: areas => void queries.invalidateQueries(ofAreas(areas)),
    // An event of the same change may have begun to ask already.
    renew: areas => queries.invalidateQueries(ofAreas(areas), { cancelRefetch: false }),
    put: (method, given, change) =>
      void queries.setQueryData([method, given], (known: Outcome<never> | undefined) =>
        known?.ok ? { ok: true, value: change(known.value) } : known,
      ),
  }
}
