import type { FileChange } from '../db/chats/file-change-tables.ts'

/** What should become of a file: nothing, nothing because something else changed it, or another content (null: no file). */
export type GoingBack = 'as it should be' | 'changed since' | { target: string | null }

/** The changes of each file, oldest first. */
export const changesByFile = (changes: readonly FileChange[]): FileChange[][] => [
  ...Map.groupBy(changes, ({ path }) => path).values(),
]

/**
 * Judge a file by all changes that a chat made to it and by the hash of what it is now. Back from the newest change as long as
 * each began with what the one before left: what lies before that was changed by something else, and is not undone. In this
 * part the last change on the path says what the file should be; without one, what it was before all of them.
 */
export function contentAfterGoingBack(
  changes: readonly FileChange[],
  now: string | null,
  isOnPath: (change: FileChange) => boolean,
): GoingBack {
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

/** Why the changes of some calls cannot be taken back, or what the file becomes (null: no file). */
export type TakingBack =
  | 'not theirs'
  | 'as before'
  | 'changed since'
  | 'changed by a later answer'
  | 'changed on another branch'
  | { target: string | null }

/** A change that a file holds now, and those below it; without `change` something else wrote to it there. */
type Held = { change?: FileChange; under: Held | undefined }

/**
 * Judge a file by what certain calls did to it: back from what it is now, as long as the changes are theirs, it becomes what it was
 * before the first of these. What restoring took off is not held any more, and what it put back is again: both are known by the
 * hash, as contents that the file had.
 */
export function contentBeforeCalls(
  changes: readonly FileChange[],
  now: string | null,
  isOfCalls: (change: FileChange) => boolean,
): TakingBack {
  let top: Held | undefined
  let theirs: Held | undefined
  /** The contents that the file had, each with what it held then. */
  const known = new Map<string | null, Held | undefined>()
  const reach = (content: string | null) => {
    if (!known.has(content)) known.set(content, { under: top })
    top = known.get(content)
  }
  known.set(changes[0]?.beforeHash ?? null, undefined)
  for (const change of changes) {
    reach(change.beforeHash)
    if (change.callId === null) {
      reach(change.afterHash)
      continue
    }
    top = { change, under: top }
    known.set(change.afterHash, top)
    if (isOfCalls(change)) theirs = top
  }
  reach(now)
  if (!theirs) return 'not theirs'
  const isTheirs = (held: Held | undefined) => held?.change !== undefined && isOfCalls(held.change)
  const before = (from: Held) => {
    let first = from
    while (isTheirs(first.under)) first = first.under!
    return first.change!.beforeHash
  }
  if (top && isTheirs(top)) {
    const target = before(top)
    return target === now ? 'as before' : { target }
  }
  if (now === before(theirs)) return 'as before'
  const isLater = top?.change !== undefined && top.change.id > theirs.change!.id
  if (isLater) return top!.change!.isOnPath ? 'changed by a later answer' : 'changed on another branch'
  // Restoring took off more than their changes, such as those of a whole branch.
  const last = changes.at(-1)!
  return last.callId === null && last.afterHash === now && isOlder(top) ? 'as before' : 'changed since'
}

/** Whether a content is one that a file had before some calls: what something else wrote may be of any time. */
const isOlder = (top: Held | undefined): boolean => !top || top.change !== undefined

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
