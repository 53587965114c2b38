import { isTemporaryId } from '../../../../../shared/text/temporary-chats.ts'
import type { LoadedModel } from '../process/load-model.ts'

/** Difference between the timestamps of saved chats, so that the folder's limits delete the oldest first. */
const apartMs = 1_000

/**
 * Save the evaluated tokens of the chats before the engine ends. Newest first, because there may not be time
 * for all. Every token counts here: tokens that are not saved are evaluated again.
 */
export async function keepChats(
  { pool, states, writer }: Pick<LoadedModel, 'pool' | 'states' | 'writer'>,
  signal: AbortSignal,
): Promise<void> {
  if (!states) return
  const now = Date.now()
  for (const [rank, { sequence, sessionId }] of pool.held.entries()) {
    if (signal.aborted) break
    if (isTemporaryId(sessionId)) continue
    const { contextTokens } = sequence
    // With any next token appended: the store always leaves the last token to be evaluated.
    const longer = [...contextTokens, ...contextTokens.slice(0, 1)]
    if ((await states.covered(sequence, longer, sessionId)) >= contextTokens.length) continue
    const chat = { sessionId, replies: writer.kept(sessionId) ?? [] }
    await states.save(sequence, 'chat', chat, now - rank * apartMs)
    // Finish writing this state before the next one begins.
    await states.close()
  }
}
