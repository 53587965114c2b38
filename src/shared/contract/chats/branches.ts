import { z } from 'zod'
import { byCount } from '../../text/amounts.ts'
import { call } from '../../rpc.ts'
import { ChangedFile } from './changed-files.ts'
import { MemoryRevision } from '../learned/memory.ts'
import { Draft, MessageText } from './messages.ts'
import { Session } from './session.ts'
import { SkillRevision } from '../learned/skills.ts'

/**
 * A message that starts a branch: its parent has several continuations, or the path ends before it. `below`:
 * the nearest message above it that also starts a branch, if any. `text`: the start of its text. `called`: if
 * it has no text, its first call with shortened text arguments, and the number of its calls.
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

/** Say that the effects of commands stay. */
export const commandsLeft = (count: number): string =>
  byCount(
    count,
    'A command or server call ran in the messages that were left. Its effects cannot be undone here.',
    `${count} commands or server calls ran in the messages that were left. Their effects cannot be undone here.`,
  )

const sessionId = z.string().min(1).max(100)
const at = {
  sessionId,
  messageId: z.int().min(1),
  /** Stop a run of this chat first. Without it, a chat that is being answered refuses (`busy`). */
  stopRun: z.boolean().default(false),
}
const MOST = 5_000

/** A way of going back. `messageId`: the message to edit, to answer again or to switch to. */
export const Move = z.discriminatedUnion('how', [
  z.object({ how: z.literal('undo') }),
  z.object({ how: z.enum(['edit', 'retry', 'switch']), messageId: at.messageId }),
])
export type Move = z.infer<typeof Move>

/**
 * What a move would leave behind outside the chat: files that then differ from what the path left, the number
 * of commands and server calls in the messages that are left, and the changes in memory and skills made there
 * by the agent or a review.
 */
export const Leaving = z.object({
  files: z.array(ChangedFile),
  commands: z.int(),
  memory: z.array(MemoryRevision),
  skills: z.array(SkillRevision),
})
export type Leaving = z.infer<typeof Leaving>

/**
 * The branches of a chat. Every message has one parent and may have several continuations. The chat is one
 * path through them, which is what models read and what all figures count. Messages that an edit takes off
 * the path stay, and can be returned to.
 */
export const branches = {
  /** The newest branches, and those on the path of the chat; empty for a chat that was never edited. */
  'branch.list': call(
    z.object({ sessionId, limit: z.int().min(1).max(MOST).default(MOST) }),
    z.object({ branches: z.array(Branch) }),
  ),
  /** Read what a move would leave behind. Moves nothing, but stops a run as the move would. */
  'branch.leaving': call(z.object({ sessionId, move: Move, stopRun: at.stopRun }), Leaving),
  /**
   * Put an edited text next to a message, as a branch. A message of the user is answered by a run; an answer
   * of the model is only replaced, and `runId` is null. `draft` is the new draft of the chat.
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
  /** Continue an answer that was cut off. */
  'branch.continue': call(z.object({ sessionId }), z.object({ runId: z.string() })),
  /** Move the path of the chat to go through a message, and on to where it last ended after that message. */
  'branch.switch': call(z.object(at), Session),
  /** Go back before the newest question, and return its text. Throws `not_found` if the chat is empty. */
  'branch.undo': call(
    z.object({ sessionId, stopRun: at.stopRun }),
    z.object({ text: z.string(), session: Session }),
  ),
  /** Copy the chat up to a message into a new chat. */
  'branch.fork': call(z.object({ sessionId, messageId: at.messageId }), Session),
}
