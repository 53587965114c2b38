import type { ScheduleFileChange } from '../../../shared/contract/schedules.ts'
import type { FileChangeStore } from '../../db/file-changes.ts'

/** The files that the chat of a run changed, for the person. */
export function fileChanges(
  store: Pick<FileChangeStore, 'list'>,
  sessionId: string | null,
): ScheduleFileChange[] {
  if (sessionId === null) return []
  const byPath = Map.groupBy(store.list(sessionId), ({ path }) => path)
  return [...byPath].flatMap(([path, changes]) => {
    const before = changes[0]!.beforeHash
    const after = changes.at(-1)!
    const isUndone = after.callId === null && after.afterHash === before
    // A file that was left as it was is none that was changed.
    if (after.afterHash === before && !isUndone) return []
    return [{ path, kind: before === null ? 'created' : 'changed', undone: isUndone }]
  })
}
