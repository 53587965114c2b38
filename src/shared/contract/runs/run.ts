import { z } from 'zod'
import { call, stream } from '../../rpc.ts'
import { MemoryRevision, MemoryTarget } from '../learned/memory.ts'
import { AssistantMessage, Message, MessageText, StrangersMark, ToolCall, Usage } from '../chats/messages.ts'
import { Compaction } from '../chats/session.ts'
import { SkillRevision } from '../learned/skills.ts'

/** Why a turn ended. An `error` event with text and fix comes before `failed`. */
export const EndReason = z.enum(['done', 'stopped', 'budget_exhausted', 'tool_calls_invalid', 'failed'])
export type EndReason = z.infer<typeof EndReason>

/**
 * A text from outside that may be behind a question. `beginning` is how it starts, empty if the chat no longer holds it; `call` is
 * the title of the call that read it. The whole of it is in the message `messageId` of the chat `sessionId`.
 */
export const StrangersText = StrangersMark.extend({
  beginning: z.string(),
  call: z.string().optional(),
  sessionId: z.string().optional(),
  messageId: z.int().optional(),
})
export type StrangersText = z.infer<typeof StrangersText>

/** An approval request: may this call run? `detail` is the exact command or diff, never shortened. */
export const Approval = z.object({
  id: z.string(),
  callId: z.string(),
  tool: z.string(),
  /** The sub-agent that asks, when it is not the agent of the chat itself. */
  agent: z.object({ sessionId: z.string(), name: z.string() }).optional(),
  title: z.string(),
  detail: z.string(),
  folder: z.string(),
  reason: z.string(),
  risk: z.enum(['read', 'write', 'execute', 'network']),
  mayAllowInChat: z.boolean(),
  /** No mode of approval would let it run without a question. */
  inEveryMode: z.literal(true).optional(),
  /**
   * What makes more of it than a call in the folder of the chat: it reaches outside, it changes what programs obey, a rule of the user asks
   * each time, its tool always asks. Absent in events of older versions.
   */
  beyond: z.array(z.enum(['outside', 'obeyed', 'rule', 'tool'])).optional(),
  /** In the trial run of a schedule: what follows for its later runs when this is allowed, as a sentence. */
  trial: z.string().optional(),
  /** The tool of a server that the call would use, in words. */
  uses: z.string().optional(),
  /** The tool of a server, in words, that the decision `always` would let run without a question. */
  always: z.string().optional(),
  /** What each simple command does, in the order of the command line. */
  parts: z.array(z.object({ command: z.string(), reasons: z.array(z.string()) })).optional(),
  /** The standing rules that the decision `folder` would add, as text; absent where it is not offered. */
  folderRules: z.array(z.string()).optional(),
  /** For calls to the web: what would be sent, whole, and what of it comes from texts of this chat. */
  sends: z.object({ text: z.string(), data: z.array(z.string()) }).optional(),
  /** Texts from outside that the chat has read: why it asks, or what may be behind it. An answer with `read` ends that for these alone. */
  texts: z.array(StrangersText).optional(),
  /** The call only asks this. Every decision but `deny` answers it, and `note` is then the answer. */
  question: z.object({ text: z.string(), choices: z.array(z.string()) }).optional(),
  /** For commands: how it may run here. `whyNot` is empty where commands are confined; `keys` names what it gets. */
  command: z
    .object({
      whyNot: z.string(),
      offline: z.boolean(),
      /** What it may write of the files that programs obey. Events of older versions have `gitConfig` instead. */
      obeyed: z.enum(['nothing', 'git', 'all']).optional(),
      gitConfig: z.boolean().optional(),
      /** Those that are known, with who obeys them; paths in the chat’s folder. */
      obeyedFiles: z.array(z.object({ path: z.string(), by: z.string() })).optional(),
      /** Keys of skills in its environment. Absent in events that an older version stored. */
      keys: z.array(z.string()).optional(),
    })
    .optional(),
})
export type Approval = z.infer<typeof Approval>

/** `folder`: from now on without a question in this folder and below. `always`: this tool of a server, as it is now. */
export const Decision = z.enum(['once', 'chat', 'folder', 'always', 'deny'])
export type Decision = z.infer<typeof Decision>

/** How an allowed command runs: without network, with it, or without confinement. */
export const AccessChoice = z.enum(['confined', 'network', 'unconfined'])
export type AccessChoice = z.infer<typeof AccessChoice>

const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ seq: z.int(), at: z.number(), type: z.literal(type), ...shape })

/** One step of a run. `seq` counts from 1 without gaps within a run; a `message` replaces the deltas before it. */
export const RunEvent = z.discriminatedUnion('type', [
  event('turn_start', { message: Message, model: z.string() }),
  event('progress', { phase: z.enum(['loading', 'reading']), done: z.number(), total: z.number() }),
  // Other models are asked for advice before the answer, by their names; again each time one has `answered` or `failed`. Events of older
  // versions lack these.
  event('advising', {
    models: z.array(z.string()),
    answered: z.array(z.string()).optional(),
    failed: z.array(z.string()).optional(),
  }),
  event('text_delta', { text: z.string() }),
  event('reasoning_delta', { text: z.string() }),
  event('tool_call', { call: ToolCall, title: z.string() }),
  event('approval_request', { approval: Approval }),
  event('approval_resolved', {
    approvalId: z.string(),
    callId: z.string(),
    decision: Decision,
    note: z.string(),
    /** Who answered and where, if not the user in Talaria: “Ada on Telegram”. */
    from: z.string().optional(),
    /** The texts that the user says to have read. */
    read: z.array(StrangersMark).optional(),
  }),
  event('tool_output', { callId: z.string(), text: z.string() }),
  // A sub-agent of the call has begun, changed what it does, or ended; `app.watch` says more.
  event('agent', { callId: z.string(), name: z.string(), line: z.string(), ended: z.boolean() }),
  event('message', { message: Message }),
  // `isVoid`: of an answer that is void, so it says nothing about how full the chat is.
  event('context_usage', { usage: Usage, isVoid: z.literal(true).optional() }),
  // The text that was streamed since the last message was reasoning, as its end shows.
  event('was_thought', {}),
  // The agent changed its memory.
  event('memory', { revisions: z.array(MemoryRevision) }),
  // The agent changed its skills.
  event('skills', { revisions: z.array(SkillRevision) }),
  // The agent loaded a skill.
  event('skill_used', { id: z.string(), name: z.string() }),
  // Another model has said what is in a picture, for one that does not see it.
  event('picture_described', { hash: z.string(), description: z.string() }),
  // The answer claims to have saved something, or forgotten it (`isForgetting`), but memory is as it was. `quote` is the claim, `text`
  // what could be saved; empty where that cannot be told.
  event('unsaved_claim', {
    messageId: z.int(),
    quote: z.string(),
    text: z.string(),
    target: MemoryTarget,
    isForgetting: z.literal(true).optional(),
  }),
  // Before a summary, the messages that it replaces are reviewed, until that is done or the user skips it.
  event('flushing', {}),
  // The end of that review; `text` is for the user, and empty when there is nothing to say.
  event('flushed', { end: z.enum(['done', 'skipped', 'failed']), text: z.string() }),
  // A summary is replacing older messages for the model. They stay in the chat.
  event('compacting', { tokens: z.int(), contextTokens: z.int() }),
  event('compacted', { compaction: Compaction }),
  // The streamed reply is void, because it was empty, repeated itself, could not be read, answered nothing, or told of what no tool
  // found. The model is asked again; with `instead`, Talaria says by rules what the call came to.
  event('retry', {
    reason: z.enum(['empty', 'looping', 'same', 'echo', 'unreadable', 'unfounded']),
    instead: z.literal(true).optional(),
  }),
  // The chat exceeds the context window; `leftOut` says what the model no longer sees.
  event('context_full', {
    neededTokens: z.int(),
    contextTokens: z.int(),
    leftOut: z.enum(['turns', 'results', 'steps', 'nothing']),
  }),
  // One question went to two models; each is a lane.
  event('compare_start', { message: Message, lanes: z.array(z.object({ modelId: z.string() })) }),
  // A lane has written; `again`: what it wrote is void, and the model is asked once more.
  event('compare_delta', { lane: z.int(), part: z.enum(['text', 'thoughts', 'again']), text: z.string() }),
  event('compare_answer', { lane: z.int(), answer: AssistantMessage }),
  event('compare_end', { lane: z.int(), reason: EndReason, text: z.string(), fix: z.string() }),
  // `offersOthers`: a new chat or another model may help, so both are offered.
  event('warning', { text: z.string(), offersOthers: z.literal(true).optional() }),
  event('error', { text: z.string(), fix: z.string() }),
  event('turn_end', { reason: EndReason }),
])
export type RunEvent = z.infer<typeof RunEvent>

/** A run event before the log numbers it. */
export type NewRunEvent = RunEvent extends infer E
  ? E extends RunEvent
    ? Omit<E, 'seq' | 'at'>
    : never
  : never

/** Follow, stop and answer a run; `watch` replays everything after the event number `after` and ends with the run. */
export const run = {
  'run.watch': stream(z.object({ runId: z.string().min(1), after: z.int().min(0).default(0) }), RunEvent),
  /**
   * Offer a message to the model of a run, which gets it before its next step. The first item says that the run holds it, and
   * the second, with `taken`, that it is stored and given. It ends without that if the run waits for approval or ends first;
   * then nothing of it is stored. Leaving takes the offer back.
   */
  'run.steer': stream(
    z.object({ runId: z.string().min(1), text: MessageText }),
    z.object({ taken: z.boolean() }),
  ),
  'run.stop': call(z.object({ runId: z.string().min(1) }), z.object({})),
  /** Skip the review before a summary. It is done later, in the background; the run goes on. */
  'run.skip': call(z.object({ runId: z.string().min(1) }), z.object({})),
  'run.approve': call(
    z.object({
      runId: z.string().min(1),
      approvalId: z.string().min(1),
      decision: Decision,
      note: z.string().max(2_000).default(''),
      access: AccessChoice.default('confined'),
      /** The user has read the texts that the question lists: allow the call once, and no longer ask because of them. */
      read: z.literal(true).optional(),
    }),
    z.object({}),
  ),
}
