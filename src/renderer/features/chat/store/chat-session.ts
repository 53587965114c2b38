import type { StoreApi } from 'zustand/vanilla'
import type { Outcome } from '../../../rpc/attempt.ts'
import type { SessionChange } from '../../../../shared/contract/chats/session.ts'
import type { HostStore } from '../../../rpc/host-store.ts'

/** The session behind a chat, and its settings. */
export type ChatSession = {
  /** Null until the first message or setting creates the session. */
  sessionId: string | null
  /** Change the chat's settings. This creates the session of a new chat. */
  change: (change: SessionChange) => Promise<Outcome<unknown>>
}

type Options = {
  sessionId: string | null
  get: () => ChatSession
  /** Called when a new chat has become a session, with its id. */
  onMade: (id: string) => void
}

/** The session part of the chat store. `ensure` returns the session's id, creating the session if needed. */
export function createChatSession(
  host: StoreApi<HostStore>,
  { sessionId, get, onMade }: Options,
): { part: ChatSession; ensure: (change?: SessionChange) => Promise<Outcome<string>> } {
  let creating: Promise<Outcome<{ id: string }>> | undefined

  async function ensure(change: SessionChange = {}): Promise<Outcome<string>> {
    const known = get().sessionId
    if (known !== null) return { ok: true, value: known }
    creating ??= host.getState().createSession(change)
    const made = await creating
    creating = undefined
    if (!made.ok) return made
    if (get().sessionId === null) onMade(made.value.id)
    return { ok: true, value: made.value.id }
  }

  return {
    ensure,
    part: {
      sessionId,
      async change(change) {
        const creates = get().sessionId === null && creating === undefined
        const id = await ensure(change)
        if (!id.ok || creates) return id
        return host.getState().updateSession(id.value, change)
      },
    },
  }
}
