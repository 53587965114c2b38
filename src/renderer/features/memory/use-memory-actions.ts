import type { MemoryEntry, MemoryRevision } from '../../../shared/contract/memory.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { copyText } from '../../ui/CopyButton.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useMemoryStore, usePlaceName } from './memory-context.ts'
import type { Place } from './memory-state.ts'
import { leaveEntries } from './rows.ts'
import { memoryText } from './strings.ts'

/** How long a change can be undone from the corner. */
const UNDO_MS = 10_000

type Answer = Outcome<readonly MemoryRevision[]>

/** What can be done with entries; each change says in the corner what came of it, with a way back. */
export function useActions() {
  const { remove, move, merge, lock, undo, restore, bringBack, resolve, forgetAll, select } =
    useMemoryStore().getState()
  const placeName = usePlaceName()

  /** True when it worked. */
  function tell(answer: Answer, said?: string): boolean {
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    else if (said !== undefined && answer.value.length > 0) {
      const ids = answer.value.map(revision => revision.id)
      const back = async () => tell(await undo(ids))
      showToast(said, { ms: UNDO_MS, action: { label: memoryText.undo, run: () => void back() } })
    }
    return answer.ok
  }
  const { done } = memoryText

  return {
    async remove(ids: readonly string[]) {
      leaveEntries(ids)
      return tell(await remove(ids), done.removed(ids.length))
    },
    async move(ids: readonly string[], place: Place) {
      leaveEntries(ids)
      const moved = tell(await move(ids, place), done.moved(ids.length, placeName(place)))
      if (moved) select(ids, false)
      return moved
    },
    /** What went wrong is for the dialog, which keeps what was written. */
    async merge(kept: MemoryEntry, other: MemoryEntry, text: string) {
      const answer = await merge(kept, other, text)
      if (answer.ok) tell(answer, done.merged)
      return answer
    },
    lock: async (ids: readonly string[], locked: boolean) => tell(await lock(ids, locked)),
    async undo(revisionId: number) {
      const answer = await undo([revisionId])
      if (answer.ok && answer.value.length === 0) showToast(done.nothing)
      else if (tell(answer)) showToast(done.undone)
    },
    restore: async (revision: MemoryRevision, version: 'before' | 'after') =>
      tell(await restore(revision.id, version), done.version),
    bringBack: async (entry: MemoryEntry) => tell(await bringBack(entry.id), done.restored),
    async resolve(outsideId: string, keep: 'theirs' | 'ours') {
      if (tell(await resolve(outsideId, keep))) showToast(keep === 'theirs' ? done.kept : done.ours)
    },
    /** The answer goes to the dialog as well, which stays open with the sentence when it did not work. */
    async forgetAll() {
      const answer = await forgetAll()
      if (answer.ok) tell(answer, done.forgotten(answer.value.length))
      return answer
    },
    async copy(text: string) {
      const copied = await copyText(text)
      showToast(copied ? memoryText.row.copied : memoryText.row.copyFailed, {
        level: copied ? 'info' : 'error',
      })
    },
  }
}
