import { z } from 'zod'
import { byCount } from '../../text/amounts.ts'
import { call } from '../../rpc.ts'
import { ChangedFile } from './changed-files.ts'
import { MemoryRevision } from '../learned/memory.ts'
import { Draft, MessageText } from './messages.ts'
import { Session } from './session.ts'
import { SkillRevision } from '../learned/skills.ts'

/**
 * A message that begins a branch: its parent has several continuations, or the path ends before it. `below`: the nearest
 * such message on the way to it, if there is one. `text` is its beginning. `called`: its first call where it has no text, with beginnings
 * of the arguments that are texts, and how many calls it has.
 */
export const Branch = z.object({
  id: z.int(),
  parentId: z.int().nullable(),
  below: z.int().nullable(),
  role: z.enum(['user', 'assistant', 'tool']),
  text: z.string(),
  called: z
    .object({ name: z.string(), arguments: z.record(z.string(), z.string()), count: z.int() })
    .optional(),
  model: z.string(),
  at: z.number(),
  isOnPath: z.boolean(),
})
export type Branch = z.infer<typeof Branch>

/** Says that what commands did stays. */
export const commandsLeft = (count: number): string =>
  byCount(
    count,
    'A command or call of a server ran in the part that was left. What it did cannot be undone here.',
    `${count} commands or calls of servers ran in the part that was left. What they did cannot be undone here.`,
  )

const sessionId = z.string().min(1).max(100)
const at = {
  sessionId,
  messageId: z.int().min(1),
  /** Stop a run of this chat first. Without it, a chat that is being answered refuses (`busy`). */
  stopRun: z.boolean().default(false),
}
const MOST = 5_000

/** A way of going back; `messageId` is the one that is edited, answered again or gone to. */
export const Move = z.discriminatedUnion('how', [
  z.object({ how: z.literal('undo') }),
  z.object({ how: z.enum(['edit', 'retry', 'switch']), messageId: at.messageId }),
])
export type Move = z.infer<typeof Move>

/**
 * What a move would leave behind outside the chat: files that are then not as the path left them, how many commands and calls
 * of servers ran in the part that is left, and what the agent, or a review of that part, changed in memory and in skills.
 */
export const Leaving = z.object({
  files: z.array(ChangedFile),
  commands: z.int(),
  memory: z.array(MemoryRevision),
  skills: z.array(SkillRevision),
})
export type Leaving = z.infer<typeof Leaving>

/**
 * The branches of a chat. Every message has one before it, and several may follow it; the chat is one path through them,
 * which is what models read and what everything else counts. What an edit takes off the path stays, and can be gone back to.
 */
export const branches = {
  /** The newest branches, and those that the chat goes through; in a chat that was never edited there are none. */
  'branch.list': call(
    z.object({ sessionId, limit: z.int().min(1).max(MOST).default(MOST) }),
    z.object({ branches: z.array(Branch) }),
  ),
  /** What a move would leave, before it is made. It moves nothing, but stops a run as the move does. */
  'branch.leaving': call(z.object({ sessionId, move: Move, stopRun: at.stopRun }), Leaving),
  /**
   * Put another text beside a message. One of the user is answered by a run; an answer of the model is only replaced, and
   * `runId` is null. `draft` is the new draft of the chat.
   */
  'branch.edit': call(
    z.object({ ...at, text: MessageText, draft: Draft.optional() }),
    z.object({ runId: z.string().nullable() }),
  ),
  /** Answer again the question that a message belongs to, with another model if one is named. */
  'branch.retry': call(
    z.object({ ...at, modelId: z.string().min(1).max(4_096).optional() }),
    z.object({ runId: z.string() }),
  ),
  /** Go on with an answer that was cut off. */
  'branch.continue': call(z.object({ sessionId }), z.object({ runId: z.string() })),
  /** Let the chat go through a message, to where it was last left behind it. */
  'branch.switch': call(z.object(at), Session),
  /** Go back before the newest question; its text comes back. `not_found` when the chat is empty. */
  'branch.undo': call(
    z.object({ sessionId, stopRun: at.stopRun }),
    z.object({ text: z.string(), session: Session }),
  ),
  /** Copy the chat up to a message into a new chat. */
  'branch.fork': call(z.object({ sessionId, messageId: at.messageId }), Session),
}
