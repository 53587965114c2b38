import type { StoreApi } from 'zustand'
import type { ActivityItem } from '../../../shared/contract/learned/learning.ts'
import type { Answers, Given } from '../../rpc/answers.ts'
import { readNow, type Reading } from '../../rpc/use-answer.ts'
import {
  PAGE,
  isMeant,
  isUndoable,
  joinItems,
  keyOf,
  weekEnd,
  type Filter,
  type UndoSelection,
  type View,
} from './activity-state.ts'
import type { ActivityStore } from './activity-store.ts'

/** The host's maximum of cards per request. */
const MOST = 200
/** Maximum pages to load when counting what an undo would change. */
const MOST_PAGES = 20
/** How many times to double the number of items to search for one. */
const MOST_ROUNDS = 12

type Ask = Answers['ask']
type Part = Pick<View, 'items' | 'more'>

/** Read one page. Throws if the request fails. */
async function readPage(ask: Ask, given: Given<'learning.activity'>, signal?: AbortSignal): Promise<View> {
  const answer = await ask('learning.activity', given, signal)
  if (!answer.ok) throw answer.fault
  return answer.value
}

/**
 * Read the next page and add it to the known items. Items can share a timestamp, so the page starts at the
 * last known one.
 */
async function readNext(
  ask: Ask,
  known: readonly ActivityItem[],
  filter: Filter,
  limit: number,
  signal?: AbortSignal,
): Promise<Part> {
  const { at } = known.at(-1)!
  const page = await readPage(ask, { filter, before: at + 1, limit }, signal)
  const items = joinItems(known, page.items)
  if (items.length > known.length || !page.more) return { items, more: page.more }
  const further = await readPage(ask, { filter, before: at, limit }, signal)
  return { items: joinItems(known, further.items), more: further.more }
}

/** The query of the page. It loads as many items as the user has asked to see, also when it is read again. */
export function viewReading(
  { ask }: Pick<Answers, 'ask'>,
  store: StoreApi<ActivityStore>,
  filter: Filter,
): Reading<View> {
  return {
    queryKey: ['learning.activity', { filter }, 'view'],
    async queryFn({ signal }) {
      const { wanted } = store.getState()
      const first = await readPage(ask, { filter, limit: Math.min(MOST, wanted) }, signal)
      let page: Part = first
      while (page.more && page.items.length < wanted)
        page = await readNext(ask, page.items, filter, Math.min(MOST, wanted - page.items.length), signal)
      return { ...first, ...page }
    },
  }
}

/** The query that counts the cards an undo would change. `isAll` is false if the count stopped early. */
export function countReading(
  { ask }: Pick<Answers, 'ask'>,
  what: UndoSelection,
): Reading<{ count: number; isAll: boolean }> {
  return {
    queryKey: ['learning.activity', what, 'count'],
    async queryFn({ signal }) {
      let part: Part = { items: [], more: true }
      for (let pages = 0; part.more && pages < MOST_PAGES; pages++) {
        const { length } = part.items
        part =
          length === 0
            ? await readPage(ask, { filter: 'all', limit: MOST }, signal)
            : await readNext(ask, part.items, 'all', MOST, signal)
        // Stop when a page adds nothing new or reaches items older than the period.
        const isOver = what.by === 'since' && (part.items.at(-1)?.at ?? 0) < what.at
        if (isOver || part.items.length === length) part = { ...part, more: false }
      }
      const count = part.items.filter(item => isUndoable(item) && isMeant(item, what)).length
      return { count, isAll: !part.more }
    },
  }
}

/** Finds cards and lines of any age that may not be shown yet. */
export function createSearch(answers: Answers, store: StoreApi<ActivityStore>) {
  /**
   * Clear the filter and read more pages until the condition is met. Returns the last view that could be
   * read, if any.
   */
  async function readUntil(isThere: (view: View) => boolean): Promise<View | undefined> {
    const { filter, setFilter, setWanted } = store.getState()
    if (filter !== 'all') setFilter('all')
    const reading = viewReading(answers, store, 'all')
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const view = await readNow(answers, reading, round === 0)
      if (!view?.more || isThere(view)) break
      setWanted(Math.max(store.getState().wanted, 2 * view.items.length))
    }
    return answers.queries.getQueryData<View>(reading.queryKey)
  }

  return {
    /** Read until a week is covered. Returns its newest item, if any. */
    async reach(from: number): Promise<ActivityItem | undefined> {
      const view = await readUntil(({ items }) => (items.at(-1)?.at ?? 0) < from)
      return view?.items.find(({ at }) => at >= from && at < weekEnd(from))
    },
    /** Read and open a card or line; false if it does not exist. */
    async reveal(id: string): Promise<boolean> {
      const isWaiting = ({ waiting }: View) => waiting.some(each => each.id === id)
      const isPast = ({ items }: View) => items.some(item => keyOf(item) === id)
      const view = await readUntil(view => isWaiting(view) || isPast(view))
      if (!view || !(isWaiting(view) || isPast(view))) return false
      store.getState().reveal(id, isWaiting(view))
      return true
    },
    /** Read more items. */
    async readMore(): Promise<void> {
      const { filter, setWanted } = store.getState()
      const { queryKey } = viewReading(answers, store, filter)
      const known = answers.queries.getQueryData<View>(queryKey)
      setWanted((known?.items.length ?? 0) + PAGE)
      await answers.queries.refetchQueries({ queryKey })
    },
  }
}
