import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'

/**
 * Ends requests over HTTP that were given up. The SDK tells the server so and does not wait any more, but leaves the older era's
 * requests open, and no other limit of time ends them.
 */
export function createHangUps() {
  const asked = new Map<RequestId, AbortController>()
  return {
    /** The signal of a request that is sent now; `given` is its own, if it has one. */
    signalFor(message: JSONRPCMessage, given?: AbortSignal): AbortSignal | undefined {
      if (!('method' in message && 'id' in message)) return given
      const hangUp = new AbortController()
      asked.set(message.id, hangUp)
      return given ? AbortSignal.any([given, hangUp.signal]) : hangUp.signal
    },
    /** Hang up if this message, which was sent, says that a request was given up. */
    afterSending(message: JSONRPCMessage): void {
      if (!('method' in message) || message.method !== 'notifications/cancelled') return
      const id = message.params?.['requestId']
      if (typeof id !== 'string' && typeof id !== 'number') return
      asked.get(id)?.abort()
      asked.delete(id)
    },
    /** A message arrived; if it is an answer, its request needs no end. */
    onAnswer(message: JSONRPCMessage): void {
      if (!('method' in message) && message.id !== undefined) asked.delete(message.id)
    },
    /** A request that failed needs no end either. */
    onFailed(message: JSONRPCMessage): void {
      if ('method' in message && 'id' in message) asked.delete(message.id)
    },
  }
}
