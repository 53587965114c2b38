import { createHash } from 'node:crypto'
import type { Prompt, WireMessage } from '../../interface/engine.ts'

/** Maximum number of kept replies. A turn has a few dozen at most, and several chats may run. */
const MOST = 400

/**
 * The private data of a reply, which its server wants back in its own form: signed thoughts, and extra fields
 * of calls. Only the model that wrote it can use it, so it is kept here and not in the chat. If it is lost by
 * a restart, the reply is sent back without it.
 */
export type KeptThoughts = {
  keep(sessionId: string, reply: Reply, thoughts: unknown): void
  /** The kept thoughts for each message of a prompt; undefined for messages without any. */
  of(prompt: Pick<Prompt, 'sessionId' | 'messages'>): unknown[]
}

/** A reply, identified by its content because the chat assigns new ids to calls. */
type Reply = { text: string; calls: readonly { name: string; arguments: unknown }[] }

/** Keep the thoughts of the newest replies of one model. */
export function keepThoughts(): KeptThoughts {
  /** Newest last. A model that does the same thing twice has two entries with the same key. */
  const kept: { key: string; thoughts: unknown }[] = []
  return {
    keep(sessionId, reply, thoughts) {
      kept.push({ key: keyOf(sessionId, reply), thoughts })
      if (kept.length > MOST) kept.shift()
    },
    of({ sessionId, messages }) {
      const found = Array.from<unknown>({ length: messages.length })
      const left = [...kept]
      for (const [at, message] of [...messages.entries()].toReversed()) {
        if (message.role !== 'assistant') continue
        const key = keyOf(sessionId, replyOf(message))
        const newest = left.findLastIndex(each => each.key === key)
        if (newest >= 0) found[at] = left.splice(newest, 1)[0]?.thoughts
      }
      return found
    },
  }
}

/** Return the reply as the model wrote it, even if its calls are sent shortened. */
const replyOf = ({ text, calls = [] }: WireMessage): Reply => ({
  text,
  calls: calls.map(({ name, arguments: sent, ran }) => ({ name, arguments: ran ?? sent })),
})

function keyOf(sessionId: string, { text, calls }: Reply): string {
  const said = [sessionId, text.trim(), calls.map(call => [call.name, call.arguments])]
  return createHash('sha256').update(JSON.stringify(said)).digest('base64')
}
