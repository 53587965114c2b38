import { z } from 'zod'

/** One request of the model to run a tool; `id` pairs it with its result. */
export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
})
export type ToolCall = z.infer<typeof ToolCall>

/** What one model call cost. Speeds are tokens a second, times are milliseconds; `reused` tokens were not evaluated again, and `restored` ones of them came from the disk. */
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
  /** What a server says that it cost, in dollars. */
  costUsd: z.number().optional(),
})
export type Usage = z.infer<typeof Usage>

const stored = { id: z.int(), sessionId: z.string(), at: z.number() }

/** A skill that the person sent along, as it was then. */
export const AttachedSkill = z.object({ id: z.string(), name: z.string(), text: z.string() })
export type AttachedSkill = z.infer<typeof AttachedSkill>

export const UserMessage = z.object({
  ...stored,
  role: z.literal('user'),
  text: z.string(),
  skill: AttachedSkill.optional(),
})
export type UserMessage = z.infer<typeof UserMessage>

/** `interrupted` marks a reply that was stopped half-way; `raw` is what the model wrote to the byte, when it called tools in text. */
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

/** The result of one call. `allowed` says in words why it was permitted, or who denied it. */
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

/** The neutral history: no wire format of any model, rendered by the strategy of the moment. Times are epoch milliseconds. */
export const Message = z.discriminatedUnion('role', [UserMessage, AssistantMessage, ToolMessage])
export type Message = z.infer<typeof Message>

/** A message before the store has numbered it. */
export type NewMessage = Message extends infer M ? (M extends Message ? Omit<M, 'id'> : never) : never
