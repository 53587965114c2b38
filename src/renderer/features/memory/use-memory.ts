import { useStore, type StoreApi } from 'zustand'
import type {
  MemoryEntry,
  MemoryRevision,
  MemoryView,
  WaitingFile,
} from '../../../shared/contract/learned/memory.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { createPageContext, useAnswers } from '../../rpc/host-context.tsx'
import { usePages, type Paged } from '../../rpc/use-answer.ts'
import { copyText } from '../../ui/IconButton.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { plural } from '../../ui/text/format-values.ts'
import type { Place } from './memory-state.ts'
import type { MemoryStore } from './memory-store.ts'
import { leaveEntries } from './entries/entry-focus.ts'

const placeNames = { user: 'About you', memory: 'Notes, everywhere' }

type MemoryOfPage = {
  store: StoreApi<MemoryStore>
  /** Null until the host has responded. */
  view: MemoryView | null
  /** Why the last read failed. */
  problem: string | null
}

export const [MemoryContext, useMemoryPage] = createPageContext<MemoryOfPage>(
  'Part of the memory page was rendered outside MemoryPage.',
)

/** Select part of what is open and typed; the component re-renders only when that part changes. */
export const useMemory = <T>(select: (memory: MemoryStore) => T): T => useStore(useMemoryPage().store, select)

/** The host's latest answer about the memory; null before the first one. */
export const useView = (): MemoryView | null => useMemoryPage().view

/** An entry by its id; undefined if it does not exist. */
export const useEntry = (id: string | null): MemoryEntry | undefined =>
  useView()?.entries.find(entry => entry.id === id)

/** How many items a list requests at a time. */
export const PAGE = 50

/** The revisions of one entry or of all, newest first. */
export const useRevisions = (entryId?: string): Paged<MemoryRevision> =>
  usePages(
    'memory.history',
    (known: readonly MemoryRevision[]) => ({ entryId, limit: PAGE, before: known.at(-1)?.id }),
    ({ revisions: items, more }) => ({ items, more }),
  )

/** The label of a place. */
export function usePlaceName(): (place: Place) => string {
  const projects = useView()?.projects
  return ({ target, project }) => {
    if (project === null) return placeNames[target]
    const name = projects?.find(each => each.id === project)?.name
    return name === undefined ? 'Notes of an unknown folder or project' : `Notes of ${name}`
  }
}

/** All places that hold entries, in the order of the tabs. */
export function usePlaces(): readonly Place[] {
  const projects = useView()?.projects
  return [
    { target: 'user', project: null },
    { target: 'memory', project: null },
    ...(projects ?? []).map(({ id }): Place => ({ target: 'memory', project: id })),
  ]
}

/** How long the toast offers Undo, in ms. */
const UNDO_MS = 10_000

type Changed = Outcome<readonly MemoryRevision[]>

/** Changes to entries, without toasts. After each, what is shown matches the host, even after an error. */
export function useMemoryChanges() {
  const { ask, renew } = useAnswers()
  async function change(asked: Promise<Outcome<{ revisions: MemoryRevision[] }>>): Promise<Changed> {
    const answer = await asked
    await renew(['memory'])
    return answer.ok ? { ok: true, value: answer.value.revisions } : answer
  }
  return {
    ask,
    change,
    /** Restore an entry from the archive, unchanged. */
    async bringBack(entryId: string): Promise<Changed> {
      const last = await ask('memory.history', { entryId, limit: 1 })
      if (!last.ok) return last
      return change(
        ask('memory.restore', { revisionId: last.value.revisions[0]?.id ?? 0, version: 'before' }),
      )
    },
  }
}

const asSeen = ({ id, text }: MemoryEntry) => ({ id, expected: text })

/** Actions on entries. A toast reports each result and offers Undo. */
export function useMemoryActions() {
  const { select } = useMemoryPage().store.getState()
  const { ask, change, bringBack } = useMemoryChanges()
  const placeName = usePlaceName()

  /** Show the result; true on success. */
  function tell(answer: Changed, said?: string): boolean {
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    else if (said !== undefined && answer.value.length > 0) {
      const ids = answer.value.map(revision => revision.id)
      const back = async () => tell(await change(ask('memory.undo', { revisionIds: ids })))
      showToast(said, { ms: UNDO_MS, action: { label: 'Undo', run: () => void back() } })
    }
    return answer.ok
  }

  return {
    async remove(ids: readonly string[]) {
      leaveEntries(ids)
      return tell(
        await change(ask('memory.remove', { ids: [...ids] })),
        plural(ids.length, 'The entry was moved to the archive.', 'entries were moved to the archive.'),
      )
    },
    async move(ids: readonly string[], place: Place) {
      leaveEntries(ids)
      const to = placeName(place)
      const said = plural(ids.length, `Moved to ${to}.`, `entries were moved to ${to}.`)
      const moved = tell(await change(ask('memory.move', { ids: [...ids], ...place })), said)
      if (moved) select(ids, false)
      return moved
    },
    /**
     * Merge two entries: set the text of the first and archive the other. Pass both as the user saw them. Errors go to the dialog,
     * which keeps the text.
     */
    async merge(kept: MemoryEntry, other: MemoryEntry, text: string) {
      const answer = await change(ask('memory.merge', { keep: asSeen(kept), others: [asSeen(other)], text }))
      if (answer.ok) tell(answer, 'The two entries were merged.')
      return answer
    },
    lock: async (ids: readonly string[], locked: boolean) =>
      tell(await change(ask('memory.lock', { ids: [...ids], locked }))),
    async undo(revisionId: number) {
      const answer = await change(ask('memory.undo', { revisionIds: [revisionId] }))
      if (answer.ok && answer.value.length === 0) showToast('Already undone.')
      else if (tell(answer)) showToast('Undone.')
    },
    restore: async (revision: MemoryRevision, version: 'before' | 'after') =>
      tell(
        await change(ask('memory.restore', { revisionId: revision.id, version })),
        'This version was restored.',
      ),
    bringBack: async (entry: MemoryEntry) => tell(await bringBack(entry.id), 'The entry was restored.'),
    async resolve(outsideId: string, keep: 'theirs' | 'ours') {
      const said = {
        theirs: 'The file stays as the other program left it.',
        ours: 'The earlier version was restored.',
      }
      if (tell(await change(ask('memory.resolve', { id: outsideId, keep })))) showToast(said[keep])
    },
    /** Choose the content of a waiting file, as it was shown. */
    async settle(
      { id, seen }: WaitingFile,
      keep: 'mine' | 'theirs' | 'both' | 'these',
      entries: readonly string[],
    ) {
      const answer = await change(ask('memory.settle', { id, seen, keep, entries: [...entries] }))
      if (tell(answer, 'Your choice was saved.') && answer.ok && answer.value.length === 0)
        showToast('Nothing needed to change.')
    },
    /** Also returns the result: on an error the dialog stays open and shows it. */
    async forgetAll() {
      const answer = await change(ask('memory.forgetAll', { word: 'forget' }))
      if (!answer.ok) return answer
      const said = plural(
        answer.value.length,
        'Everything was forgotten. The entry is in the archive.',
        'entries were moved to the archive.',
      )
      tell(answer, said)
      return answer
    },
    async copy(text: string) {
      if (await copyText(text)) showToast('Copied.')
    },
  }
}

/**
 * Save an edit; true when the editor can close. `overTheirs` overwrites a concurrent change, and is set only after the user has seen
 * that change.
 */
export function useSaveEdit(): (id: string, overTheirs?: boolean) => Promise<boolean> {
  const { store, view } = useMemoryPage()
  const { queries } = useAnswers()
  const { ask, change } = useMemoryChanges()
  const { changeEdit, endEdit } = store.getState()

  return async (id, overTheirs = false) => {
    const edit = store.getState().edits[id]
    if (!edit || edit.saving) return false
    const { target, project } = edit.entry
    const present = view?.entries.find(entry => entry.id === id)
    const text = edit.text.trim()
    if (present?.text !== edit.before && !overTheirs) return false
    if (present?.text !== text) {
      changeEdit(id, { saving: true, problem: null })
      const saved = await (present
        ? change(ask('memory.edit', { id, text, expected: present.text }))
        : change(ask('memory.add', { target, project, text })))
      if (!saved.ok) {
        // For a concurrent change the editor offers a choice, which helps more than this error text.
        const known = queries.getQueryData<Outcome<MemoryView>>(['memory.view', {}])
        const isOvertaken =
          saved.fault.code === 'conflict' &&
          known?.ok &&
          known.value.entries.find(entry => entry.id === id)?.text !== present?.text
        changeEdit(id, { saving: false, problem: isOvertaken ? null : saved.fault.message })
        return false
      }
    }
    endEdit(id)
    return true
  }
}
