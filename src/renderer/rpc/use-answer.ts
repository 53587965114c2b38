import {
  CancelledError,
  keepPreviousData,
  useInfiniteQuery,
  useIsFetching,
  useQuery,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Fault } from '../../shared/rpc.ts'
import type { Answer, Answers, Given, Method } from './answers.ts'
import type { Outcome } from './attempt.ts'
import { useAnswers } from './host-context.tsx'

type How = {
  /** Do not call the host. A cached answer is still returned. */
  isOff?: boolean
  /** Drop the answer as soon as nothing shows it, such as a large one. */
  isBrief?: boolean
  /** What the answer depends on besides the areas, instead of the input. A change repeats the call. */
  by?: string
  /** Every change is reported, so coming into view or gaining focus triggers no call. */
  isTold?: boolean
  /** The call is slow or uses the network, so it is made only once while shown. */
  isOnce?: boolean
}

/**
 * The newest answer of the host to a reading call. The call is repeated when one of its areas has changed,
 * when it comes into view, and when the window gains focus. The old answer stays until the next one, even if
 * the input changes. Undefined before the first.
 */
export function useAnswer<M extends Method>(
  method: M,
  given: Given<M>,
  { isOff = false, isBrief = false, by, isTold = false, isOnce = false }: How = {},
): Outcome<Answer<M>> | undefined {
  const answers = useAnswers()
  return useQuery({
    queryKey: [method, by ?? given],
    queryFn: ({ signal }) => answers.ask(method, given, signal),
    enabled: !isOff,
    placeholderData: keepPreviousData,
    // Nothing reports when an answer for an earlier `by` becomes stale.
    ...((isBrief || isOnce || by !== undefined) && { gcTime: 0 }),
    ...((isTold || isOnce) && { refetchOnMount: true, refetchOnWindowFocus: false }),
  }).data
}

/** The newest answer that was not a fault, which stays shown beside a fault; null before the first. */
export function useLastValue<T>(value: T | undefined): T | null {
  const [last, setLast] = useState<T | null>(value ?? null)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}

/** A read that takes several calls. The key starts with their method, and a fault is thrown. */
export type Reading<T> = {
  queryKey: readonly [Method, ...unknown[]]
  queryFn: (how: { signal: AbortSignal }) => Promise<T> | T
}

/** Like `useAnswer`, but the old value stays shown beside the problem. */
export function useReading<T>(
  reading: Reading<T>,
  { isBrief = false }: Pick<How, 'isBrief'> = {},
): { value: T | undefined; problem: string | null } {
  const { data, error } = useQuery({ ...reading, ...(isBrief && { gcTime: 0 }) })
  return { value: data, problem: error === null ? null : error.message }
}

/** Read a value now, or with `mayBeKnown` from the cache. Undefined on failure, or if no longer shown. */
export async function readNow<T>(
  { queries }: Answers,
  reading: Reading<T>,
  mayBeKnown: boolean,
): Promise<T | undefined> {
  try {
    return await queries.fetchQuery({ ...reading, staleTime: mayBeKnown ? Infinity : 0 })
  } catch (error) {
    if (error instanceof Fault || error instanceof CancelledError) return undefined
    throw error
  }
}

/** Whether a call of this method is in progress. */
export const useIsAsked = (method: Method): boolean => useIsFetching({ queryKey: [method] }) > 0

type Pages<T> = { items: readonly T[]; more: boolean }

/** A list that is read page by page. */
export type Paged<T> = {
  /** Undefined before the first answer. */
  items: readonly T[] | undefined
  more: boolean
  problem: string | null
  loadMore(): Promise<unknown>
}

/**
 * A list of the host that is read page by page. `next` returns the input for the page after the known items,
 * `pageOf` the page in an answer, and `by` what it depends on besides the areas. Loaded pages are read again
 * when they have changed.
 */
export function usePages<M extends Method, T>(
  method: M,
  next: (known: readonly T[]) => Given<M>,
  pageOf: (answer: Answer<M>) => Pages<T>,
  by = '',
): Paged<T> {
  const answers = useAnswers()
  const query = useInfiniteQuery({
    queryKey: [method, next([]), by],
    initialPageParam: [] as readonly T[],
    queryFn: async ({ pageParam, signal }) => {
      const answer = await answers.ask(method, next(pageParam), signal)
      if (!answer.ok) throw answer.fault
      return pageOf(answer.value)
    },
    getNextPageParam: (last, pages) => (last.more ? pages.flatMap(({ items }) => items) : undefined),
    placeholderData: keepPreviousData,
  })
  return {
    items: query.data?.pages.flatMap(({ items }) => items),
    more: query.hasNextPage,
    problem: query.error === null ? null : query.error.message,
    loadMore: query.fetchNextPage,
  }
}

/** Debounces a value: returns the newest one after it has been stable for `ms`. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
