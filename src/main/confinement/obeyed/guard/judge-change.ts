import { join } from 'node:path'
import { MOST_BOUND } from '../../bubblewrap.ts'
import { isWithin, type Access, type MayWriteObeyed as MayWrite } from '../../profile.ts'
import type { Difference } from './compare-obeyed.ts'
import { isHarmlessGitChange } from '../git/harmless-git.ts'
import { parentIds, type ObeyedEntry, type ObeyedState } from '../obeyed-state.ts'

/** What becomes of a change: nobody needs to know, it is told, or the file is put aside or back as it was. */
export type Fate = 'quiet' | 'stands' | 'aside' | 'back'

/** What a command that runs like this may write. What runs with all rights is only watched. */
export const mayWriteWith = (access: Access): MayWrite =>
  access === 'unconfined' ? 'all' : access.profile === 'work' ? access.obeyed : 'nothing'

/** Whether a right covers a file of tier 1. */
const mayWriteEntry = (may: MayWrite, { by }: ObeyedEntry): boolean =>
  may === 'all' || (may === 'git' && by === 'git')

/** The paths that a command without rights cannot write, because something lies over them. */
export function findHeld({ facts, git, root }: ObeyedState): HeldPaths {
  const idsOf = parentIds(root)
  const paths = [...facts.obeyed.slice(0, MOST_BOUND), ...facts.hidden.map(({ path }) => path), ...git.held]
  return new Map(paths.map(path => [path, idsOf(join(path, 'x'))]))
}

/** Each with the folders that led to what is in it. */
export type HeldPaths = ReadonlyMap<string, string>

export type Circumstances = {
  root: string
  /** The git folders that were there before. */
  known: readonly string[]
  /** What this command and all others in the folder may write. */
  may: MayWrite
  othersMay: readonly MayWrite[]
  held: HeldPaths
  /** Files that somebody outside replaced while this ran; what lay over them went with the old ones. */
  uncovered: ReadonlySet<string>
  /** Files to which other folders lead now; what lay over them went with the renamed ones. */
  elsewhere: ReadonlySet<string>
}

/** Decide what becomes of a change of a file that somebody obeys. */
export function judgeChange(difference: Difference, around: Circumstances): Fate {
  const entry = difference.after ?? difference.before
  if (entry.tier === 2 || mayWriteEntry(around.may, entry)) return 'stands'
  if (around.othersMay.some(may => mayWriteEntry(may, entry))) return 'quiet'
  // What is gone starts nothing.
  if (difference.how === 'gone') return 'stands'
  const { root, known } = around
  const texts = [textOf(difference.before), textOf(difference.after)] as const
  const isHarmless =
    entry.by === 'git' && isHarmlessGitChange(entry.path, ...texts, { known, written: [root] })
  if (difference.how === 'new') {
    // Nothing inside can make a file in a folder under a mount.
    if (isHarmless || isInHeld(entry.path, around)) return 'quiet'
    return difference.isMoved ? 'stands' : 'aside'
  }
  const { before, after } = difference
  const wasHeld =
    !around.elsewhere.has(before.path) && [...around.held.keys()].some(path => isWithin(path, before.path))
  // Other folders lead to it now, or another name of the file was written to.
  if (!wasHeld || before.parents !== after.parents || (before.id === after.id && after.links > 1))
    return 'back'
  if (before.id === after.id) {
    // Nothing inside could write to it: that was an editor, or the person's own git.
    if (!around.uncovered.has(before.path) || isHarmless) return 'quiet'
    return 'back'
  }
  // Nothing inside can replace a file under a mount.
  return isHarmless ? 'quiet' : 'stands'
}

function isInHeld(path: string, { held, root }: Circumstances): boolean {
  const idsOf = parentIds(root)
  return [...held].some(
    ([folder, ids]) => folder !== path && isWithin(folder, path) && idsOf(join(folder, 'x')) === ids,
  )
}

const textOf = (entry: ObeyedEntry | undefined) =>
  entry?.content && Buffer.from(entry.content).toString('utf8')
