import type { Message, ToolCall } from '../../shared/contract/chats/messages.ts'
import type { Clock } from '../lib/timing.ts'
import type { Store } from '../db/store.ts'

/** Upper bound on the calls of one reply. */
const TAIL = 1_000

/**
 * End the runs that a crash or power cut left open. Store a result for each of their open calls that says
 * what happened, so that the history is valid again. Returns the number of runs.
 */
export function endInterruptedRuns(store: Pick<Store, 'runs' | 'messages'>, now: Clock): number {
  const left = store.runs.closeLeftOpen()
  for (const { sessionId } of left) closeOpenCalls(store.messages, sessionId, now)
  return left.length
}

/** Store a result for each call at the end of a history that has none; returns those results. */
export function closeOpenCalls(messages: Store['messages'], sessionId: string, now: Clock): Message[] {
  // Fast path: nearly every history ends with an answer.
  const [newest] = messages.page(sessionId, { limit: 1 }).messages
  if (!newest || newest.role === 'user' || (newest.role === 'assistant' && newest.calls.length === 0))
    return []

  const tail = messages.page(sessionId, { limit: TAIL }).messages
  const at = tail.findLastIndex(message => message.role !== 'tool')
  const reply = tail[at]
  if (reply?.role !== 'assistant') return []
  // Only look after the reply, because servers reuse call ids in later replies.
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
        text: leftBehind(call),
        durationMs: 0,
        record: { decision: 'stopped' },
      }),
    )
}

/** A server's program may have done all of it, and the model must know that the call was not repeated. */
const leftBehind = ({ name }: ToolCall): string =>
  name === 'use_tool' || name.startsWith('mcp__')
    ? 'Error: The turn broke off before this call had a result. It may have acted; the call was not repeated.'
    : 'Error: The turn broke off before this call had a result. It may have run in part.'
