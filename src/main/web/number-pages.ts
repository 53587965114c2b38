import type { Message } from '../../shared/contract/chats/messages.ts'

/** Maximum number of chats whose numbers are remembered. */
const MOST_CHATS = 200

/**
 * Number the pages that answers of a chat cite. An address keeps its number for the whole chat, even after a
 * restart, because numbers are stored with the chat's calls.
 */
export function numberPages(messagesOf: (sessionId: string) => readonly Message[]) {
  const chats = new Map<string, Map<string, number>>()

  function numbersOf(sessionId: string): Map<string, number> {
    const known = chats.get(sessionId)
    if (known) return known
    const numbers = new Map<string, number>()
    for (const message of messagesOf(sessionId))
      for (const { address, n } of (message.role === 'tool' && message.record.web?.pages) || [])
        if (n !== undefined) numbers.set(address, n)
    chats.set(sessionId, numbers)
    const [oldest] = chats.keys()
    if (chats.size > MOST_CHATS && oldest !== undefined) chats.delete(oldest)
    return numbers
  }

  return (sessionId: string, address: string): number => {
    const numbers = numbersOf(sessionId)
    const known = numbers.get(address)
    if (known !== undefined) return known
    const next = Math.max(0, ...numbers.values()) + 1
    numbers.set(address, next)
    return next
  }
}

/** Returns the number of a page in a chat. */
export type NumberOf = ReturnType<typeof numberPages>
