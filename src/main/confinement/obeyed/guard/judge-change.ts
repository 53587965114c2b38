import { join } from 'node:path'
import { MOST_BOUND } from '../../bubblewrap.ts'
import { isWithin, type Access, type MayWriteObeyed as MayWrite } from '../../profile.ts'
import type { Difference } from './compare-obeyed.ts'
import { isHarmlessGitChange } from '../git/harmless-git.ts'
import { parentIds, type ObeyedEntry, type ObeyedState } from '../obeyed-state.ts'

/** How to handle a change: ignore it, report it, move the file aside, or put the old file back. */
export type Fate = 'quiet' | 'stands' | 'aside' | 'back'

/** Which obeyed files a command with this access may write. With full access, it is only watched. */
export const mayWriteWith = (access: Access): MayWrite =>
  access === 'unconfined' ? 'all' : access.profile === 'work' ? access.obeyed : 'nothing'

/** Whether a right covers a file of tier 1. */
const mayWriteEntry = (may: MayWrite, { by }: ObeyedEntry): boolean =>
  may === 'all' || (may === 'git' && by === 'git')

/** The paths that a confined command cannot write, because they are mounted over. */
export function findHeld({ facts, git, root }: ObeyedState): HeldPaths {
  const idsOf = parentIds(root)
  const paths = [...facts.obeyed.slice(0, MOST_BOUND), ...facts.hidden.map(({ path }) => path), ...git.held]
  return new Map(paths.map(path => [path, idsOf(join(path, 'x'))]))
}

/** Each path with the ids of the folders that lead to its content. */
export type HeldPaths = ReadonlyMap<string, string>

export type Circumstances = {
  root: string
  /** The git folders that existed before. */
  known: readonly string[]
  /** The rights of this command, and those of all others in the folder. */
  may: MayWrite
  othersMay: readonly MayWrite[]
  held: HeldPaths
  /** Files that were replaced from outside during the run, so that nothing is mounted over the new ones. */
  uncovered: ReadonlySet<string>
  /** Files in folders that were replaced from outside, so that nothing is mounted over them any more. */
  elsewhere: ReadonlySet<string>
}

/** Decide how to handle a change of an obeyed file. */
export function judgeChange(difference: Difference, around: Circumstances): Fate {
  const entry = difference.after ?? difference.before
  if (entry.tier === 2 || mayWriteEntry(around.may, entry)) return 'stands'
  if (around.othersMay.some(may => mayWriteEntry(may, entry))) return 'quiet'
  // A deleted file starts nothing.
  if (difference.how === 'gone') return 'stands'
  const { root, known } = around
  const texts = [textOf(difference.before), textOf(difference.after)] as const
  const isHarmless =
    entry.by === 'git' && isHarmlessGitChange(entry.path, ...texts, { known, written: [root] })
  if (difference.how === 'new') {
    // A confined program cannot create a file in a folder under a mount.
    if (isHarmless || isInHeld(entry.path, around)) return 'quiet'
    return difference.isMoved ? 'stands' : 'aside'
  }
  const { before, after } = difference
  const wasHeld =
    !around.elsewhere.has(before.path) && [...around.held.keys()].some(path => isWithin(path, before.path))
  // The path leads through other folders now, or the file was written under another name.
  if (!wasHeld || before.parents !== after.parents || (before.id === after.id && after.links > 1))
    return 'back'
  if (before.id === after.id) {
    // A confined program could not write the file, so an editor or the user's own git did.
    if (!around.uncovered.has(before.path) || isHarmless) return 'quiet'
    return 'back'
  }
  // A confined program cannot replace a file under a mount.
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
