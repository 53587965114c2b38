import type { ChangedFile, FileStep } from '../../shared/contract/chats/changed-files.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { MemoryRevision } from '../../shared/contract/learned/memory.ts'
import type { SkillRevision } from '../../shared/contract/learned/skills.ts'
import { mayHaveChanged } from '../../shared/words/call-words.ts'
import type { LeftMessage } from '../db/chats/branch-tables.ts'
import type { FileChange } from '../db/chats/file-change-tables.ts'
import type { Store } from '../db/store.ts'

/** The files that chats changed, as far as going back needs them. */
export type FilesOfChats = {
  list(
    sessionId: string,
    looking: { isOnPath(change: FileChange): boolean; matters?(change: FileChange): boolean },
  ): Promise<ChangedFile[]>
  /** The files that these calls changed, and what taking that back makes of them. */
  listOf(sessionId: string, calls: ReadonlySet<string>): Promise<ChangedFile[]>
  /** Give a copy of a chat the old contents of files that its log names. */
  share(fromId: string, toId: string): Promise<void>
  restore(
    sessionId: string,
    steps: readonly FileStep[],
    obeyed?: boolean,
  ): Promise<Awaited<ReturnType<HostHandlers['files.restore']>>>
}

/** Tools whose effects nobody can undo: commands, and what servers do. */
const COMMANDS = /^(?:terminal|use_tool|mcp__.*)$/
const MOST_REVISIONS = 200

/** How many commands and calls of servers ran in a part of a chat that may have changed something. */
export const commandsIn = (left: readonly LeftMessage[]): number =>
  left.filter(({ name, record }) => COMMANDS.test(name ?? '') && record !== null && mayHaveChanged(record))
    .length

/** A change that names who made it and for what; the same for memory and for skills. */
type Change = Pick<MemoryRevision, 'actor' | 'at' | 'messageId' | 'reviewId' | 'undoes' | 'undoneBy'>

/**
 * Whether a change was made while a part of a chat was written, by the agent or by a review of that part, and was not undone.
 * A change names the question of its turn. An answer may be left while its question stays and has other answers, so the time
 * decides then. What a review changed without a source belongs to the newest message that it read.
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

/** What was changed in memory for a part of a chat and was not undone, newest first. */
export const memoryOf = (
  store: Pick<Store, 'learning' | 'memory'>,
  sessionId: string,
  left: readonly LeftMessage[],
): MemoryRevision[] =>
  store.memory.history({ sessionId, limit: MOST_REVISIONS }).revisions.filter(madeIn(store, left))

/** The same for skills. Switching a skill on or off does not change its text, so it is left out. */
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
