import { createHash } from 'node:crypto'
import type { Prompt, WireMessage } from '../engine.ts'

/** How many replies are kept; a turn has a few dozen at most, and several chats may run. */
const MOST = 400

/**
 * What a server said beside a reply and wants to hear again with it, in its own form: thoughts with their signature, and
 * marks at calls. It is of use to the model that wrote it and to nobody else, so it lives here and not in the chat. When
 * it is lost, by a restart, the reply goes back without it.
 */
export type KeptThoughts = {
  keep(sessionId: string, reply: Reply, thoughts: unknown): void
  /** What belongs to each message of a prompt; undefined where nothing is kept. */
  of(prompt: Pick<Prompt, 'sessionId' | 'messages'>): unknown[]
}

/** A reply by what it said; ids of calls change on their way through the chat. */
type Reply = { text: string; calls: readonly { name: string; arguments: unknown }[] }

/** Keep what the newest replies of one model came with. */
export function keepThoughts(): KeptThoughts {
  /** Newest last. A model that does the same thing twice has two with the same key. */
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

const replyOf = ({ text, calls = [] }: WireMessage): Reply => ({ text, calls })

function keyOf(sessionId: string, { text, calls }: Reply): string {
  const said = [sessionId, text.trim(), calls.map(call => [call.name, call.arguments])]
  return createHash('sha256').update(JSON.stringify(said)).digest('base64')
}
