import type { FileChange } from '../db/file-changes.ts'

/** What should become of a file: nothing, nothing because something else changed it, or another content (null: no file). */
export type Fate = 'as it should be' | 'changed since' | { target: string | null }

/** The changes of each file, oldest first. */
export const changesByFile = (changes: readonly FileChange[]): FileChange[][] => [
  ...Map.groupBy(changes, ({ path }) => path).values(),
]

/**
 * Judge a file by all changes that a chat made to it and by the hash of what it is now. Back from the newest change as long as
 * each began with what the one before left: what lies before that was changed by something else, and is not undone. In this
 * part the last change on the path says what the file should be; without one, what it was before all of them.
 */
export function fateOf(
  changes: readonly FileChange[],
  now: string | null,
  isOnPath: (change: FileChange) => boolean,
): Fate {
  const made = withoutUnmade(changes, now)
  const last = made.at(-1)
  if (!last) return 'as it should be'
  if (last.afterHash !== now)
    return last.callId === null || isOnPath(last) ? 'as it should be' : 'changed since'
  let start = made.length - 1
  while (start > 0 && made[start - 1]!.afterHash === made[start]!.beforeHash) start--
  const chain = made.slice(start)
  const here = chain.findLast(change => change.callId !== null && isOnPath(change))
  const target = here ? here.afterHash : chain[0]!.beforeHash
  return target === now ? 'as it should be' : { target }
}

/** A change is noted before it is made, so a crash may have noted one that never was: the file then is as before it. */
function withoutUnmade(changes: readonly FileChange[], now: string | null): FileChange[] {
  const made: FileChange[] = []
  let next = now
  for (const change of changes.toReversed()) {
    const isUnmade = change.afterHash !== next && change.beforeHash === next
    if (!isUnmade) made.push(change)
    next = isUnmade ? next : change.beforeHash
  }
  return made.toReversed()
}
