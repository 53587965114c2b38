import { z } from 'zod'
import { call } from '../../rpc.ts'

const sessionId = z.string().min(1).max(100)

/** A message that holds what is looked for, and how often. */
export const FoundMessage = z.object({ messageId: z.int(), count: z.int() })
export type FoundMessage = z.infer<typeof FoundMessage>

/** A question of the user: when, and its first words. */
export const ChatTurn = z.object({ messageId: z.int(), at: z.number(), text: z.string() })
export type ChatTurn = z.infer<typeof ChatTurn>

/**
 * Where a chat was left. `seenAt`: when somebody last looked at it; null if never since this is noted. `unreadId`: the first answer
 * that nobody has seen. `files`: what the newest turn wrote, as its calls name it. Texts are beginnings.
 */
export const Recap = z.object({
  seenAt: z.number().nullable(),
  question: ChatTurn.nullable(),
  answer: z.object({ messageId: z.int(), text: z.string() }).nullable(),
  files: z.array(z.string()),
  unreadId: z.int().nullable(),
})
export type Recap = z.infer<typeof Recap>

/** Finding one's way in one chat, on its path. */
export const finding = {
  /**
   * The messages that hold a text, in order: literally, in any case, with any space where the text has some. Marks of Markdown do not
   * count, such as the stars around a word. `tools`: results of tools too. `more`: there are more than are counted.
   */
  'chat.find': call(
    z.object({ sessionId, query: z.string().trim().min(1).max(200), tools: z.boolean().default(false) }),
    z.object({ found: z.array(FoundMessage), total: z.int(), more: z.boolean() }),
  ),
  /** The questions of the user in order; only the newest of very many. */
  'chat.turns': call(
    z.object({ sessionId, limit: z.int().min(1).max(20_000).default(20_000) }),
    z.object({ turns: z.array(ChatTurn) }),
  ),
  /** Somebody sees the chat, up to this message. */
  'chat.seen': call(z.object({ sessionId, messageId: z.int().min(0) }), z.object({})),
  'chat.recap': call(z.object({ sessionId }), Recap),
}
