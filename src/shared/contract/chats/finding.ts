import { z } from 'zod'
import { call } from '../../rpc.ts'

const sessionId = z.string().min(1).max(100)

/** A message that contains the searched text, and how often. */
export const FoundMessage = z.object({ messageId: z.int(), count: z.int() })
export type FoundMessage = z.infer<typeof FoundMessage>

/** A question of the user, with its time and its first words. */
export const ChatTurn = z.object({ messageId: z.int(), at: z.number(), text: z.string() })
export type ChatTurn = z.infer<typeof ChatTurn>

/**
 * Where the user left a chat. `seenAt`: when the chat was last viewed; null if not since this is recorded.
 * `unreadId`: the first unseen answer. `files`: the files that the newest turn wrote, as its calls name them.
 * Texts are shortened to their start.
 */
export const Recap = z.object({
  seenAt: z.number().nullable(),
  question: ChatTurn.nullable(),
  answer: z.object({ messageId: z.int(), text: z.string() }).nullable(),
  files: z.array(z.string()),
  unreadId: z.int().nullable(),
})
export type Recap = z.infer<typeof Recap>

/** Search and navigation in one chat, on its path. */
export const finding = {
  /**
   * The messages that contain a text, in order. Matches are literal, ignore case and accept any whitespace.
   * Markdown marks, such as the stars around a word, are ignored. `tools`: search tool results too. `more`:
   * there are more matches than counted.
   */
  'chat.find': call(
    z.object({ sessionId, query: z.string().trim().min(1).max(200), tools: z.boolean().default(false) }),
    z.object({ found: z.array(FoundMessage), total: z.int(), more: z.boolean() }),
  ),
  /** The questions of the user in order; only the newest if there are very many. */
  'chat.turns': call(
    z.object({ sessionId, limit: z.int().min(1).max(20_000).default(20_000) }),
    z.object({ turns: z.array(ChatTurn) }),
  ),
  /** Record that the user has seen the chat up to this message. */
  'chat.seen': call(z.object({ sessionId, messageId: z.int().min(0) }), z.object({})),
  'chat.recap': call(z.object({ sessionId }), Recap),
}
