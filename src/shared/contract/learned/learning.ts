import { z } from 'zod'
import { call, stream } from '../../rpc.ts'
import { MemoryRevision } from './memory.ts'
import { hasSeenAll, Seen, SeenById, UNSEEN } from '../seen.ts'
import { SkillRevision } from './skills.ts'

/** What happens to the findings of a review. `ask`: they wait for the user. `save`: they are saved and announced. */
export const LearningMode = z.enum(['ask', 'save', 'off'])
export type LearningMode = z.infer<typeof LearningMode>

/**
 * One event of a conversation with an agent, ours or another one. It is the only input of the learning core: live,
 * from the store after a restart, or from a file (`talaria learn --from`). `session` groups them; `at` is epoch milliseconds.
 */
export const LearningEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('user_message'),
    session: z.string().min(1).max(200),
    at: z.number().default(0),
    text: z.string().max(400_000),
    /** The id of the message in our database, if it has one. */
    id: z.int().optional(),
    /** It was written during a turn, which goes on. */
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
  /** A tool call ended. */
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

/** What a review cost. `reusedTokens` were not evaluated again. */
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
  /** The title of the chat, or the program and folder of a session of another one; empty when the chat is gone. */
  title: z.string(),
  trigger: ReviewTrigger,
  kinds: z.array(z.enum(['memory', 'skills'])),
  state: z.enum(['queued', 'running', 'done', 'failed', 'dropped']),
  /** The last message that it covers. */
  upToId: z.int(),
  queuedAt: z.number(),
  endedAt: z.number().nullable(),
  attempts: z.int(),
  outcome: z.string(),
  cost: ReviewCost.nullable(),
})
export type Review = z.infer<typeof Review>

/** The message that a finding is based on. `nearest`: no message says it, and this sentence comes nearest to it. */
export const Evidence = z.object({
  messageId: z.int().nullable(),
  quote: z.string(),
  nearest: z.literal(true).optional(),
})
export type Evidence = z.infer<typeof Evidence>

/** A session with the agent of another program: its program, its folder (empty when unknown), and when it was last worked in. */
const LearnedFrom = z.object({ agent: z.string(), folder: z.string(), at: z.number() })
export type LearnedFrom = z.infer<typeof LearnedFrom>

/**
 * A proposed change that waits for the user. It applies to the text that it was made for; `changed` holds the current text when
 * it differs. For memory, `before` and `after` are the entry; for a skill, its SKILL.md or another file.
 */
export const Proposal = z.object({
  id: z.string(),
  /** Empty when the agent proposed it in a chat. */
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
  /** Where it was said, if in a session of another program. */
  from: LearnedFrom.optional(),
  /** Why it needs approval in any mode: it would change text of the user, or the scan found something. */
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
  /** Of what it would change and into what, and why it asks. */
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
  /** How many proposals it has blocked. */
  hits: z.int(),
})
export type LearningRule = z.infer<typeof LearningRule>

export const LearningSettings = z.object({
  mode: LearningMode,
  /** A review starts after this many user turns without memory activity, or steps without skill activity. 0 turns it off. */
  memoryNudge: z.int().min(0).max(1_000),
  skillNudge: z.int().min(0).max(1_000),
  /** Idle seconds before a review starts; 0 starts it at once. */
  idleSeconds: z.int().min(0).max(3_600),
  onlyOnMains: z.boolean(),
  /** Token budget of one review: uncached input and output. */
  budgetTokens: z.int().min(500).max(1_000_000),
  trajectories: z.boolean(),
})
export type LearningSettings = z.infer<typeof LearningSettings>

/** What was learned in one week, which begins on a Monday. */
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
/** What happens while something other than a chat of Talaria is reviewed. */
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
  /** The review that began last has ended, after its proposals. */
  z.object({
    type: z.literal('reviewed'),
    ended: z.enum(['done', 'failed']),
    outcome: z.string(),
    cost: ReviewCost.nullable(),
  }),
  /** `waiting`: reviews of sessions of other programs that wait for the budget of another day. */
  z.object({
    type: z.literal('done'),
    reviews: z.int(),
    proposals: z.int(),
    waiting: z.int().optional(),
  }),
])
export type LearnStep = z.infer<typeof LearnStep>

/** A program whose own files of sessions can be read. */
export const ReadProgram = z.enum(['claude-code', 'pi', 'codex'])
export type ReadProgram = z.infer<typeof ReadProgram>

/** An earlier session in the files of another program. No model has read it. */
const EarlierSession = z.object({
  /** The program and its own id of the session. */
  id: z.string(),
  /** Empty when its files do not tell. */
  folder: z.string(),
  /** When it was last worked in. */
  at: z.number(),
  /** Messages of the person. */
  questions: z.int(),
  /** How the first of them begins, redacted. */
  begins: z.string(),
  /** It was read in before and has gone on since. */
  hasGoneOn: z.boolean(),
})
export type EarlierSession = z.infer<typeof EarlierSession>

/** The earlier sessions of a program that could be learned from. */
const EarlierSessions = z.object({
  /** The folder of its files. */
  place: z.string(),
  sessions: z.array(EarlierSession),
  /** Sessions that were read in already, or told while they went on. */
  known: z.int(),
  /** Files of which nothing, or not all, can be used, with the reason; the first ones. */
  left: z.array(z.object({ name: z.string(), why: z.string() })),
  leftCount: z.int(),
  /** Whether there are older sessions than were asked for. */
  more: z.boolean(),
  /** Reviews of sessions of other programs within a day, and how many of them are left today. */
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
      /** The reason why queued reviews must wait; null when they may run. */
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
   * Accept proposals as they were `seen`, by id; with `text`, a single one in an edited form. A target, or a proposal, that changed
   * meanwhile is a `conflict` Fault.
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
  /** Review a chat, or all queued ones, as soon as possible. */
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
  /** Learn from events of another agent; the proposals are the same as for a chat. */
  'learning.feed': stream(
    z.object({ events: z.array(LearningEvent).min(1).max(100_000), modelId: modelId.optional() }),
    LearnStep,
  ),
  /** Learn from a text file or a folder of them, by its path; a relative one starts in the folder of the chat. */
  'learning.read': stream(
    z.object({ path: z.string().min(1).max(4_096), sessionId: id.optional(), modelId: modelId.optional() }),
    LearnStep,
  ),
  /** Earlier sessions in the files of another program, the newest first. Files are read, and nothing is stored or shown to a model. */
  'learning.earlier': call(
    z.object({
      program: ReadProgram,
      /** Only sessions of the last so many days. */
      days: z.int().min(1).max(3_650).optional(),
      limit: z.int().min(1).max(500).default(50),
    }),
    EarlierSessions,
  ),
  /** Read in earlier sessions that the person has seen in the list, by their ids, and review them as far as the budget goes. */
  'learning.readEarlier': stream(
    z.object({
      program: ReadProgram,
      ids: z.array(z.string().min(1).max(200)).min(1).max(500),
      modelId: modelId.optional(),
    }),
    LearnStep,
  ),
  /** Chats as ShareGPT lines; `outcome` says of which kind. Memory is left out unless `withMemory`. */
  'learning.trajectories': stream(
    z.object({
      outcome: z.enum(['success', 'failure', 'all']).default('all'),
      sessionId: id.optional(),
      withMemory: z.boolean().default(false),
      /** Also finished sessions with agents of other programs. */
      withOtherAgents: z.boolean().default(false),
    }),
    z.object({ line: z.string() }),
  ),
}
