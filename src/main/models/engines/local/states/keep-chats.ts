import { isTemporaryId } from '../../../../../shared/text/temporary-chats.ts'
import type { LoadedModel } from '../process/load-model.ts'

/** Chats are told apart by when they were used, so that the limits of the folder delete the oldest first. */
const apartMs = 1_000

/**
 * Save what the chats have read before the engine ends, the newest first, because there may not be time for all. Every
 * token counts here: what is not saved is evaluated again.
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
    // Any next token: the store leaves the last one to be evaluated.
    const longer = [...contextTokens, ...contextTokens.slice(0, 1)]
    if ((await states.covered(sequence, longer, sessionId)) >= contextTokens.length) continue
    const chat = { sessionId, replies: writer.kept(sessionId) ?? [] }
    await states.save(sequence, 'chat', chat, now - rank * apartMs)
    // Whole, before the next one begins.
    await states.close()
  }
}
