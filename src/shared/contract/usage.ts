import { z } from 'zod'
import { call } from '../rpc.ts'

/** Total tokens, time and cost of some answers. `cachedTokens` are part of `promptTokens`. `costUsd` is null when no price is known. */
export const UsageSum = z.object({
  answers: z.int(),
  promptTokens: z.number(),
  cachedTokens: z.number(),
  outputTokens: z.number(),
  ms: z.number(),
  costUsd: z.number().nullable(),
})
export type UsageSum = z.infer<typeof UsageSum>

/** Usage over time: one bar a day (local days, `2026-11-21`), and the same sums by model, by chat and by what it was for. */
export const usage = {
  'usage.read': call(
    z.object({
      from: z.number().optional(),
      to: z.number().optional(),
      sessionId: z.string().max(100).optional(),
    }),
    z.object({
      total: UsageSum,
      days: z.array(UsageSum.extend({ day: z.string() })),
      models: z.array(UsageSum.extend({ modelId: z.string(), name: z.string() })),
      chats: z.array(UsageSum.extend({ sessionId: z.string(), title: z.string() })),
      kinds: z.array(UsageSum.extend({ kind: z.enum(['chat', 'learning', 'question']) })),
    }),
  ),
}
