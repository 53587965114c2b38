import { join } from 'node:path'
import { z } from 'zod'
import { readRows } from '../command-line.ts'

const Turn = z.object({
  dia_id: z.string().min(1),
  /** The first speaker is the user. `tool` means the result of the tool that `tool` names. */
  speaker: z.string().min(1),
  text: z.string(),
  tool: z.string().optional(),
  image_caption: z.string().optional(),
})

const Conversation = z.object({
  conversation_id: z.string().min(1),
  session_id: z.string().min(1),
  datetime: z.string().refine(text => !Number.isNaN(Date.parse(text)), 'no date'),
  turns: z.array(Turn).min(1),
})

/**
 * One chat. The ids of its turns are `D<number>:<turn>`, with the number of the session in its conversation.
 */
export type Conversation = z.output<typeof Conversation>

const Query = z.object({
  query_id: z.string().min(1),
  conversation_id: z.string().min(1),
  question: z.string().trim().min(1),
  /** The turns with the answer; empty if nothing in the chats answers it. */
  evidence: z.array(z.string()),
  language: z.string().optional(),
  kind: z.string().optional(),
  /** Why the question is left out: its labels are unusable. */
  skip: z.string().optional(),
})

/** A question about the chats, as a model would ask it. */
export type Query = z.output<typeof Query>

/**
 * The chats and the questions of a folder. Ends the program if they cannot be read, or if a named turn does
 * not exist.
 */
export function readSet(folder: string): { conversations: Conversation[]; queries: Query[] } {
  const conversations = readRows(join(folder, 'conversations.jsonl'), Conversation)
  const turns = new Set(
    conversations.flatMap(({ conversation_id: about, turns }) =>
      turns.map(turn => `${about}/${turn.dia_id}`),
    ),
  )
  const path = join(folder, 'queries.jsonl')
  const known = Query.superRefine(({ conversation_id: about, evidence, skip }, context) => {
    const unknown = skip !== undefined ? undefined : evidence.find(id => !turns.has(`${about}/${id}`))
    if (unknown !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['evidence'],
        message: `there is no turn ${unknown} in ${about}`,
      })
  })
  return { conversations, queries: readRows(path, known) }
}
