import { z } from 'zod'
import { call } from '../../rpc.ts'

/** The purpose of a request. */
export const NetworkPurpose = z.enum([
  'chat',
  'learning',
  'schedule',
  'server_check',
  'download',
  'skill_import',
  'update',
  'mcp',
  'web',
  'messenger',
])
export type NetworkPurpose = z.infer<typeof NetworkPurpose>

/** One request that the host sent or blocked. Byte counts are for bodies; null if unknown. */
export const NetworkEntry = z.object({
  id: z.int(),
  at: z.number(),
  host: z.string(),
  purpose: NetworkPurpose,
  /** The name of the model, file or repository that it was for. */
  subject: z.string(),
  /** Whether the request stayed on this computer. */
  nearby: z.boolean(),
  state: z.enum(['running', 'done', 'failed', 'blocked']),
  sentBytes: z.number().nullable(),
  receivedBytes: z.number().nullable(),
  ms: z.number().nullable(),
})
export type NetworkEntry = z.infer<typeof NetworkEntry>

/** A contacted host, with the totals of its requests. */
export const NetworkHost = z.object({
  host: z.string(),
  nearby: z.boolean(),
  purposes: z.array(NetworkPurpose),
  requests: z.int(),
  blocked: z.int(),
  sentBytes: z.number(),
  receivedBytes: z.number(),
  firstAt: z.number(),
  lastAt: z.number(),
})
export type NetworkHost = z.infer<typeof NetworkHost>

/** The ledger of all requests, and the offline lock. */
export const network = {
  'network.list': call(
    z.object({ before: z.int().optional(), limit: z.int().min(1).max(500).default(100) }),
    z.object({ locked: z.boolean(), entries: z.array(NetworkEntry), hosts: z.array(NetworkHost) }),
  ),
  'network.lock': call(z.object({ locked: z.boolean() }), z.object({ locked: z.boolean() })),
  'network.clear': call(z.object({}), z.object({})),
}

/**
 * Total tokens, time and cost of some answers. `cachedTokens` are part of `promptTokens`. `costUsd` is null
 * if no price is known.
 */
export const UsageSum = z.object({
  answers: z.int(),
  promptTokens: z.number(),
  cachedTokens: z.number(),
  outputTokens: z.number(),
  ms: z.number(),
  costUsd: z.number().nullable(),
})
export type UsageSum = z.infer<typeof UsageSum>

/**
 * Usage over time: totals per local day (`2026-11-21`), and the same totals by model, by chat and by purpose.
 */
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
      kinds: z.array(UsageSum.extend({ kind: z.enum(['chat', 'learning', 'question', 'api']) })),
    }),
  ),
}
