import { z } from 'zod'
import { call, stream } from '../rpc.ts'
import { MemoryRevision } from './memory.ts'
import { SkillRevision } from './skills.ts'

/** What happens with what a review finds. `ask`: it waits for the person. `save`: it is saved and told. */
export const LearningMode = z.enum(['ask', 'save', 'off'])
export type LearningMode = z.infer<typeof LearningMode>

/**
 * One thing that happened in a conversation with an agent, ours or another one: all that the learning core is fed with, live,
 * from the store after a restart, or from a file (`talaria learn --from`). `session` groups them; `at` is epoch milliseconds.
 */
export const LearningEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('user_message'),
    session: z.string().min(1).max(200),
    at: z.number().default(0),
    text: z.string().max(400_000),
    /** Our own id of the message, where it has one. */
    id: z.int().optional(),
  }),
  /** A reply; `calls` counts the tools that it called. One with calls is one step of the loop. */
  z.object({
    type: z.literal('reply'),
    session: z.string().min(1).max(200),
    at: z.number().default(0),
    text: z.string().max(400_000).default(''),
    calls: z.int().min(0).default(0),
  }),
  /** A tool ran and came to an end. */
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
  /** Nobody goes on with it: a new chat was begun, the program ended, or nothing has happened for long. */
  z.object({
    type: z.literal('session_end'),
    session: z.string().min(1).max(200),
    at: z.number().default(0),
  }),
])
export type LearningEvent = z.infer<typeof LearningEvent>

/** What set a review off. `nudge`: enough turns or steps have passed. `you`: the person asked for it. */
export const ReviewTrigger = z.enum([
  'memory_nudge',
  'skill_nudge',
  'compaction',
  'session_end',
  'you',
  'events',
])
export type ReviewTrigger = z.infer<typeof ReviewTrigger>

/** What a review cost. `reusedTokens` were not evaluated again. */
export const ReviewCost = z.object({
  ms: z.number(),
  promptTokens: z.int(),
  reusedTokens: z.int(),
  outputTokens: z.int(),
  model: z.string(),
})
export type ReviewCost = z.infer<typeof ReviewCost>

/** A quiet look back at a conversation. `outcome` says in words what came of it. */
export const Review = z.object({
  id: z.string(),
  sessionId: z.string().nullable(),
  /** The title of the chat; empty when there is none any more. */
  title: z.string(),
  trigger: ReviewTrigger,
  kinds: z.array(z.enum(['memory', 'skills'])),
  state: z.enum(['queued', 'running', 'done', 'failed', 'dropped']),
  /** The last message that it looks at. */
  upToId: z.int(),
  queuedAt: z.number(),
  endedAt: z.number().nullable(),
  attempts: z.int(),
  outcome: z.string(),
  cost: ReviewCost.nullable(),
})
export type Review = z.infer<typeof Review>

/** Where something was found in the conversation. */
export const Evidence = z.object({ messageId: z.int().nullable(), quote: z.string() })
export type Evidence = z.infer<typeof Evidence>

/**
 * A change that waits for the person. It is pinned to the text that it was made for: `changed` holds the present text when
 * that is another one by now. Of memory `before` and `after` are the entry, of a skill its SKILL.md or another file.
 */
export const Proposal = z.object({
  id: z.string(),
  reviewId: z.string(),
  sessionId: z.string().nullable(),
  kind: z.enum(['memory', 'skill']),
  op: z.enum(['add', 'edit', 'remove', 'create', 'delete']),
  /** In plain words: “You use pnpm”. */
  headline: z.string(),
  /** Where it would stand: a file of the notebook, or a skill and its file. */
  place: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  changed: z.string().nullable(),
  evidence: z.array(Evidence),
  trigger: ReviewTrigger,
  /** Why it had to be asked, beyond the mode: it would change what the person wrote, or the scan found something. */
  because: z.string(),
  state: z.enum(['open', 'kept', 'rejected', 'undone', 'dropped']),
  /** It has waited for more than thirty days. */
  isStale: z.boolean(),
  at: z.number(),
  decidedAt: z.number().nullable(),
  /** What keeping it changed. */
  memoryRevisions: z.array(z.int()),
  skillRevisions: z.array(z.int()),
  cost: ReviewCost.nullable(),
})
export type Proposal = z.infer<typeof Proposal>

/** What was saved without waiting: by the agent in a chat, or by a review in the mode `save`. Newest change last. */
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

/** What a person wrote, or let be written, about what is not to be learned. */
export const LearningRule = z.object({
  id: z.string(),
  text: z.string(),
  /** What it was made from; the like of it is left out whatever a model says. */
  example: z.string(),
  at: z.number(),
  /** How often it has kept something from being proposed. */
  hits: z.int(),
})
export type LearningRule = z.infer<typeof LearningRule>

export const LearningSettings = z.object({
  mode: LearningMode,
  /** User turns without memory activity, and steps without skill activity, after which a review is due; 0 is never. */
  memoryNudge: z.int().min(0).max(1_000),
  skillNudge: z.int().min(0).max(1_000),
  /** Quiet seconds before a review begins; 0 begins at once. */
  idleSeconds: z.int().min(0).max(3_600),
  onlyOnMains: z.boolean(),
  /** Tokens that one review may read anew and write. */
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

/** What was learned, what waits, and how it is learned. */
export const learning = {
  /** Newest first, before a time; what waits is always in `waiting`, whatever the filter. */
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
      /** Why no review runs although some wait; null when one may. */
      held: z.string().nullable(),
    }),
  ),
  /** The proposals and changes of one chat, for its chips. */
  'learning.ofChat': call(
    z.object({ sessionId: id }),
    z.object({ proposals: z.array(Proposal), reviews: z.array(Review) }),
  ),
  'learning.open': call(z.object({}), z.object({ open: z.int() })),
  /** Keep proposals; with `text` the one of them in other words. A target that changed meanwhile is a `conflict` Fault. */
  'learning.keep': call(z.object({ ids, text: z.string().max(100_000).optional() }), decided),
  /** Make a proposal anew against the present text of its target, where that is possible. */
  'learning.compareAgain': call(z.object({ id }), z.object({ proposal: Proposal })),
  'learning.reject': call(
    z.object({ ids, notAgain: z.boolean().default(false) }),
    z.object({ rules: z.array(LearningRule) }),
  ),
  /** Take back what was learned: single cards, or all that came from a review, a chat, or since a time. */
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
  /** Review a chat as soon as possible, or all that wait. */
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
  /** Learn from what another agent did; the proposals come as they would from a chat. */
  'learning.feed': stream(
    z.object({
      events: z.array(LearningEvent).min(1).max(100_000),
      modelId: z.string().max(4_096).optional(),
    }),
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('review'),
        session: z.string(),
        trigger: ReviewTrigger,
        done: z.int(),
        total: z.int(),
      }),
      z.object({ type: z.literal('proposal'), proposal: Proposal }),
      z.object({ type: z.literal('done'), reviews: z.int(), proposals: z.int() }),
    ]),
  ),
  /** Chats as ShareGPT lines; `outcome` says of which kind. */
  'learning.trajectories': stream(
    z.object({ outcome: z.enum(['success', 'failure', 'all']).default('all'), sessionId: id.optional() }),
    z.object({ line: z.string() }),
  ),
}
