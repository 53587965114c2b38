import { useStore, type StoreApi } from 'zustand'
import type { MemoryEntry, MemoryRevision, WaitingFile } from '../../../shared/contract/memory.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { createPageContext } from '../../rpc/host-context.tsx'
import { copyText } from '../../ui/IconButton.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { countOf, plural } from '../../ui/format.ts'
import type { Place } from './memory-state.ts'
import type { MemoryStore } from './memory-store.ts'
import { leaveEntries } from './entry-focus.ts'

const placeNames = { user: 'About you', memory: 'Notes, everywhere' }

/** The store of the page, for code that does not render. */
export const [MemoryContext, useMemoryStore] = createPageContext<StoreApi<MemoryStore>>(
  'A part of the memory was drawn outside of MemoryPage.',
)

/** Select part of the memory; the component re-renders only when that part changes. */
export const useMemory = <T>(select: (memory: MemoryStore) => T): T => useStore(useMemoryStore(), select)

/** An entry by its id; undefined when it does not exist. */
export const useEntry = (id: string | null): MemoryEntry | undefined =>
  useMemory(memory => memory.view?.entries.find(entry => entry.id === id))

/** The label of a place. */
export function usePlaceName(): (place: Place) => string {
  const projects = useMemory(memory => memory.view?.projects)
  return ({ target, project }) => {
    if (project === null) return placeNames[target]
    const name = projects?.find(each => each.id === project)?.name
    return name === undefined ? 'Notes of a folder that is no longer known' : `Notes of ${name}`
  }
}

/** All places that hold entries, in the order of the tabs. */
export function usePlaces(): readonly Place[] {
  const projects = useMemory(memory => memory.view?.projects)
  return [
    { target: 'user', project: null },
    { target: 'memory', project: null },
    ...(projects ?? []).map(({ id }): Place => ({ target: 'memory', project: id })),
  ]
}

/** How long the toast offers Undo, in ms. */
const UNDO_MS = 10_000

type Answer = Outcome<readonly MemoryRevision[]>

/** Actions on entries. A toast reports each result and offers Undo. */
export function useMemoryActions() {
  const { remove, move, merge, lock, undo, restore, bringBack, resolve, settle, forgetAll, select } =
    useMemoryStore().getState()
  const placeName = usePlaceName()

  /** Show the result; true on success. */
  function tell(answer: Answer, said?: string): boolean {
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    else if (said !== undefined && answer.value.length > 0) {
      const ids = answer.value.map(revision => revision.id)
      const back = async () => tell(await undo(ids))
      showToast(said, { ms: UNDO_MS, action: { label: 'Undo', run: () => void back() } })
    }
    return answer.ok
  }

  return {
    async remove(ids: readonly string[]) {
      leaveEntries(ids)
      return tell(
        await remove(ids),
        plural(ids.length, 'The entry was moved to the archive.', 'entries were moved to the archive.'),
      )
    },
    async move(ids: readonly string[], place: Place) {
      leaveEntries(ids)
      const to = placeName(place)
      const said = plural(ids.length, `Moved to ${to}.`, `entries were moved to ${to}.`)
      const moved = tell(await move(ids, place), said)
      if (moved) select(ids, false)
      return moved
    },
    /** Errors go to the dialog, which keeps the text. */
    async merge(kept: MemoryEntry, other: MemoryEntry, text: string) {
      const answer = await merge(kept, other, text)
      if (answer.ok) tell(answer, 'The two entries were merged.')
      return answer
    },
    lock: async (ids: readonly string[], locked: boolean) => tell(await lock(ids, locked)),
    async undo(revisionId: number) {
      const answer = await undo([revisionId])
      if (answer.ok && answer.value.length === 0) showToast('Already undone.')
      else if (tell(answer)) showToast('Undone.')
    },
    restore: async (revision: MemoryRevision, version: 'before' | 'after') =>
      tell(await restore(revision.id, version), 'This version was restored.'),
    bringBack: async (entry: MemoryEntry) => tell(await bringBack(entry.id), 'The entry was restored.'),
    async resolve(outsideId: string, keep: 'theirs' | 'ours') {
      const said = {
        theirs: 'The file stays as the other program left it.',
        ours: 'The earlier version was restored.',
      }
      if (tell(await resolve(outsideId, keep))) showToast(said[keep])
    },
    async settle(file: WaitingFile, keep: 'mine' | 'theirs' | 'both' | 'these', entries: readonly string[]) {
      const answer = await settle(file, keep, entries)
      if (tell(answer, 'Your choice was carried out.') && answer.ok && answer.value.length === 0)
        showToast('Nothing had to be changed.')
    },
    /** Also returns the result: on an error the dialog stays open and shows it. */
    async forgetAll() {
      const answer = await forgetAll()
      if (!answer.ok) return answer
      const count = countOf(answer.value.length, 'entry is', 'entries are')
      tell(answer, `Everything was forgotten: ${count} in the archive.`)
      return answer
    },
    async copy(text: string) {
      if (await copyText(text)) showToast('Copied.')
    },
  }
}
