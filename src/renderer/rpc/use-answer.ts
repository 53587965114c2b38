import { keepPreviousData, useInfiniteQuery, useIsFetching, useQuery } from '@tanstack/react-query'
import type { Answer, Given, Method } from './answers.ts'
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
}

/**
 * The newest answer of the host to a call that reads. It is asked again when one of the areas that it reads has changed, when it comes
 * into view and when the window gets the focus; until then the old answer stays, also while what is asked changes. Undefined before the
 * first.
 */
export function useAnswer<M extends Method>(
  method: M,
  given: Given<M>,
  { isOff = false, isBrief = false, by, isTold = false }: How = {},
): Outcome<Answer<M>> | undefined {
  const answers = useAnswers()
  return useQuery({
    queryKey: [method, by ?? given],
    queryFn: ({ signal }) => answers.ask(method, given, signal),
    enabled: !isOff,
    placeholderData: keepPreviousData,
    // Nobody tells that what was known by something earlier has grown old.
    ...((isBrief || by !== undefined) && { gcTime: 0 }),
    ...(isTold && { refetchOnMount: true, refetchOnWindowFocus: false }),
  }).data
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
 * in an answer. What was read is read again when it has changed.
 */
export function usePages<M extends Method, T>(
  method: M,
  next: (known: readonly T[]) => Given<M>,
  pageOf: (answer: Answer<M>) => Pages<T>,
): Paged<T> {
  const answers = useAnswers()
  const query = useInfiniteQuery({
    queryKey: [method, next([])],
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
