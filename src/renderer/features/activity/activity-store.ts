import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  ActivityItem,
  LearningRule,
  LearningSettings,
  LearningWeek,
  Proposal,
} from '../../../shared/contract/learning.ts'
import { attemptCall, newestOf, type Outcome } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import { keepEdits, readTexts } from '../../ui/typed-edits.ts'
import {
  initialActivity,
  isMeant,
  isUndoable,
  joinItems,
  keyOf,
  weekEnd,
  type ActivityState,
  type Edit,
  type Filter,
  type Tab,
  type UndoMany,
  type UndoWhat,
  type View,
} from './activity-state.ts'

/** Cards per request, and the host's maximum per request. */
const PAGE = 50
const MOST = 200
/** Maximum pages to load when counting what an undo would change. */
const MOST_PAGES = 20

type Undone = { count: number; left: readonly string[] }

export type ActivityStore = ActivityState & {
  load: () => Promise<void>
  loadMore: () => Promise<void>
  setTab: (tab: Tab) => void
  setFilter: (filter: Filter) => void
  select: (ids: readonly string[], selected: boolean) => void
  /** Toggle a card open or closed. */
  turn: (id: string) => void
  forgetWritten: () => void
  forgetLeft: () => void

  startEdit: (proposal: Proposal) => void
  changeEdit: (id: string, text: string) => void
  cancelEdit: (id: string) => void
  /** Accept a proposal with the edited text; true when the editor can close. */
  saveEdit: (id: string) => Promise<boolean>

  keep: (proposals: readonly Proposal[]) => Promise<Outcome<unknown>>
  reject: (ids: readonly string[], notAgain?: boolean) => Promise<Outcome<readonly LearningRule[]>>
  compareAgain: (id: string) => Promise<Outcome<unknown>>
  undo: (what: UndoWhat) => Promise<Outcome<Undone>>
  /** Count the cards an undo would change; `isAll` is false when the count stopped early. */
  count: (what: UndoMany, signal?: AbortSignal) => Promise<Outcome<{ count: number; isAll: boolean }>>
  /** Load pages until a week is covered; returns its newest item, if any. */
  reach: (from: number) => Promise<ActivityItem | undefined>
  /** Load and open a card or line; false when it does not exist. */
  reveal: (id: string) => Promise<boolean>

  review: (sessionId?: string) => Promise<Outcome<number>>
  cancel: (reviewId: string) => Promise<Outcome<unknown>>
  setSettings: (change: Partial<LearningSettings>) => Promise<Outcome<LearningSettings>>
  rules: (signal?: AbortSignal) => Promise<Outcome<readonly LearningRule[]>>
  addRule: (text: string) => Promise<Outcome<unknown>>
  removeRule: (id: string) => Promise<Outcome<unknown>>
  weeks: (signal?: AbortSignal) => Promise<Outcome<readonly LearningWeek[]>>
}

/** The state and host requests of the Activity page. It outlives the page, so drafts survive. */
export function createActivity({ client }: Pick<Link, 'client'>): StoreApi<ActivityStore> {
  const store = createStore<ActivityStore>((set, get) => {
    let lastLoad = 0

    const ask = (input: { filter: Filter; before?: number; limit: number }, signal?: AbortSignal) =>
      client['learning.activity'](input, signal ? { signal } : {})

    /** The next page. Items can share a timestamp, so the page starts at the last known one. */
    async function next(known: readonly ActivityItem[], filter: Filter, limit: number) {
      const { at } = known.at(-1)!
      const page = await ask({ filter, before: at + 1, limit })
      const items = joinItems(known, page.items)
      if (items.length > known.length || !page.more) return { items, more: page.more }
      const further = await ask({ filter, before: at, limit })
      return { items: joinItems(known, further.items), more: further.more }
    }

    /** Reload as many items as are shown. */
    async function fetchView(filter: Filter, count: number): Promise<View> {
      const first = await ask({ filter, limit: Math.min(MOST, Math.max(PAGE, count)) })
      let page: Pick<View, 'items' | 'more'> = first
      while (page.more && page.items.length < count)
        page = await next(page.items, filter, Math.min(MOST, count - page.items.length))
      return { ...first, items: page.items, more: page.more }
    }

    const load = newestOf(async isNewest => {
      lastLoad++
      const { filter, view } = get()
      const answer = await attemptCall(fetchView(filter, view?.items.length ?? 0))
      if (!isNewest()) return
      if (!answer.ok) return set({ problem: answer.fault.message })
      set(({ loads, selected, edits }) => {
        const open = new Set(answer.value.waiting.map(({ id }) => id))
        return {
          view: answer.value,
          loads: loads + 1,
          problem: null,
          selected: new Set([...selected].filter(id => open.has(id))),
          // Discard edits of proposals that were decided elsewhere.
          edits: Object.fromEntries(Object.entries(edits).filter(([id]) => open.has(id))),
        }
      })
    })

    /** Request a change, then reload, so the page matches the host even after an error. */
    async function changing<T>(asked: Promise<T>): Promise<Outcome<T>> {
      const answer = await attemptCall(asked)
      await load()
      return answer
    }

    /** Clear the filter and load pages until the condition holds. */
    async function loadUntil(isThere: (view: View) => boolean): Promise<View | null> {
      if (get().filter !== 'all') {
        set({ filter: 'all', selected: new Set() })
        await load()
      }
      // Another load may interfere. Stop after three rounds without new items.
      for (let idle = 0; idle < 3;) {
        const { view, loadMore } = get()
        if (!view?.more || isThere(view)) break
        await loadMore()
        idle = get().view?.items.length === view.items.length ? idle + 1 : 0
      }
      return get().view
    }

    const putEdit = (id: string, change: Partial<Edit>) =>
      set(({ edits }) => (edits[id] ? { edits: { ...edits, [id]: { ...edits[id], ...change } } } : {}))
    const dropEdit = (id: string) => set(({ edits: { [id]: _dropped, ...edits } }) => ({ edits }))

    return {
      ...initialActivity,
      load,
      async loadMore() {
        const { view, filter } = get()
        const turn = lastLoad
        if (!view?.more) return
        const answer = await attemptCall(next(view.items, filter, PAGE))
        // Discard this page if the list was reloaded or replaced meanwhile.
        if (turn !== lastLoad || get().view !== view) return
        set(
          answer.ok
            ? { view: { ...view, ...answer.value }, problem: null }
            : { problem: answer.fault.message },
        )
      },
      setTab: tab => set({ tab }),
      setFilter(filter) {
        set({ filter, selected: new Set() })
        void load()
      },
      select: (ids, isSelected) =>
        set(({ selected }) => {
          const chosen = new Set(ids)
          const others = [...selected].filter(id => !chosen.has(id))
          return { selected: new Set(isSelected ? [...others, ...ids] : others) }
        }),
      turn: id =>
        set(({ turned }) => {
          const next = new Set(turned)
          if (!next.delete(id)) next.add(id)
          return { turned: next }
        }),
      forgetWritten: () => set({ written: [] }),
      forgetLeft: () => set({ left: [] }),

      startEdit: ({ id, after, seen }) =>
        set(({ edits }) => ({
          edits: { ...edits, [id]: edits[id] ?? { text: after ?? '', seen, saving: false, problem: null } },
        })),
      changeEdit: (id, text) => putEdit(id, { text, problem: null }),
      cancelEdit: dropEdit,
      async saveEdit(id) {
        const edit = get().edits[id]
        if (!edit || edit.saving || edit.text.trim() === '') return false
        putEdit(id, { saving: true, problem: null })
        const kept = await attemptCall(
          client['learning.keep']({ ids: [id], seen: { [id]: edit.seen }, text: edit.text }),
        )
        if (kept.ok) dropEdit(id)
        else putEdit(id, { saving: false, problem: kept.fault.message })
        await load()
        return kept.ok
      },

      keep: proposals =>
        changing(
          client['learning.keep']({
            ids: proposals.map(({ id }) => id),
            seen: Object.fromEntries(proposals.map(({ id, seen }) => [id, seen])),
          }),
        ),
      async reject(ids, notAgain = false) {
        const answer = await changing(client['learning.reject']({ ids: [...ids], notAgain }))
        if (!answer.ok) return answer
        const { rules } = answer.value
        if (rules.length > 0) set({ written: rules })
        return { ok: true, value: rules }
      },
      compareAgain: id => changing(client['learning.compareAgain']({ id })),
      async undo(what) {
        const answer = await changing(client['learning.undo']({ what }))
        if (!answer.ok) return answer
        const { memoryRevisions, skillRevisions, left } = answer.value
        set({ left })
        return { ok: true, value: { count: memoryRevisions.length + skillRevisions.length, left } }
      },
      async count(what, signal) {
        let items: readonly ActivityItem[] = []
        let more = true
        for (let pages = 0; more && pages < MOST_PAGES; pages++) {
          const answer = await attemptCall<Pick<View, 'items' | 'more'>>(
            items.length === 0 ? ask({ filter: 'all', limit: MOST }, signal) : next(items, 'all', MOST),
          )
          if (!answer.ok) return answer
          if (signal?.aborted) break
          const { length } = items
          items = answer.value.items
          // Stop when a page adds nothing new or reaches items older than the period.
          more = answer.value.more && items.length > length
          if (what.by === 'since' && (items.at(-1)?.at ?? 0) < what.at) more = false
        }
        const count = items.filter(item => isUndoable(item) && isMeant(item, what)).length
        return { ok: true, value: { count, isAll: !more } }
      },
      async reach(from) {
        const isOver = ({ items }: View) => (items.at(-1)?.at ?? 0) < from
        const view = await loadUntil(isOver)
        return view?.items.find(({ at }) => at >= from && at < weekEnd(from))
      },
      async reveal(id) {
        const isWaiting = ({ waiting }: View) => waiting.some(each => each.id === id)
        const isPast = ({ items }: View) => items.some(item => keyOf(item) === id)
        const view = await loadUntil(view => isWaiting(view) || isPast(view))
        if (!view || !(isWaiting(view) || isPast(view))) return false
        // Waiting cards are open by default.
        const others = [...get().turned].filter(each => each !== id)
        set({ tab: 'cards', turned: new Set(isWaiting(view) ? others : [...others, id]) })
        return true
      },

      async review(sessionId) {
        const answer = await changing(client['learning.review'](sessionId === undefined ? {} : { sessionId }))
        return answer.ok ? { ok: true, value: answer.value.queued } : answer
      },
      cancel: reviewId => changing(client['learning.cancel']({ reviewId })),
      async setSettings(change) {
        const { view } = get()
        // Optimistic update; the host's response overrides it.
        if (view) set({ view: { ...view, settings: { ...view.settings, ...change } } })
        return changing(client['learning.settings'](change))
      },
      async rules(signal) {
        const answer = await attemptCall(client['learning.rules']({}, signal ? { signal } : {}))
        return answer.ok ? { ok: true, value: answer.value.rules } : answer
      },
      addRule: text => changing(client['learning.addRule']({ text })),
      async removeRule(id) {
        const answer = await changing(client['learning.removeRule']({ id }))
        set(({ written }) => ({ written: written.filter(rule => rule.id !== id) }))
        return answer
      },
      async weeks(signal) {
        const answer = await attemptCall(client['learning.weeks']({ limit: 104 }, signal ? { signal } : {}))
        return answer.ok ? { ok: true, value: answer.value.weeks } : answer
      },
    }
  })
  keepEdits<Edit, ActivityStore>(store, 'proposal', {
    whole: kept => {
      const edit = readTexts(kept, 'text', 'seen')
      return edit && { ...edit, saving: false, problem: null }
    },
    isChanged: () => true,
  })
  return store
}
