import type { FileChange } from '../db/chats/file-change-tables.ts'

/** The effect of going back on a file: none, none since others changed it, or new content (null: no file). */
export type GoingBack = 'as it should be' | 'changed since' | { target: string | null }

/** The changes of each file, oldest first. */
export const changesByFile = (changes: readonly FileChange[]): FileChange[][] => [
  ...Map.groupBy(changes, ({ path }) => path).values(),
]

/**
 * Judge a file by all changes of a chat and by the hash of its present content. Only the newest chain counts,
 * in which each change begins with what the previous one left; before that, something else changed the file.
 * The last change on the path decides the content. Without one, it is the content before the chain.
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

/** Why the changes of some calls cannot be undone, or the new content (null: no file). */
export type TakingBack =
  | 'not theirs'
  | 'as before'
  | 'changed since'
  | 'changed by a later answer'
  | 'changed on another branch'
  | { target: string | null }

/** A change that the file still contains, with the earlier ones. Without `change`, others wrote the file. */
type Held = { change?: FileChange; under: Held | undefined }

/**
 * Judge a file by what certain calls did to it. Walk back from the present content while the changes are
 * theirs; the target is the content before the first of these. Restoring removes changes and puts others
 * back, which is recognised by the hash of a content that the file had before.
 */
export function contentBeforeCalls(
  changes: readonly FileChange[],
  now: string | null,
  isOfCalls: (change: FileChange) => boolean,
): TakingBack {
  let top: Held | undefined
  let theirs: Held | undefined
  /** Earlier contents of the file, each with the changes that it contained. */
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
  // Restoring undid more than these calls, such as a whole branch.
  const last = changes.at(-1)!
  return last.callId === null && last.afterHash === now && isOlder(top) ? 'as before' : 'changed since'
}

/** Whether a content is from before the calls. What something else wrote may be from any time. */
const isOlder = (top: Held | undefined): boolean => !top || top.change !== undefined

/** Drop changes that were noted but never made because of a crash: the file is still as before them. */
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
