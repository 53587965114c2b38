import type { ChangedFile, FileStep } from '../../shared/contract/changed-files.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { MemoryRevision } from '../../shared/contract/memory.ts'
import type { LeftMessage } from '../db/branches.ts'
import type { FileChange } from '../db/file-changes.ts'
import type { Store } from '../db/store.ts'

/** The files that chats changed, as far as going back needs them. */
export type FilesOfChats = {
  list(
    sessionId: string,
    looking: { isOnPath(change: FileChange): boolean; matters?(change: FileChange): boolean },
  ): Promise<ChangedFile[]>
  restore(
    sessionId: string,
    steps: readonly FileStep[],
  ): Promise<Awaited<ReturnType<HostHandlers['files.restore']>>>
}

/** Tools whose effects nobody can undo: commands, and what servers do. */
const COMMANDS = /^(?:terminal|use_tool|mcp__.*)$/
/** Why a call did nothing: it never ran, or it only read. */
const HARMLESS = /^(?:denied|not run|stopped$|reading in the workspace|a command that only reads)/
const MOST_REVISIONS = 200

/** How many commands and calls of servers ran in a part of a chat that may have changed something. */
export const commandsIn = (left: readonly LeftMessage[]): number =>
  left.filter(({ name, allowed }) => COMMANDS.test(name ?? '') && !HARMLESS.test(allowed ?? '')).length

/**
 * What the agent changed in its memory while a part of a chat was written, newest first, unless it was undone. A change names
 * the question of its turn. An answer may be left while its question stays and has other answers, so the time decides then.
 */
export function memoryOf(
  { memory }: Pick<Store, 'memory'>,
  sessionId: string,
  left: readonly LeftMessage[],
): MemoryRevision[] {
  const first = left[0]
  if (!first) return []
  const ids = new Set(left.map(({ id }) => id))
  const asked = left.findIndex(({ role, steered }) => role === 'user' && !steered)
  const answer = asked === -1 ? left : left.slice(0, asked)
  const last = answer.at(-1)
  return memory
    .history({ sessionId, limit: MOST_REVISIONS })
    .revisions.filter(({ actor, undoneBy, undoes, messageId, at }) => {
      if (actor !== 'agent' || undoneBy !== null || undoes !== null || messageId === null) return false
      return (
        ids.has(messageId) || (last !== undefined && messageId < first.id && at >= first.at && at <= last.at)
      )
    })
}
