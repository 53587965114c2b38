import { z } from 'zod'
import { call } from '../rpc.ts'
import { Message } from './messages.ts'

/**
 * What may run without a question. `chat_only`: no tools. `ask`: everything but reading in the workspace asks.
 * `reads`: safe reading commands do not ask either. `full`: only the hardline floor stops a call.
 * `none`: nobody can answer, so whatever would ask is denied.
 */
export const ApprovalMode = z.enum(['chat_only', 'ask', 'reads', 'full', 'none'])
export type ApprovalMode = z.infer<typeof ApprovalMode>

/**
 * One chat. `activeRunId` is set while a turn is under way, `waiting` while it needs an answer from the person.
 * `lastRunId` is the newest run whose log is still kept: it says how the last turn ended.
 */
export const Session = z.object({
  id: z.string(),
  title: z.string(),
  preview: z.string(),
  modelId: z.string(),
  workspace: z.string(),
  approval: ApprovalMode,
  pinned: z.boolean(),
  draft: z.string(),
  /** Where it was begun; an imported one came from another program. */
  source: z.enum(['window', 'cli', 'import']),
  messageCount: z.int(),
  /** How many of the messages the person sent. */
  turnCount: z.int(),
  createdAt: z.number(),
  updatedAt: z.number(),
  activeRunId: z.string().nullable(),
  lastRunId: z.string().nullable(),
  waiting: z.boolean(),
})
export type Session = z.infer<typeof Session>

const id = z.string().min(1).max(100)

/** One part of what the model sees in a chat. `stale` when the chat still has an older version of it. */
export const PromptSection = z.object({
  name: z.enum(['identity', 'tools', 'guidance', 'user', 'memory', 'skills', 'project', 'facts', 'history']),
  title: z.string(),
  tokens: z.int(),
  text: z.string(),
  stale: z.boolean(),
})
export type PromptSection = z.infer<typeof PromptSection>

/**
 * A place in a chat up to which a summary stands for the messages, in what its model reads. The messages stay where they are
 * and can be found. `by`: a model wrote the summary, it was put together without one, or only tool results were shortened.
 */
export const Compaction = z.object({
  id: z.int(),
  at: z.number(),
  /** The last message of the beginning that stays, and the last one that the summary stands for. */
  headId: z.int(),
  upToId: z.int(),
  /** Tool results up to this message are read as one line. */
  prunedToId: z.int(),
  summary: z.string(),
  by: z.enum(['model', 'local', 'pruning']),
  focus: z.string(),
  tokensBefore: z.int(),
  tokensAfter: z.int(),
})
export type Compaction = z.infer<typeof Compaction>

/** Chats: newest first, in pages; a removed chat can be restored. */
export const session = {
  'session.list': call(
    z.object({
      query: z.string().max(200).default(''),
      limit: z.int().min(1).max(200).default(50),
      offset: z.int().min(0).default(0),
    }),
    z.object({ sessions: z.array(Session), more: z.boolean() }),
  ),
  'session.create': call(
    z.object({
      modelId: z.string().max(4_096).optional(),
      workspace: z.string().max(4_096).optional(),
      approval: ApprovalMode.optional(),
      source: z.enum(['window', 'cli']).default('window'),
    }),
    Session,
  ),
  'session.get': call(z.object({ id }), Session),
  'session.update': call(
    z.object({
      id,
      title: z.string().trim().min(1).max(200).optional(),
      modelId: z.string().min(1).max(4_096).optional(),
      workspace: z.string().min(1).max(4_096).optional(),
      approval: ApprovalMode.optional(),
      pinned: z.boolean().optional(),
      draft: z.string().max(200_000).optional(),
      /** The chat's `turnCount` when the draft was written. A draft that is older than the last message is not kept. */
      draftAfter: z.int().min(0).optional(),
    }),
    Session,
  ),
  'session.remove': call(z.object({ id }), z.object({})),
  /** What the model sees now, part by part; the texts are those that are sent. */
  'session.context': call(
    z.object({ id }),
    z.object({
      sections: z.array(PromptSection),
      tokens: z.int(),
      contextTokens: z.int(),
    }),
  ),
  /** Build the frozen prompt anew, with the present memory; the next turn then reads it from the start. */
  'session.refreshPrompt': call(z.object({ id }), z.object({})),
  'session.compactions': call(z.object({ id }), z.object({ compactions: z.array(Compaction) })),
  'session.restore': call(z.object({ id }), Session),
  /** A page of messages in order, ending just before the message `before` (or with the newest). */
  'session.messages': call(
    z.object({ id, before: z.int().optional(), limit: z.int().min(1).max(500).default(60) }),
    z.object({ messages: z.array(Message), more: z.boolean() }),
  ),
}

/** Speak to the agent, or make room in a chat. It only starts a run; what happens then is in the run's log. */
export const chat = {
  'chat.send': call(
    z.object({
      sessionId: id,
      text: z.string().trim().min(1).max(200_000),
      /** A skill to send along, by its id. */
      skill: z.string().max(600).optional(),
      /** What stays unsent. It becomes the chat's draft together with the message; without it the draft stays as it is. */
      draft: z.string().max(200_000).optional(),
    }),
    z.object({ runId: z.string() }),
  ),
  /** Replace older messages by a summary now, which is a run like a turn; `focus` says what must stay. */
  'chat.compact': call(
    z.object({ sessionId: id, focus: z.string().trim().max(500).default('') }),
    z.object({ runId: z.string() }),
  ),
}
