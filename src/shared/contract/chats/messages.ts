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
 * The usage of one model call. Speeds are tokens per second, times are milliseconds. `reused` tokens were not evaluated again; of
 * these, `restored` ones came from the disk. `estimated`: the call was cut, so nobody reported what it took.
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

/** Says that a text of `chars` characters is too long to be sent. */
export const tooLongText = (chars: number): string =>
  `Too long to send: it has ${written(chars)} characters, and a message has at most ${written(MAX_MESSAGE_CHARS)}. Shorten it by ${written(chars - MAX_MESSAGE_CHARS)}, or name a file that holds it. Nothing was sent, and your text is still there.`
const written = (count: number) => count.toLocaleString('en')

/** The text of a message to send; one that is too long is refused with its length and the limit. */
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
 * Says that a text comes from a stranger, or was made from such a text, which then has the same `id`. `source` names whose it is,
 * as in “the server notes”. `described`: what a server says of its tools, which the person has agreed to.
 */
export const StrangersMark = z.object({
  id: z.string().min(1).max(40),
  source: z.string().min(1).max(200),
  described: z.literal(true).optional(),
})
export type StrangersMark = z.infer<typeof StrangersMark>

/**
 * A file that a program of the person obeys, or runs when it is asked to, and what a call made of it. `path` is relative to the
 * chat's folder where it lies in it; `by` names who obeys it, as in “git” or “`npm test`”; `tier` is 1 where it is obeyed without being
 * asked for. `kept`: whether the change stands, or the file was put aside (a new one) or put back as it was.
 */
export const ObeyedChange = z.object({
  path: z.string(),
  how: z.enum(['new', 'changed', 'gone']),
  by: z.string(),
  tier: z.union([z.literal(1), z.literal(2)]),
  kept: z.enum(['stands', 'put aside', 'put back']),
})
export type ObeyedChange = z.infer<typeof ObeyedChange>

/** `marks`: of whose texts from outside this one is, or was made; absent for what has none. */
const stored = {
  id: z.int(),
  sessionId: z.string(),
  at: z.number(),
  marks: z.array(StrangersMark).optional(),
}

/** A skill attached to a message, as it was then. */
export const AttachedSkill = z.object({ id: z.string(), name: z.string(), text: z.string() })
export type AttachedSkill = z.infer<typeof AttachedSkill>

/** A call as the person chose it on a button. Without arguments, the model writes them. */
export const PickedCall = z.object({
  tool: z.string().max(200),
  arguments: z.record(z.string(), z.unknown()).optional(),
})
export type PickedCall = z.infer<typeof PickedCall>

/**
 * What stands under an answer, and buttons for it. `why`: the message needed a tool and none ran, so nothing was looked at, done or
 * saved; or the message asked for two things, and one is left. Without choices, what it takes is off in the chat.
 */
export const AnswerOffer = z.object({
  why: z.enum(['not_looked', 'not_done', 'not_saved', 'rest']),
  choices: z.array(PickedCall.extend({ label: z.string().max(600) })).max(3),
})
export type AnswerOffer = z.infer<typeof AnswerOffer>

/**
 * What the references of a mixture said before an answer. `text` is empty where a `problem` says why there is none. The models of
 * later turns do not read it.
 */
export const Advice = z.object({
  mixture: z.string(),
  given: z.array(z.object({ model: z.string(), text: z.string(), problem: z.string().optional() })),
})
export type Advice = z.infer<typeof Advice>

/**
 * `reports`: what sub-agents in the background have come to, for the model; `documents`: what a model reads of its attachments, framed as
 * strangers’ text, as it was first sent; `steered`: written while a turn was running, and given to the model between two steps of it;
 * `picked`: the call of the button that the message was made by, which its turn begins with; `advised`: what other models say of it,
 * framed, for the model that answers it. It is never stored here.
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
 * `interrupted` marks a reply that was stopped half-way, `cut` one that reached the limit of its length, `edited` one that the
 * user wrote in place of the model, `compared` one of several that the user chooses from, `void` one that
 * is no answer, such as one that went in circles: it stays in the chat and models no longer read it. `byTalaria`: Talaria says by rules
 * what a call came to, because what the model made of it was no answer. `cites`: the pages of the web that it cites, or that were read
 * for it. `offer`: what the person may have done with a button under it. `advice`: what other models said before it, in the answer that ends a
 * turn. `raw` is the exact output of the model when it called tools in text.
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
 * The result of one call. `record` is what became of it; `title` says what the call was
 * about to do, as its event did while it ran; `obeyed`: what it changed of files that programs of the person obey or run;
 * `attachments`: the pictures that it is, beside its text; `read`: the texts from outside that the person, asked about this call, said to have read.
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
