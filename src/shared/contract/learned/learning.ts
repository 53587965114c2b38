import { z } from 'zod'
import { call, stream } from '../../rpc.ts'
import { MemoryRevision } from './memory.ts'
import { hasSeenAll, Seen, SeenById, UNSEEN } from '../seen.ts'
import { SkillRevision } from './skills.ts'

/** What happens to the findings of a review. `ask`: they wait for the user. `save`: they are saved and announced. */
export const LearningMode = z.enum(['ask', 'save', 'off'])
export type LearningMode = z.infer<typeof LearningMode>

/**
 * One event of a conversation with our agent or another agent. Events are the only input of the learning
 * core: live, from the store after a restart, or from a file (`talaria learn --from`). `session` groups
 * events; `at` is in epoch milliseconds.
 */
export const LearningEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('user_message'),
    session: z.string().min(1).max(200),
    at: z.number().default(0),
    text: z.string().max(400_000),
    /** The id of the message in our database, if it has one. */
    id: z.int().optional(),
    /** The message was written during a turn, which continues. */
    steered: z.boolean().optional(),
  }),
  /** A reply; `calls` counts its tool calls. A reply with calls is one step of the loop. */
  z.object({
    type: z.literal('reply'),
    session: z.string().min(1).max(200),
    at: z.number().default(0),
    text: z.string().max(400_000).default(''),
    calls: z.int().min(0).default(0),
  }),
  /** A tool call has ended. */
  z.object({
    type: z.literal('tool_result'),
    session: z.string().min(1).max(200),
    at: z.number().default(0),
    name: z.string().max(200),
    arguments: z.record(z.string(), z.unknown()).default({}),
    ok: z.boolean(),
    text: z.string().max(400_000).default(''),
  }),
  z.object({
    type: z.literal('turn_end'),
    session: z.string().min(1).max(200),
    at: z.number().default(0),
    reason: z.string().max(60).default('done'),
  }),
  /** The conversation ended: a new chat was started, the program ended, or it was idle for long. */
  z.object({
    type: z.literal('session_end'),
    session: z.string().min(1).max(200),
    at: z.number().default(0),
  }),
])
export type LearningEvent = z.infer<typeof LearningEvent>

/** What triggered a review. `nudge`: enough turns or steps have passed. `you`: the user requested it. */
const ReviewTrigger = z.enum([
  'memory_nudge',
  'skill_nudge',
  'compaction',
  'session_end',
  'you',
  'events',
  'text',
])
type ReviewTrigger = z.infer<typeof ReviewTrigger>

/** The cost of a review. `reusedTokens` were not evaluated again. */
export const ReviewCost = z.object({
  ms: z.number(),
  promptTokens: z.int(),
  reusedTokens: z.int(),
  outputTokens: z.int(),
  model: z.string(),
})
export type ReviewCost = z.infer<typeof ReviewCost>

/** A background review of a conversation. `outcome` is its result as text. */
export const Review = z.object({
  id: z.string(),
  sessionId: z.string().nullable(),
  /** The title of the chat, or the program and folder of another agent's session; empty if the chat is gone. */
  title: z.string(),
  trigger: ReviewTrigger,
  kinds: z.array(z.enum(['memory', 'skills'])),
  state: z.enum(['queued', 'running', 'done', 'failed', 'dropped']),
  /** The last message that the review covers. */
  upToId: z.int(),
  queuedAt: z.number(),
  endedAt: z.number().nullable(),
  attempts: z.int(),
  outcome: z.string(),
  cost: ReviewCost.nullable(),
})
export type Review = z.infer<typeof Review>

/** The message that a finding is based on. `nearest`: no message says exactly this; the quote is the closest sentence. */
export const Evidence = z.object({
  messageId: z.int().nullable(),
  quote: z.string(),
  nearest: z.literal(true).optional(),
})
export type Evidence = z.infer<typeof Evidence>

/** A session of another program's agent: the program, its folder (empty if unknown), and the time of the last activity. */
const LearnedFrom = z.object({ agent: z.string(), folder: z.string(), at: z.number() })
export type LearnedFrom = z.infer<typeof LearnedFrom>

/**
 * A proposed change that waits for the user. It applies to the text that it was made for; `changed` is the
 * current text if that differs. For memory, `before` and `after` are the entry; for a skill, its SKILL.md or
 * another file.
 */
export const Proposal = z.object({
  id: z.string(),
  /** Empty if the agent proposed the change in a chat. */
  reviewId: z.string(),
  sessionId: z.string().nullable(),
  kind: z.enum(['memory', 'skill']),
  op: z.enum(['add', 'edit', 'remove', 'create', 'delete']),
  /** In plain words: “You use pnpm”. */
  headline: z.string(),
  /** The target: a file of the notebook, or a skill and its file. */
  place: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  changed: z.string().nullable(),
  evidence: z.array(Evidence),
  /** `chat`: the agent proposed it while it answered. */
  trigger: z.enum([...ReviewTrigger.options, 'chat']),
  /** The session of another program that the finding comes from. */
  from: LearnedFrom.optional(),
  /** Why the change needs approval in every mode: it would change the user's text, or the scan found something. */
  because: z.string(),
  state: z.enum(['open', 'kept', 'rejected', 'undone', 'dropped']),
  /** Whether it has waited for more than thirty days. */
  isStale: z.boolean(),
  at: z.number(),
  decidedAt: z.number().nullable(),
  /** The revisions made by accepting it. */
  memoryRevisions: z.array(z.int()),
  skillRevisions: z.array(z.int()),
  cost: ReviewCost.nullable(),
  /** The hash of the text before and after the change, and of the reason for asking. */
  seen: Seen,
})
export type Proposal = z.infer<typeof Proposal>

/** A change saved without asking: by the agent in a chat, or by a review in `save` mode. Newest revision last. */
export const LearnedChange = z.object({
  id: z.string(),
  at: z.number(),
  by: z.enum(['agent', 'review']),
  reviewId: z.string().nullable(),
  trigger: ReviewTrigger.nullable(),
  sessionId: z.string().nullable(),
  messageId: z.int().nullable(),
  headline: z.string(),
  memory: z.array(MemoryRevision),
  skills: z.array(SkillRevision),
  cost: ReviewCost.nullable(),
})
export type LearnedChange = z.infer<typeof LearnedChange>

/** One card or line of the Activity page. */
export const ActivityItem = z.discriminatedUnion('type', [
  z.object({ type: z.literal('proposal'), at: z.number(), proposal: Proposal }),
  z.object({ type: z.literal('change'), at: z.number(), change: LearnedChange }),
  z.object({ type: z.literal('review'), at: z.number(), review: Review }),
])
export type ActivityItem = z.infer<typeof ActivityItem>

/** A rule about what must not be learned, written by the user or made from a rejected proposal. */
export const LearningRule = z.object({
  id: z.string(),
  text: z.string(),
  /** The rejected text. Similar proposals are dropped, even if a model wants them. */
  example: z.string(),
  at: z.number(),
  /** How many proposals the rule has blocked. */
  hits: z.int(),
})
export type LearningRule = z.infer<typeof LearningRule>

export const LearningSettings = z.object({
  mode: LearningMode,
  /** A review starts after this many user turns without memory activity, or steps without skill activity. 0 turns it off. */
  memoryNudge: z.int().min(0).max(1_000),
  skillNudge: z.int().min(0).max(1_000),
  /** Idle seconds before a review starts; 0 starts it immediately. */
  idleSeconds: z.int().min(0).max(3_600),
  onlyOnMains: z.boolean(),
  /** Token budget of one review: uncached input and output. */
  budgetTokens: z.int().min(500).max(1_000_000),
  trajectories: z.boolean(),
})
export type LearningSettings = z.infer<typeof LearningSettings>

/** The numbers of one week, starting on a Monday. */
export const LearningWeek = z.object({
  from: z.number(),
  kept: z.int(),
  rejected: z.int(),
  undone: z.int(),
  reviews: z.int(),
})
export type LearningWeek = z.infer<typeof LearningWeek>

const id = z.string().min(1).max(100)
const ids = z.array(id).min(1).max(1_000)
const decided = z.object({ memoryRevisions: z.array(z.int()), skillRevisions: z.array(z.int()) })

const modelId = z.string().max(4_096)
/** A step while a text or another agent's work is reviewed. */
const LearnStep = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('review'),
    session: z.string(),
    trigger: ReviewTrigger,
    from: LearnedFrom.optional(),
    done: z.int(),
    total: z.int(),
  }),
  z.object({ type: z.literal('proposal'), proposal: Proposal }),
  /** The review that started last has ended, after its proposals. */
  z.object({
    type: z.literal('reviewed'),
    ended: z.enum(['done', 'failed']),
    outcome: z.string(),
    cost: ReviewCost.nullable(),
  }),
  /** `waiting`: reviews of other programs' sessions that wait for the budget of a later day. */
  z.object({
    type: z.literal('done'),
    reviews: z.int(),
    proposals: z.int(),
    waiting: z.int().optional(),
  }),
])
export type LearnStep = z.infer<typeof LearnStep>

/** A program whose own session files can be read. */
export const ReadProgram = z.enum(['claude-code', 'pi', 'codex'])
export type ReadProgram = z.infer<typeof ReadProgram>

/** An earlier session in the files of another program. No model has read it. */
const EarlierSession = z.object({
  /** The program and its own id of the session. */
  id: z.string(),
  /** Empty if the files do not say. */
  folder: z.string(),
  /** The time of the last activity. */
  at: z.number(),
  /** The number of messages of the user. */
  questions: z.int(),
  /** The start of the first message, redacted. */
  begins: z.string(),
  /** The session was read before and has continued since. */
  hasGoneOn: z.boolean(),
})
export type EarlierSession = z.infer<typeof EarlierSession>

/** The earlier sessions of a program that could be learned from. */
const EarlierSessions = z.object({
  /** The folder of its files. */
  place: z.string(),
  sessions: z.array(EarlierSession),
  /** The number of sessions that were read before, or reported while they were running. */
  known: z.int(),
  /** The first files that cannot be used in full, with the reasons; `leftCount` is their total number. */
  left: z.array(z.object({ name: z.string(), why: z.string() })),
  leftCount: z.int(),
  /** Whether there are older sessions than requested. */
  more: z.boolean(),
  /** How many reviews of other programs' sessions may run a day, and how many are left today. */
  budget: z.object({ aDay: z.int(), left: z.int() }),
})
export type EarlierSessions = z.infer<typeof EarlierSessions>

/** Learned changes, proposals, reviews and their settings. */
export const learning = {
  /** Newest first, before a time. Open proposals are always in `waiting`, with any filter. */
  'learning.activity': call(
    z.object({
      filter: z.enum(['all', 'memory', 'skills', 'undone', 'quiet']).default('all'),
      before: z.number().optional(),
      limit: z.int().min(1).max(200).default(50),
    }),
    z.object({
      waiting: z.array(Proposal),
      items: z.array(ActivityItem),
      more: z.boolean(),
      reviews: z.array(Review),
      settings: LearningSettings,
      /** The reason why queued reviews must wait; null if they may run. */
      held: z.string().nullable(),
    }),
  ),
  /** The proposals and changes of one chat, for its chips. */
  'learning.ofChat': call(
    z.object({ sessionId: id }),
    z.object({ proposals: z.array(Proposal), reviews: z.array(Review) }),
  ),
  'learning.open': call(z.object({}), z.object({ open: z.int() })),
  /**
   * Accept proposals as they were `seen`, by id; with `text`, a single proposal in an edited form. Throws a
   * `conflict` Fault if a target or a proposal has changed since.
   */
  'learning.keep': call(
    z.object({ ids, seen: SeenById, text: z.string().max(100_000).optional() }).refine(hasSeenAll, UNSEEN),
    decided,
  ),
  /** Rebase a proposal onto the current text of its target, where possible. */
  'learning.compareAgain': call(z.object({ id }), z.object({ proposal: Proposal })),
  'learning.reject': call(
    z.object({ ids, notAgain: z.boolean().default(false) }),
    z.object({ rules: z.array(LearningRule) }),
  ),
  /** Undo learned changes: single items, or everything from a review, a chat, or since a time. */
  'learning.undo': call(
    z.object({
      what: z.discriminatedUnion('by', [
        z.object({ by: z.literal('items'), ids }),
        z.object({ by: z.literal('review'), id }),
        z.object({ by: z.literal('chat'), id }),
        z.object({ by: z.literal('since'), at: z.number() }),
      ]),
    }),
    decided.extend({ left: z.array(z.string()) }),
  ),
  /** Review a chat, or run all queued reviews, as soon as possible. */
  'learning.review': call(z.object({ sessionId: id.optional() }), z.object({ queued: z.int() })),
  'learning.cancel': call(z.object({ reviewId: id }), z.object({})),
  'learning.rules': call(z.object({}), z.object({ rules: z.array(LearningRule) })),
  'learning.addRule': call(
    z.object({ text: z.string().trim().min(3).max(500) }),
    z.object({ rule: LearningRule }),
  ),
  'learning.removeRule': call(z.object({ id }), z.object({})),
  'learning.settings': call(LearningSettings.partial(), LearningSettings),
  'learning.weeks': call(
    z.object({ limit: z.int().min(1).max(520).default(52) }),
    z.object({ weeks: z.array(LearningWeek) }),
  ),
  /** Learn from events of another agent. Proposals are made as for a chat. */
  'learning.feed': stream(
    z.object({ events: z.array(LearningEvent).min(1).max(100_000), modelId: modelId.optional() }),
    LearnStep,
  ),
  /** Learn from a text file or a folder of text files. A relative path starts in the folder of the chat. */
  'learning.read': stream(
    z.object({ path: z.string().min(1).max(4_096), sessionId: id.optional(), modelId: modelId.optional() }),
    LearnStep,
  ),
  /** List earlier sessions in the files of another program, newest first. Nothing is stored or shown to a model. */
  'learning.earlier': call(
    z.object({
      program: ReadProgram,
      /** Only sessions of this many last days. */
      days: z.int().min(1).max(3_650).optional(),
      limit: z.int().min(1).max(500).default(50),
    }),
    EarlierSessions,
  ),
  /** Read earlier sessions that the user has seen in the list, by id, and review them within the budget. */
  'learning.readEarlier': stream(
    z.object({
      program: ReadProgram,
      ids: z.array(z.string().min(1).max(200)).min(1).max(500),
      modelId: modelId.optional(),
    }),
    LearnStep,
  ),
  /** Export chats with this `outcome` as ShareGPT lines. Memory is left out unless `withMemory` is set. */
  'learning.trajectories': stream(
    z.object({
      outcome: z.enum(['success', 'failure', 'all']).default('all'),
      sessionId: id.optional(),
      withMemory: z.boolean().default(false),
      /** Also finished sessions of other programs' agents. */
      withOtherAgents: z.boolean().default(false),
    }),
    z.object({ line: z.string() }),
  ),
}
