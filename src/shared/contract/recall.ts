import { z } from 'zod'
import { call } from '../rpc.ts'

/** A matching message. `marks` are the matches in `text`, as start and end. */
export const RecallPassage = z.object({
  messageId: z.int(),
  role: z.enum(['user', 'assistant', 'tool']),
  at: z.number(),
  text: z.string(),
  marks: z.array(z.tuple([z.int(), z.int()])),
})
export type RecallPassage = z.infer<typeof RecallPassage>

/** A matching chat with its matching messages, best first. `titleMarks` are the matches in the title. */
export const RecallHit = z.object({
  sessionId: z.string(),
  title: z.string(),
  titleMarks: z.array(z.tuple([z.int(), z.int()])),
  updatedAt: z.number(),
  passages: z.array(RecallPassage),
})
export type RecallHit = z.infer<typeof RecallHit>

/** Search all chats, with the same search as the agent. `from` is inclusive, `to` exclusive. */
export const recall = {
  'recall.search': call(
    z.object({
      query: z.string().max(1_000),
      from: z.number().optional(),
      to: z.number().optional(),
      role: z.enum(['user', 'assistant', 'tool']).optional(),
      limit: z.int().min(1).max(50).default(20),
    }),
    z.object({ hits: z.array(RecallHit) }),
  ),
}
