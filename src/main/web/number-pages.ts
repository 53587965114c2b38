import type { Message } from '../../shared/contract/chats/messages.ts'

/** Most chats whose numbers are held. */
const MOST_CHATS = 200

/**
 * The numbers by which answers of a chat cite pages: the same address has the same number in all of the chat, also after a restart,
 * when they are read from what is stored with its calls.
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

/** Gives the number of a page in a chat. */
export type NumberOf = ReturnType<typeof numberPages>
