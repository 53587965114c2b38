import { z } from 'zod'

/** One request of the model to run a tool; `id` pairs it with its result. */
export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
})
export type ToolCall = z.infer<typeof ToolCall>

/** The usage of one model call. Speeds are tokens per second, times are milliseconds. `reused` tokens were not evaluated again; of these, `restored` ones came from the disk. */
export const Usage = z.object({
  promptTokens: z.int(),
  reusedTokens: z.int(),
  restoredTokens: z.int().optional(),
  evaluatedTokens: z.int(),
  outputTokens: z.int(),
  contextTokens: z.int(),
  firstTokenMs: z.number(),
  prefillPerSecond: z.number(),
  tokensPerSecond: z.number(),
  /** The cost that the server reported, in dollars. */
  costUsd: z.number().optional(),
})
export type Usage = z.infer<typeof Usage>

const stored = { id: z.int(), sessionId: z.string(), at: z.number() }

/** A skill attached to a message, as it was then. */
export const AttachedSkill = z.object({ id: z.string(), name: z.string(), text: z.string() })
export type AttachedSkill = z.infer<typeof AttachedSkill>

/** `steered`: written while a turn was running, and given to the model between two steps of it. */
export const UserMessage = z.object({
  ...stored,
  role: z.literal('user'),
  text: z.string(),
  skill: AttachedSkill.optional(),
  steered: z.literal(true).optional(),
})
export type UserMessage = z.infer<typeof UserMessage>

/** `interrupted` marks a reply that was stopped half-way; `raw` is the exact output of the model when it called tools in text. */
export const AssistantMessage = z.object({
  ...stored,
  role: z.literal('assistant'),
  text: z.string(),
  reasoning: z.string(),
  calls: z.array(ToolCall),
  interrupted: z.boolean(),
  model: z.string(),
  raw: z.string().optional(),
  usage: Usage.optional(),
})
export type AssistantMessage = z.infer<typeof AssistantMessage>

/** The result of one call. `allowed` is the reason it was allowed, or who denied it, as text. */
export const ToolMessage = z.object({
  ...stored,
  role: z.literal('tool'),
  callId: z.string(),
  name: z.string(),
  ok: z.boolean(),
  text: z.string(),
  durationMs: z.number(),
  allowed: z.string(),
})
export type ToolMessage = z.infer<typeof ToolMessage>

/** The history in a neutral format, which a strategy renders for each model. Times are epoch milliseconds. */
export const Message = z.discriminatedUnion('role', [UserMessage, AssistantMessage, ToolMessage])
export type Message = z.infer<typeof Message>

/** A message before the store numbers it. */
export type NewMessage = Message extends infer M ? (M extends Message ? Omit<M, 'id'> : never) : never
