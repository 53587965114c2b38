import type { Message } from '../../shared/contract/messages.ts'
import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/types.ts'

/** More calls than one reply ever has. */
const TAIL = 1_000

/**
 * End the runs that a crash or a power cut left open, and give their calls without a result one that says what happened,
 * so that each history is legal again. Returns how many runs were healed.
 */
export function healLeftOpen(store: Pick<Store, 'runs' | 'messages'>, now: Clock): number {
  const left = store.runs.closeLeftOpen()
  for (const { sessionId } of left) answerOpenCalls(store.messages, sessionId, now)
  return left.length
}

/** Give the calls that a history ends with and that have no result one each; returns those results. */
export function answerOpenCalls(messages: Store['messages'], sessionId: string, now: Clock): Message[] {
  // Nearly every history ends with an answer, and then there is nothing to read.
  const [newest] = messages.page(sessionId, { limit: 1 }).messages
  if (!newest || newest.role === 'user' || (newest.role === 'assistant' && newest.calls.length === 0))
    return []

  const tail = messages.page(sessionId, { limit: TAIL }).messages
  const at = tail.findLastIndex(message => message.role !== 'tool')
  const reply = tail[at]
  if (reply?.role !== 'assistant') return []
  // Only what follows the reply counts: servers use the same ids again in later replies.
  const answered = new Set(
    tail.slice(at + 1).flatMap(message => (message.role === 'tool' ? [message.callId] : [])),
  )
  return reply.calls
    .filter(call => !answered.has(call.id))
    .map(call =>
      messages.append({
        role: 'tool',
        sessionId,
        at: now(),
        callId: call.id,
        name: call.name,
        ok: false,
        text: 'Error: The turn broke off before this call had a result. It may have run in part.',
        durationMs: 0,
        allowed: 'stopped',
      }),
    )
}
