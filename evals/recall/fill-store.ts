import type { Store } from '../../src/main/db/store.ts'
import type { NewMessage } from '../../src/shared/contract/chats/messages.ts'
import type { Conversation } from './read-set.ts'

/**
 * The stored content: the text of each message by its conversation and turn, and the session of each chat by
 * the chat’s id.
 */
export type Stored = { texts: Map<string, string>; sessions: Map<string, string> }

/** Store conversations as a person's chats, with results of tools, and index all of them. */
export function fillStore(store: Store, workspace: string, conversations: readonly Conversation[]): Stored {
  const stored: Stored = { texts: new Map(), sessions: new Map() }
  for (const { conversation_id: about, session_id: name, datetime, turns } of conversations) {
    const { id } = store.sessions.create({ modelId: 'none', workspace, approval: 'ask', origin: 'terminal' })
    stored.sessions.set(id, name)
    const begins = turns[0]?.speaker
    const at = Date.parse(datetime)
    for (const [n, turn] of turns.entries()) {
      const text = [turn.text, turn.image_caption && `[${turn.image_caption}]`].filter(Boolean).join(' ')
      const common = { sessionId: id, at: at + n * 1_000, text }
      store.messages.append(messageOf(turn, turns[n + 1], begins, common))
      stored.texts.set(`${about}/${turn.dia_id}`, joinLines(text))
    }
  }
  while (store.recall.refresh(1_000)) continue
  return stored
}

type Turn = Conversation['turns'][number]

function messageOf(
  { speaker, tool = 'terminal' }: Turn,
  next: Turn | undefined,
  begins: string | undefined,
  common: { sessionId: string; at: number; text: string },
): NewMessage {
  if (speaker === begins) return { role: 'user', ...common }
  if (speaker === 'tool')
    return {
      role: 'tool',
      ...common,
      callId: 'call_1',
      name: tool,
      ok: true,
      durationMs: 1,
      record: { decision: 'ran' },
    }
  const calls =
    next?.speaker === 'tool' ? [{ id: 'call_1', name: next.tool ?? 'terminal', arguments: {} }] : []
  return { role: 'assistant', ...common, reasoning: '', calls, interrupted: false, model: 'none' }
}

/** The lines of a text joined by blanks, as in the answers of the search. */
export const joinLines = (text: string): string => text.replace(/\s+/g, ' ').trim()
