import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'

/**
 * Create the part that closes abandoned HTTP requests. The SDK notifies the server and stops waiting, but
 * leaves requests of the older era open, and no other time limit closes them.
 */
export function createHangUps() {
  const asked = new Map<RequestId, AbortController>()
  return {
    /** Return the signal for a new request; `given` is its own signal, if it has one. */
    signalFor(message: JSONRPCMessage, given?: AbortSignal): AbortSignal | undefined {
      if (!('method' in message && 'id' in message)) return given
      const hangUp = new AbortController()
      asked.set(message.id, hangUp)
      return given ? AbortSignal.any([given, hangUp.signal]) : hangUp.signal
    },
    /** Close a request if this message, which was sent, cancels it. */
    afterSending(message: JSONRPCMessage): void {
      if (!('method' in message) || message.method !== 'notifications/cancelled') return
      const id = message.params?.['requestId']
      if (typeof id !== 'string' && typeof id !== 'number') return
      asked.get(id)?.abort()
      asked.delete(id)
    },
    /** Handle a message from the server. An answered request needs no closing. */
    onAnswer(message: JSONRPCMessage): void {
      if (!('method' in message) && message.id !== undefined) asked.delete(message.id)
    },
    /** Handle a failed request, which needs no closing either. */
    onFailed(message: JSONRPCMessage): void {
      if ('method' in message && 'id' in message) asked.delete(message.id)
    },
  }
}
