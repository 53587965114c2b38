import { createStore, type StoreApi } from 'zustand/vanilla'
import {
  MemoryEntry,
  type MemoryRevision,
  type MemoryTarget,
  type WaitingFile,
} from '../../../shared/contract/memory.ts'
import type { Message } from '../../../shared/contract/messages.ts'
import { attemptCall, newestOf, type Outcome } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import { keepEdits, readTexts } from '../../ui/typed-edits.ts'
import {
  filterEntries,
  initialMemory,
  noFilters,
  withView,
  type Edit,
  type Filters,
  type MemoryState,
  type Place,
  type Tab,
} from './memory-state.ts'

type Changed = Promise<Outcome<readonly MemoryRevision[]>>

type Paged<T> = Promise<Outcome<{ items: readonly T[]; more: boolean }>>

export type MemoryStore = MemoryState & {
  load: () => Promise<void>
  setTab: (tab: Tab) => void
  filter: (change: Partial<Filters>) => void
  /** Show an entry: switch to its tab and clear the filters that hide it. */
  reveal: (entry: MemoryEntry) => void
  select: (ids: readonly string[], selected: boolean) => void
  draft: (target: MemoryTarget, text: string) => void

  startEdit: (entry: MemoryEntry) => void
  changeEdit: (id: string, text: string) => void
  cancelEdit: (id: string) => void
  /**
   * Save the edit; true when the editor can close. `overTheirs` overwrites a concurrent change,
   * and is set only after the user has seen that change.
   */
  saveEdit: (id: string, overTheirs?: boolean) => Promise<boolean>

  add: (place: Place, text: string) => Changed
  remove: (ids: readonly string[]) => Changed
  lock: (ids: readonly string[], locked: boolean) => Changed
  move: (ids: readonly string[], place: Place) => Changed
  /** Merge two entries: set the text of the first and archive the other. Pass both as the user saw them. */
  merge: (kept: MemoryEntry, other: MemoryEntry, text: string) => Changed
  undo: (revisionIds: readonly number[]) => Changed
  restore: (revisionId: number, version: 'before' | 'after') => Changed
  /** Restore an entry from the archive, unchanged. */
  bringBack: (entryId: string) => Changed
  resolve: (outsideId: string, keep: 'theirs' | 'ours') => Changed
  /** Choose what a file that waits shall hold, as it was shown. */
  settle: (
    file: WaitingFile,
    keep: 'mine' | 'theirs' | 'both' | 'these',
    entries: readonly string[],
  ) => Changed
  forgetAll: () => Changed
  setSwitches: (change: { useInChats?: boolean; learnFromChats?: boolean }) => Promise<Outcome<unknown>>

  history: (
    of: { entryId?: string; before?: number; limit?: number },
    signal?: AbortSignal,
  ) => Paged<MemoryRevision>
  archive: (of: { query: string; offset: number; limit: number }, signal?: AbortSignal) => Paged<MemoryEntry>
  preview: (
    workspace: string | undefined,
    signal?: AbortSignal,
  ) => Promise<Outcome<{ text: string; tokens: number }>>
  /** The message an entry was learned from; null when it was deleted. */
  message: (sessionId: string, messageId: number, signal?: AbortSignal) => Promise<Outcome<Message | null>>
}

const asSeen = ({ id, text }: MemoryEntry) => ({ id, expected: text })

/** The state and host requests of the Memory page. It outlives the page, so drafts survive. */
export function createMemory({ client }: Pick<Link, 'client'>): StoreApi<MemoryStore> {
  const store = createStore<MemoryStore>((set, get) => {
    const load = newestOf(async isNewest => {
      const answer = await attemptCall(client['memory.view']({}))
      if (!isNewest()) return
      if (answer.ok) set(state => withView(state, answer.value, Date.now()))
      else set({ problem: answer.fault.message })
    })

    /** Request a change, then reload, so the page matches the host even after an error. */
    async function changing(asked: Promise<{ revisions: MemoryRevision[] }>): Changed {
      const answer = await attemptCall(asked)
      await load()
      return answer.ok ? { ok: true, value: answer.value.revisions } : answer
    }

    const putEdit = (id: string, change: Partial<Edit>) =>
      set(({ edits }) => (edits[id] ? { edits: { ...edits, [id]: { ...edits[id], ...change } } } : {}))
    const dropEdit = (id: string) => set(({ edits: { [id]: _dropped, ...edits } }) => ({ edits }))

    return {
      ...initialMemory,
      load,
      setTab: tab => set({ tab, selected: new Set() }),
      filter: change => set(({ filters }) => ({ filters: { ...filters, ...change }, selected: new Set() })),
      reveal: entry =>
        set(state => ({
          tab: entry.target,
          filters: filterEntries([entry], state).length > 0 ? state.filters : noFilters,
        })),
      select: (ids, isSelected) =>
        set(({ selected }) => {
          const chosen = new Set(ids)
          const others = [...selected].filter(id => !chosen.has(id))
          return { selected: new Set(isSelected ? [...others, ...ids] : others) }
        }),
      draft: (target, text) => set(({ drafts }) => ({ drafts: { ...drafts, [target]: text } })),

      startEdit: entry =>
        set(({ edits }) => ({
          edits: {
            ...edits,
            [entry.id]: edits[entry.id] ?? {
              entry,
              before: entry.text,
              text: entry.text,
              saving: false,
              problem: null,
            },
          },
        })),
      changeEdit: (id, text) => putEdit(id, { text, problem: null }),
      cancelEdit: dropEdit,
      async saveEdit(id, overTheirs = false) {
        const edit = get().edits[id]
        if (!edit || edit.saving) return false
        const present = get().view?.entries.find(entry => entry.id === id)
        const text = edit.text.trim()
        if (present?.text !== edit.before && !overTheirs) return false
        if (present?.text === text) {
          dropEdit(id)
          return true
        }
        putEdit(id, { saving: true, problem: null })
        const { target, project } = edit.entry
        const saved = await changing(
          present
            ? client['memory.edit']({ id, text, expected: present.text })
            : client['memory.add']({ target, project, text }),
        )
        if (saved.ok) dropEdit(id)
        else {
          // For a concurrent change the editor offers a choice, which helps more than this error text.
          const now = get().view?.entries.find(entry => entry.id === id)
          const overtaken = saved.fault.code === 'conflict' && now?.text !== present?.text
          putEdit(id, { saving: false, problem: overtaken ? null : saved.fault.message })
        }
        return saved.ok
      },

      add: ({ target, project }, text) => changing(client['memory.add']({ target, project, text })),
      remove: ids => changing(client['memory.remove']({ ids: [...ids] })),
      lock: (ids, locked) => changing(client['memory.lock']({ ids: [...ids], locked })),
      move: (ids, { target, project }) => changing(client['memory.move']({ ids: [...ids], target, project })),
      merge: (kept, other, text) =>
        changing(client['memory.merge']({ keep: asSeen(kept), others: [asSeen(other)], text })),
      undo: revisionIds => changing(client['memory.undo']({ revisionIds: [...revisionIds] })),
      restore: (revisionId, version) => changing(client['memory.restore']({ revisionId, version })),
      async bringBack(entryId) {
        const last = await attemptCall(client['memory.history']({ entryId, limit: 1 }))
        if (!last.ok) return last
        const [revision] = last.value.revisions
        return changing(client['memory.restore']({ revisionId: revision?.id ?? 0, version: 'before' }))
      },
      resolve: (id, keep) => changing(client['memory.resolve']({ id, keep })),
      settle: ({ id, seen }, keep, entries) =>
        changing(client['memory.settle']({ id, seen, keep, entries: [...entries] })),
      forgetAll: () => changing(client['memory.forgetAll']({ word: 'forget' })),
      async setSwitches(change) {
        const answer = await attemptCall(client['memory.setSwitches'](change))
        await load()
        return answer
      },

      async history(of, signal) {
        const answer = await attemptCall(client['memory.history'](of, signal ? { signal } : {}))
        if (!answer.ok) return answer
        return { ok: true, value: { items: answer.value.revisions, more: answer.value.more } }
      },
      async archive(of, signal) {
        const answer = await attemptCall(client['memory.archive'](of, signal ? { signal } : {}))
        if (!answer.ok) return answer
        return { ok: true, value: { items: answer.value.entries, more: answer.value.more } }
      },
      preview: (workspace, signal) =>
        attemptCall(
          client['memory.preview'](workspace === undefined ? {} : { workspace }, signal ? { signal } : {}),
        ),
      async message(sessionId, messageId, signal) {
        const page = await attemptCall(
          client['session.messages'](
            { id: sessionId, before: messageId + 1, limit: 1 },
            signal ? { signal } : {},
          ),
        )
        if (!page.ok) return page
        const [message] = page.value.messages
        return { ok: true, value: message?.id === messageId ? message : null }
      },
    }
  })
  keepEdits<Edit, MemoryStore>(store, 'memory', {
    whole: kept => {
      const edit = readTexts(kept, 'before', 'text')
      const entry = MemoryEntry.safeParse(Object(kept).entry)
      return edit && entry.success ? { ...edit, entry: entry.data, saving: false, problem: null } : undefined
    },
    isChanged: ({ text, before }) => text !== before,
  })
  return store
}
