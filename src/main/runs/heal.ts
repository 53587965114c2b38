import type { Store } from '../store/types.ts'

/**
 * End the runs that a crash or a power cut left open, and give every call without a result one that says what happened,
 * so that each history is legal again. Returns how many runs were healed.
 */
export function healLeftOpen(store: Store, now: () => number): number {
  const left = store.runs.closeLeftOpen()
  for (const { sessionId } of left) {
    const history = store.messages.history(sessionId)
    const answered = new Set(history.flatMap(message => (message.role === 'tool' ? [message.callId] : [])))
    const last = history.findLast(message => message.role === 'assistant')
    for (const call of last?.calls ?? []) {
      if (answered.has(call.id)) continue
      store.messages.append({
        role: 'tool',
        sessionId,
        at: now(),
        callId: call.id,
        name: call.name,
        ok: false,
        text: 'Error: Talaria ended before this call had a result. It may have run in part.',
        durationMs: 0,
        allowed: 'not finished',
      })
    }
  }
  return left.length
}
