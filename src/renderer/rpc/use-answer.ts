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
  /** Do not ask. What is known is shown all the same. */
  isOff?: boolean
  /** Forget the answer as soon as nothing shows it, such as a large one. */
  isBrief?: boolean
  /** What the answer depends on besides the areas, instead of what is given. It is asked again when this changes. */
  by?: string
  /** Every change is told, so that coming into view and the focus ask nothing. */
  isTold?: boolean
  /** It takes long or reaches out, so that it is asked once for what is shown. */
  isOnce?: boolean
}

/**
 * The newest answer of the host to a call that reads. It is asked again when one of the areas that it reads has changed, when it comes
 * into view and when the window gets the focus; until then the old answer stays, also while what is asked changes. Undefined before the
 * first.
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
    // Nobody tells that what was known by something earlier has grown old.
    ...((isBrief || isOnce || by !== undefined) && { gcTime: 0 }),
    ...((isTold || isOnce) && { refetchOnMount: true, refetchOnWindowFocus: false }),
  }).data
}

/** The newest answer that was no fault, which stays shown beside a fault; null before the first. */
export function useLastValue<T>(value: T | undefined): T | null {
  const [last, setLast] = useState<T | null>(value ?? null)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}

/** What takes several calls to read; the first of the key is their method, and a fault is thrown. */
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

/** Read it now, unless it is known and `mayBeKnown`; undefined when it fails, or when nobody shows it any more. */
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

/** Whether the host is being asked this now. */
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
 * A list of the host that is read page by page. `next` gives what is asked for the page after the items that are known, `pageOf` the page
 * in an answer, `by` what it depends on besides the areas. What was read is read again when it has changed.
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
