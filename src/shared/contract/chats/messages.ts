import { z } from 'zod'
import { Attachment } from './attachments.ts'
import { CallRecord } from '../runs/call-record.ts'
import { Cite } from '../connections/web.ts'

/** One request of the model to run a tool; `id` pairs it with its result. */
export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
})
export type ToolCall = z.infer<typeof ToolCall>

/**
 * The usage of one model call. Speeds are tokens per second, times are milliseconds. `reused` tokens were not
 * evaluated again; of these, `restored` ones came from the disk. `estimated`: the call was cut off, so no
 * usage was reported.
 */
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
  estimated: z.literal(true).optional(),
})
export type Usage = z.infer<typeof Usage>

/** Maximum length of a message in characters (UTF-16 code units). */
export const MAX_MESSAGE_CHARS = 200_000

/** Say that a text of `chars` characters is too long to send. */
export const tooLongText = (chars: number): string =>
  `Too long to send: it has ${written(chars)} characters, and a message has at most ${written(MAX_MESSAGE_CHARS)}. Shorten it by ${written(chars - MAX_MESSAGE_CHARS)}, or name a file that holds it. Nothing was sent, and your text is still there.`
const written = (count: number) => count.toLocaleString('en')

/** The text of a message to send. A text that is too long is refused with its length and the limit. */
export const MessageText = z
  .string()
  .trim()
  .min(1)
  .refine(text => text.length <= MAX_MESSAGE_CHARS, {
    error: ({ input }) => tooLongText((input as string).length),
  })
/** Unsent text, which may be longer than a message, so that a text too long to send is not lost. */
export const Draft = z.string().max(10 * MAX_MESSAGE_CHARS)

/**
 * The mark of a stranger's text, or of a text made from it, which then has the same `id`. `source` names its
 * owner, as in “the server notes”. `described`: a server's description of its tools, which the user has
 * agreed to.
 */
export const StrangersMark = z.object({
  id: z.string().min(1).max(40),
  source: z.string().min(1).max(200),
  described: z.literal(true).optional(),
})
export type StrangersMark = z.infer<typeof StrangersMark>

/**
 * A call's change of a file that one of the user's programs obeys, or runs when asked to. `path` is relative
 * to the chat's folder if it is inside. `by` names the program, as in “git” or “`npm test`”. `tier` is 1 if
 * the file is obeyed without being asked. `kept`: whether the change stays, a new file was put aside, or the
 * file was restored.
 */
export const ObeyedChange = z.object({
  path: z.string(),
  how: z.enum(['new', 'changed', 'gone']),
  by: z.string(),
  tier: z.union([z.literal(1), z.literal(2)]),
  kept: z.enum(['stands', 'put aside', 'put back']),
})
export type ObeyedChange = z.infer<typeof ObeyedChange>

/**
 * Fields of stored messages. `marks`: the strangers' texts that this message is, or was made from; absent if
 * none.
 */
const stored = {
  id: z.int(),
  sessionId: z.string(),
  at: z.number(),
  marks: z.array(StrangersMark).optional(),
}

/** A skill attached to a message, with its text at that time. */
export const AttachedSkill = z.object({ id: z.string(), name: z.string(), text: z.string() })
export type AttachedSkill = z.infer<typeof AttachedSkill>

/** A call that the user chose with a button. Without arguments, the model writes them. */
export const PickedCall = z.object({
  tool: z.string().max(200),
  arguments: z.record(z.string(), z.unknown()).optional(),
})
export type PickedCall = z.infer<typeof PickedCall>

/**
 * A remark under an answer, with buttons. `why`: the message needed a tool and none ran, so nothing was
 * looked up, done or saved; or the message asked for two things, and one is left. Without choices, the needed
 * tool is off in the chat.
 */
export const AnswerOffer = z.object({
  why: z.enum(['not_looked', 'not_done', 'not_saved', 'rest']),
  choices: z.array(PickedCall.extend({ label: z.string().max(600) })).max(3),
})
export type AnswerOffer = z.infer<typeof AnswerOffer>

/**
 * The advice from the references of a mixture before an answer. If a `problem` says why there is no advice,
 * `text` is empty. The models of later turns do not read it.
 */
export const Advice = z.object({
  mixture: z.string(),
  given: z.array(z.object({ model: z.string(), text: z.string(), problem: z.string().optional() })),
})
export type Advice = z.infer<typeof Advice>

/**
 * A message of the user. `reports`: results of background sub-agents, for the model. `documents`: the text of
 * its attachments for a model, framed as strangers’ text, as first sent. `steered`: written during a turn,
 * and given to the model between two steps. `picked`: the call of the button that created the message; its
 * turn starts with this call. `advised`: framed advice of other models for the model that answers; never
 * stored here.
 */
export const UserMessage = z.object({
  ...stored,
  role: z.literal('user'),
  text: z.string(),
  skill: AttachedSkill.optional(),
  attachments: z.array(Attachment).optional(),
  documents: z.string().optional(),
  reports: z.string().optional(),
  steered: z.literal(true).optional(),
  picked: PickedCall.optional(),
  advised: z.string().optional(),
})
export type UserMessage = z.infer<typeof UserMessage>

/**
 * A reply. `interrupted`: it was stopped half-way. `cut`: it reached its maximum length. `edited`: the user
 * wrote it in place of the model. `compared`: the user chooses between it and others. `void`: it is not an
 * answer, for example because it repeated itself; it stays in the chat, but models no longer read it.
 * `byTalaria`: Talaria reports the result of a call by fixed rules, because the model's text was not an
 * answer. `cites`: the web pages that it cites, or that were read for it. `offer`: actions that the user can
 * choose under it. `advice`: the advice of other models, in the answer that ends a turn. `raw`: the exact
 * output of a model that called tools in text.
 */
export const AssistantMessage = z.object({
  ...stored,
  role: z.literal('assistant'),
  text: z.string(),
  reasoning: z.string(),
  calls: z.array(ToolCall),
  interrupted: z.boolean(),
  cut: z.literal(true).optional(),
  edited: z.literal(true).optional(),
  compared: z.literal(true).optional(),
  void: z.literal(true).optional(),
  byTalaria: z.literal(true).optional(),
  cites: z.array(Cite).optional(),
  offer: AnswerOffer.optional(),
  advice: Advice.optional(),
  model: z.string(),
  raw: z.string().optional(),
  usage: Usage.optional(),
})
export type AssistantMessage = z.infer<typeof AssistantMessage>

/**
 * The result of one call. `record`: its outcome as data. `title`: what the call was about to do, as in its
 * event. `obeyed`: its changes of files that the user's programs obey or run. `attachments`: the pictures in
 * the result, besides its text. `read`: the texts from outside that the user, asked about this call,
 * confirmed to have read.
 */
export const ToolMessage = z.object({
  ...stored,
  role: z.literal('tool'),
  callId: z.string(),
  name: z.string(),
  ok: z.boolean(),
  text: z.string(),
  durationMs: z.number(),
  record: CallRecord,
  title: z.string().optional(),
  obeyed: z.array(ObeyedChange).optional(),
  attachments: z.array(Attachment).optional(),
  read: z.array(StrangersMark).optional(),
})
export type ToolMessage = z.infer<typeof ToolMessage>

/** The history in a neutral format, which a strategy renders for each model. Times are epoch milliseconds. */
export const Message = z.discriminatedUnion('role', [UserMessage, AssistantMessage, ToolMessage])
export type Message = z.infer<typeof Message>

/** A message before the store numbers it. */
export type NewMessage = Message extends infer M ? (M extends Message ? Omit<M, 'id'> : never) : never
