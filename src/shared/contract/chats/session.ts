import { z } from 'zod'
import { Rereads } from '../models/model.ts'
import { call, stream } from '../../rpc.ts'
import { ApprovalMode, givenOptions, optionFields, OtherOptions, type OptionValues } from './chat-options.ts'
import { SentAttachments } from './attachments.ts'
import { Draft, Message, MessageText, StrangersMark } from './messages.ts'

export { ApprovalMode } from './chat-options.ts'

/**
 * Where a run started, and with it its chat; `import`: imported from another program.
 * `shared/origin-rules.ts` has the rules of each origin.
 */
export const Origin = z.enum([
  'window',
  'terminal',
  'sub_agent',
  'schedule',
  'messenger',
  'messenger_other',
  'editor',
  'api',
  'batch',
  'import',
])
export type Origin = z.infer<typeof Origin>

/**
 * One chat. `activeRunId` is set during a turn, `waiting` while the turn waits for approval.
 * `lastRunId` is the newest run with a log, which says how the last turn ended.
 */
export const Session = z.object({
  id: z.string(),
  title: z.string(),
  preview: z.string(),
  modelId: z.string(),
  workspace: z.string(),
  pinned: z.boolean(),
  /** Hidden from the list of chats. Searches still find the chat, and a new message of the user brings it back. */
  archived: z.boolean(),
  /** Nothing of the chat is remembered, searched, copied or learned from, and it is deleted when it ends. */
  temporary: z.literal(true).optional(),
  draft: z.string(),
  /** The project that it belongs to. */
  projectId: z.string().nullable(),
  ...optionFields,
  /** Values of options that parts of the host add; absent if none are set. */
  options: OtherOptions.optional(),
  origin: Origin,
  /** The call of a sub-agent, or the id of a schedule; empty for other origins. */
  originId: z.string(),
  /** The chat that delegated to this chat, that it copies, or that it continues; may be deleted. */
  parentId: z.string().nullable(),
  /** The only tools and toolsets that the chat may have; empty: all. */
  onlyTools: z.array(z.string()),
  /** On all branches. */
  messageCount: z.int(),
  /** The number of messages of the user, on all branches. */
  turnCount: z.int(),
  /** How often the path was moved to another branch. A window reads the messages again when this grows. */
  pathMoves: z.int(),
  createdAt: z.number(),
  updatedAt: z.number(),
  activeRunId: z.string().nullable(),
  lastRunId: z.string().nullable(),
  waiting: z.boolean(),
})
export type Session = z.infer<typeof Session>

/**
 * A named answering style. `own`: from the home folder. `problem`: why it cannot be used, as a phrase that
 * continues “Its file …”; its text is then empty.
 */
export const Personality = z.object({
  name: z.string(),
  text: z.string(),
  own: z.boolean(),
  problem: z.string().nullable(),
})
export type Personality = z.infer<typeof Personality>

const id = z.string().min(1).max(100)

/**
 * One section of the prompt of a chat. `stale`: the chat still uses an older version. `leftOut`: what was
 * left out and why, one reason per line; with `untrusted`, it is included once the user trusts the folder.
 */
export const PromptSection = z.object({
  name: z.string().max(100),
  title: z.string(),
  tokens: z.int(),
  text: z.string(),
  stale: z.boolean(),
  leftOut: z.object({ text: z.string(), untrusted: z.boolean() }).optional(),
})
export type PromptSection = z.infer<typeof PromptSection>

/** Why a model's summary was not used. */
export const SummaryRefusal = z.enum(['instructions', 'repeats', 'unrelated', 'nothing', 'echo', 'marks'])
export type SummaryRefusal = z.infer<typeof SummaryRefusal>

/** The reason for a refused summary, as text for the window and the terminal. */
export const REFUSED_BECAUSE: Readonly<Record<SummaryRefusal, string>> = {
  instructions: 'The model’s summary repeated our instructions',
  repeats: 'The model’s summary repeated itself',
  unrelated: 'The model’s summary was about something else',
  nothing: 'The model’s summary said next to nothing',
  echo: 'The model’s summary only repeated a question',
  marks: 'The model’s summary contained marks that only models read',
}

/**
 * A compaction: for the model, a summary replaces the messages of a chat up to a position. The messages stay
 * in the chat and in search. `by`: a model wrote the summary, it was built without one, or only calls and
 * their results were shortened.
 */
export const Compaction = z.object({
  id: z.int(),
  at: z.number(),
  /** The last message of the kept head, and the last message that the summary replaces. */
  headId: z.int(),
  upToId: z.int(),
  /** Tool results up to this message are shortened to one line, and the arguments of calls to their start. */
  prunedToId: z.int(),
  /** The question that stays although the summary replaces steps of its turn; 0 if it replaces whole turns. */
  questionId: z.int().default(0),
  summary: z.string(),
  by: z.enum(['model', 'local', 'pruning']),
  /** Why the model's summary was not used, if the summary was built without a model. */
  refused: SummaryRefusal.optional(),
  focus: z.string(),
  tokensBefore: z.int(),
  tokensAfter: z.int(),
  /** The marks of strangers' texts that the summary was made from. */
  marks: z.array(StrangersMark).optional(),
})
export type Compaction = z.infer<typeof Compaction>

/** A deleted chat that can be restored for some days; `daysLeft` rounds them up. */
export const DeletedChat = z.object({
  id: z.string(),
  title: z.string(),
  preview: z.string(),
  messageCount: z.int(),
  deletedAt: z.number(),
  daysLeft: z.int(),
})
export type DeletedChat = z.infer<typeof DeletedChat>

/**
 * A chat that was removed for good except for some files; `why` is the end of a sentence. Its rows and words
 * are gone unless the database is among the files. The id `earlier`, without a time, means all chats deleted
 * by older versions that left traces.
 */
export const UnremovedChat = z.object({
  id: z.string(),
  deletedAt: z.number().nullable(),
  files: z.array(z.object({ path: z.string(), why: z.string() })),
})
export type UnremovedChat = z.infer<typeof UnremovedChat>

/** The fields of a chat for a list of all chats. */
export const ChatTitle = z.object({
  id: z.string(),
  title: z.string(),
  updatedAt: z.number(),
  archived: z.boolean(),
})
export type ChatTitle = z.infer<typeof ChatTitle>

/** Which chats to list: those not archived, only archived chats, or all. */
export const Archived = z.enum(['without', 'only', 'also'])
export type Archived = z.infer<typeof Archived>

/** Chats, newest first, in pages. A removed chat can be restored. */
export const session = {
  'session.list': call(
    z.object({
      query: z.string().max(200).default(''),
      /** Only the chats of a project. */
      projectId: z.string().max(100).optional(),
      /** Only the chats of the runs of a schedule. */
      scheduleId: z.string().max(100).optional(),
      archived: Archived.default('also'),
      limit: z.int().min(1).max(200).default(50),
      offset: z.int().min(0).default(0),
    }),
    z.object({ sessions: z.array(Session), more: z.boolean() }),
  ),
  /** The titles of the newest `limit` chats that are not empty, newest first. */
  'session.titles': call(
    z.object({ limit: z.int().min(1).max(20_000).default(20_000) }),
    z.object({ chats: z.array(ChatTitle) }),
  ),
  /**
   * Create a chat. Absent fields come from the project, then from the settings. Without `projectId`, a chat
   * in the folder of a project belongs to that project; null means no project.
   */
  'session.create': call(
    z.object({
      projectId: id.nullable().optional(),
      modelId: z.string().max(4_096).optional(),
      workspace: z.string().max(4_096).optional(),
      ...givenOptions,
      options: OtherOptions.optional(),
      origin: z.enum(['window', 'terminal']).default('window'),
      /** Make the chat temporary. It belongs to no project. */
      temporary: z.literal(true).optional(),
    }),
    Session,
  ),
  /** Turn a temporary chat into an ordinary chat. */
  'session.keep': call(z.object({ id }), Session),
  /** End a temporary chat: stop its work, and remove all of it for good. Resolves once that is stored. */
  'session.end': call(z.object({ id }), z.object({})),
  'session.get': call(z.object({ id }), Session),
  'session.update': call(
    z.object({
      id,
      title: z.string().trim().min(1).max(200).optional(),
      modelId: z.string().min(1).max(4_096).optional(),
      workspace: z.string().min(1).max(4_096).optional(),
      pinned: z.boolean().optional(),
      archived: z.boolean().optional(),
      /**
       * Move the chat to a project, or out of its project with null. It keeps its model, mode and folder,
       * unless it is empty. Its prompt is rebuilt.
       */
      projectId: id.nullable().optional(),
      ...givenOptions,
      /** Options not named stay unchanged; null removes an option. */
      options: OtherOptions.optional(),
      draft: Draft.optional(),
      /** The chat's `turnCount` when the draft was written. A draft older than the last message is dropped. */
      draftAfter: z.int().min(0).optional(),
    }),
    Session,
  ),
  /** The answering styles, by name. */
  'session.personalities': call(z.object({}), z.object({ personalities: z.array(Personality) })),
  /**
   * Give a chat another mode for as long as the caller follows this stream; the mode is not stored. The only
   * item says that the mode is in effect. If the caller disconnects during a turn, the turn continues in the
   * chat's own mode, and its questions are denied.
   */
  'session.lendMode': stream(z.object({ id, approval: ApprovalMode }), z.object({ approval: ApprovalMode })),
  /**
   * Archive, pin or remove many chats in one transaction, or the opposite. Returns the chats that changed, so
   * that the opposite call for them undoes it.
   */
  'session.changeAll': call(
    z.object({
      ids: z.array(id).min(1).max(10_000),
      change: z.union([
        z.strictObject({ archived: z.boolean() }),
        z.strictObject({ pinned: z.boolean() }),
        z.strictObject({ removed: z.boolean() }),
      ]),
    }),
    z.object({ ids: z.array(z.string()) }),
  ),
  'session.remove': call(z.object({ id }), z.object({})),
  /** The prompt of the chat, section by section, exactly as it is sent. */
  'session.context': call(
    z.object({ id }),
    z.object({
      sections: z.array(PromptSection),
      tokens: z.int(),
      contextTokens: z.int(),
      /** Why the model rereads this chat; null if a longer chat only appends, and for servers. */
      rereads: Rereads.nullable(),
    }),
  ),
  /** Rebuild the frozen prompt with the current memory. The next turn then evaluates it from the start. */
  'session.refreshPrompt': call(z.object({ id }), z.object({})),
  'session.compactions': call(z.object({ id }), z.object({ compactions: z.array(Compaction) })),
  'session.restore': call(z.object({ id }), Session),
  /**
   * Deleted chats, newest first, and for how many days they can be restored. `removing`: how many are being
   * removed for good, which cannot be stopped. `unremoved`: chats with files that could not be removed;
   * retried at each start, each hour, and by `session.purge`. `paused`: the clock of this computer jumped, so
   * no chat is removed automatically until it is confirmed.
   */
  'session.deleted': call(
    z.object({}),
    z.object({
      chats: z.array(DeletedChat),
      days: z.int(),
      removing: z.int(),
      unremoved: z.array(UnremovedChat),
      paused: z.boolean(),
    }),
  ),
  /** Remove deleted chats, or files left of them, for good now. Resolves once the removal has started. */
  'session.purge': call(z.object({ ids: z.array(id).min(1).max(10_000) }), z.object({})),
  /** A page of messages in order, ending just before the message `before` (or with the newest). */
  'session.messages': call(
    z.object({ id, before: z.int().optional(), limit: z.int().min(1).max(500).default(60) }),
    z.object({ messages: z.array(Message), more: z.boolean() }),
  ),
}

/** A change of a chat; absent fields stay unchanged. */
export type SessionChange = Given<Omit<z.output<(typeof session)['session.update']['input']>, 'id'>>
type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Send a message to the agent, or compact a chat. Each call only starts a run, whose log has the events. */
export const chat = {
  'chat.send': call(
    z.object({
      sessionId: id,
      text: MessageText,
      /** The id of an attached skill. */
      skill: z.string().max(600).optional(),
      /** Unsent attachments of the chat to send with the message. */
      attachments: SentAttachments.optional(),
      /** The new draft of the chat, stored together with the message. Without it the draft stays unchanged. */
      draft: Draft.optional(),
    }),
    z.object({ runId: z.string() }),
  ),
  /**
   * Press a button under the newest answer of a chat (`offer`): a message with its label is sent, and its
   * turn starts with the offered call.
   */
  'chat.pick': call(
    z.object({ sessionId: id, messageId: z.int(), choice: z.int().min(0) }),
    z.object({ runId: z.string() }),
  ),
  /** Compact the chat now, as a run. `focus` says what the summary must keep. */
  'chat.compact': call(
    z.object({ sessionId: id, focus: z.string().trim().max(500).default('') }),
    z.object({ runId: z.string() }),
  ),
}

/** A matching message. `marks` are the matches in `text`, as start and end; `elsewhere`: on another branch of its chat. */
export const RecallPassage = z.object({
  messageId: z.int(),
  role: z.enum(['user', 'assistant', 'tool']),
  at: z.number(),
  text: z.string(),
  marks: z.array(z.tuple([z.int(), z.int()])),
  elsewhere: z.literal(true).optional(),
})
export type RecallPassage = z.infer<typeof RecallPassage>

/** A matching chat with its matching messages, best first. `titleMarks` are the matches in the title. */
export const RecallHit = z.object({
  sessionId: z.string(),
  origin: Origin,
  title: z.string(),
  titleMarks: z.array(z.tuple([z.int(), z.int()])),
  updatedAt: z.number(),
  passages: z.array(RecallPassage),
  archived: z.literal(true).optional(),
})
export type RecallHit = z.infer<typeof RecallHit>

/**
 * Search all chats for the user, including those of schedules and sub-agents, each with its origin. At most
 * three runs of a schedule come before other chats. `from` is inclusive, `to` exclusive.
 */
export const recall = {
  'recall.search': call(
    z.object({
      query: z.string().max(1_000),
      from: z.number().optional(),
      to: z.number().optional(),
      role: z.enum(['user', 'assistant', 'tool']).optional(),
      limit: z.int().min(1).max(50).default(20),
    }),
    z.object({ hits: z.array(RecallHit) }),
  ),
}

/** The fields of a chat that a turn needs. */
export type TurnSubject = Pick<
  Session,
  | 'id'
  | 'modelId'
  | 'workspace'
  | 'origin'
  | 'originId'
  | 'projectId'
  | 'onlyTools'
  | 'options'
  | 'temporary'
  | keyof OptionValues
>
