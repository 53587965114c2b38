import type { ChangedFile, FileStep } from '../../shared/contract/chats/changed-files.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { MemoryRevision } from '../../shared/contract/learned/memory.ts'
import type { SkillRevision } from '../../shared/contract/learned/skills.ts'
import { mayHaveChanged } from '../../shared/words/call-words.ts'
import type { LeftMessage } from '../db/chats/branch-tables.ts'
import type { FileChange } from '../db/chats/file-change-tables.ts'
import type { Store } from '../db/store.ts'

/** The files that chats changed, as far as going back to an earlier message needs them. */
export type FilesOfChats = {
  list(
    sessionId: string,
    looking: { isOnPath(change: FileChange): boolean; matters?(change: FileChange): boolean },
  ): Promise<ChangedFile[]>
  /** Return the files that these calls changed, and what undoing would do to each. */
  listOf(sessionId: string, calls: ReadonlySet<string>): Promise<ChangedFile[]>
  /** Give a copied chat the old file contents that its log refers to. */
  share(fromId: string, toId: string): Promise<void>
  restore(
    sessionId: string,
    steps: readonly FileStep[],
    obeyed?: boolean,
  ): Promise<Awaited<ReturnType<HostHandlers['files.restore']>>>
}

/** Tools whose effects cannot be undone: commands, and calls of servers. */
const COMMANDS = /^(?:terminal|use_tool|mcp__.*)$/
const MOST_REVISIONS = 200

/** Count the commands and server calls in a part of a chat that may have changed something. */
export const commandsIn = (left: readonly LeftMessage[]): number =>
  left.filter(({ name, record }) => COMMANDS.test(name ?? '') && record !== null && mayHaveChanged(record))
    .length

/** A change with its author and cause; the same for memory and skills. */
type Change = Pick<MemoryRevision, 'actor' | 'at' | 'messageId' | 'reviewId' | 'undoes' | 'undoneBy'>

/**
 * Return whether a change was made by the agent in a part of a chat, or by a review of that part, and was not
 * undone. A change names the question of its turn. If an answer was left but its question stays with other
 * answers, the time decides. A review's change without a source counts for the newest message that it read.
 */
function madeIn({ learning }: Pick<Store, 'learning'>, left: readonly LeftMessage[]) {
  const first = left[0]
  const ids = new Set(left.map(({ id }) => id))
  const asked = left.findIndex(({ role, steered }) => role === 'user' && !steered)
  const last = (asked === -1 ? left : left.slice(0, asked)).at(-1)
  return ({ actor, at, messageId, reviewId, undoes, undoneBy }: Change): boolean => {
    if (!first || undoneBy !== null || undoes !== null) return false
    if (actor === 'review') return ids.has(messageId ?? learning.review(reviewId ?? '')?.upToId ?? 0)
    if (actor !== 'agent' || messageId === null) return false
    return (
      ids.has(messageId) || (last !== undefined && messageId < first.id && at >= first.at && at <= last.at)
    )
  }
}

/** Return the memory changes made for a part of a chat that were not undone, newest first. */
export const memoryOf = (
  store: Pick<Store, 'learning' | 'memory'>,
  sessionId: string,
  left: readonly LeftMessage[],
): MemoryRevision[] =>
  store.memory.history({ sessionId, limit: MOST_REVISIONS }).revisions.filter(madeIn(store, left))

/** Return the same for skills. Switching a skill on or off does not change its text, so it is left out. */
export const skillsOf = (
  store: Pick<Store, 'learning' | 'skills'>,
  sessionId: string,
  left: readonly LeftMessage[],
): SkillRevision[] =>
  store.skills
    .history({ sessionId, limit: MOST_REVISIONS })
    .revisions.filter(({ op }) => !SWITCHES.has(op))
    .filter(madeIn(store, left))
    .map(({ skillId: _skillId, archive: _archive, ...revision }) => revision)

const SWITCHES: ReadonlySet<SkillRevision['op']> = new Set(['enable', 'disable', 'pin', 'unpin'])
