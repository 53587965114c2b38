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
 * A text from outside that may have led to a question. `beginning`: its start, empty if the chat no longer
 * has it. `call`: the title of the call that read it. The full text is in the message `messageId` of the chat
 * `sessionId`.
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
  /** The sub-agent that asks, if it is not the agent of the chat itself. */
  agent: z.object({ sessionId: z.string(), name: z.string() }).optional(),
  title: z.string(),
  detail: z.string(),
  folder: z.string(),
  reason: z.string(),
  risk: z.enum(['read', 'write', 'execute', 'network']),
  mayAllowInChat: z.boolean(),
  /** No approval mode would let the call run without a question. */
  inEveryMode: z.literal(true).optional(),
  /**
   * Why the call is more than a call in the chat's folder: it reaches outside, it changes files that programs
   * obey, a rule of the user asks each time, or its tool always asks. Absent in events of older versions.
   */
  beyond: z.array(z.enum(['outside', 'obeyed', 'rule', 'tool'])).optional(),
  /** In the trial run of a schedule: the effect on later runs if the call is allowed, as a sentence. */
  trial: z.string().optional(),
  /** The server tool that the call would use, in words. */
  uses: z.string().optional(),
  /** The server tool, in words, that the decision `always` would let run without a question. */
  always: z.string().optional(),
  /** What each simple command does, in the order of the command line. */
  parts: z.array(z.object({ command: z.string(), reasons: z.array(z.string()) })).optional(),
  /** The standing rules that the decision `folder` would add, as text; absent if that is not offered. */
  folderRules: z.array(z.string()).optional(),
  /**
   * For calls to the web: the full text that would be sent, and the parts that come from texts of this chat.
   */
  sends: z.object({ text: z.string(), data: z.array(z.string()) }).optional(),
  /**
   * Texts from outside that the chat has read and that may have led to the call. After an answer with `read`,
   * these texts cause no more questions.
   */
  texts: z.array(StrangersText).optional(),
  /**
   * The call only asks this question. Every decision except `deny` answers it, and `note` is then the answer.
   */
  question: z.object({ text: z.string(), choices: z.array(z.string()) }).optional(),
  /**
   * For commands: how the command may run here. `whyNot` is empty if commands are confined; `keys` names the
   * keys that it gets.
   */
  command: z
    .object({
      whyNot: z.string(),
      offline: z.boolean(),
      /**
       * Which files that programs obey the command may write. Events of older versions have `gitConfig`
       * instead.
       */
      obeyed: z.enum(['nothing', 'git', 'all']).optional(),
      gitConfig: z.boolean().optional(),
      /** The known files of this kind, with the programs that obey them; paths in the chat’s folder. */
      obeyedFiles: z.array(z.object({ path: z.string(), by: z.string() })).optional(),
      /** Keys of skills in its environment. Absent in events that an older version stored. */
      keys: z.array(z.string()).optional(),
    })
    .optional(),
})
export type Approval = z.infer<typeof Approval>

/**
 * `folder`: no more questions in this folder and below. `always`: no more questions for this server tool, as
 * it is now.
 */
export const Decision = z.enum(['once', 'chat', 'folder', 'always', 'deny'])
export type Decision = z.infer<typeof Decision>

/** How an allowed command runs: without network, with it, or without confinement. */
export const AccessChoice = z.enum(['confined', 'network', 'unconfined'])
export type AccessChoice = z.infer<typeof AccessChoice>

const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ seq: z.int(), at: z.number(), type: z.literal(type), ...shape })

/**
 * One step of a run. `seq` counts from 1 without gaps within a run; a `message` replaces the deltas before
 * it.
 */
export const RunEvent = z.discriminatedUnion('type', [
  event('turn_start', { message: Message, model: z.string() }),
  event('progress', { phase: z.enum(['loading', 'reading']), done: z.number(), total: z.number() }),
  // Other models, by name, are asked for advice before the answer. Sent again each time one has `answered` or
  // `failed`; events of older versions lack these two fields.
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
    /** The texts that the user confirmed to have read. */
    read: z.array(StrangersMark).optional(),
  }),
  event('tool_output', { callId: z.string(), text: z.string() }),
  // A sub-agent of the call has started, changed its activity, or ended; `app.watch` has the details.
  event('agent', { callId: z.string(), name: z.string(), line: z.string(), ended: z.boolean() }),
  event('message', { message: Message }),
  // `isVoid`: the usage of a void answer, which says nothing about how full the context window is.
  event('context_usage', { usage: Usage, isVoid: z.literal(true).optional() }),
  // The text streamed since the last message turned out to be reasoning.
  event('was_thought', {}),
  // The agent changed its memory.
  event('memory', { revisions: z.array(MemoryRevision) }),
  // The agent changed its skills.
  event('skills', { revisions: z.array(SkillRevision) }),
  // The agent loaded a skill.
  event('skill_used', { id: z.string(), name: z.string() }),
  // Another model has described a picture for a model that cannot see pictures.
  event('picture_described', { hash: z.string(), description: z.string() }),
  // The answer claims to have saved or forgotten something (`isForgetting`), but memory is unchanged. `quote`
  // is the claim, `text` the text that could be saved; empty if unknown.
  event('unsaved_claim', {
    messageId: z.int(),
    quote: z.string(),
    text: z.string(),
    target: MemoryTarget,
    isForgetting: z.literal(true).optional(),
  }),
  // Before a summary, the messages that it replaces are reviewed, until that is done or the user skips it.
  event('flushing', {}),
  // The end of that review; `text` is for the user, and empty if there is nothing to say.
  event('flushed', { end: z.enum(['done', 'skipped', 'failed']), text: z.string() }),
  // A summary is replacing older messages for the model. They stay in the chat.
  event('compacting', { tokens: z.int(), contextTokens: z.int() }),
  event('compacted', { compaction: Compaction }),
  // The streamed reply is void: it was empty, repeated itself, could not be read, answered nothing, or
  // reported what no tool found. The model is asked again; with `instead`, Talaria reports the result of the
  // call by fixed rules.
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
  // A lane has written text. `again`: its text so far is void, and the model is asked again.
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

/**
 * Follow, stop and answer a run; `watch` replays everything after the event number `after` and ends with the
 * run.
 */
export const run = {
  'run.watch': stream(z.object({ runId: z.string().min(1), after: z.int().min(0).default(0) }), RunEvent),
  /**
   * Offer a message to the model of a run, which gets it before its next step. The first item says that the
   * run has the message, the second, with `taken`, that it is stored and given to the model. The stream ends
   * without the second item if the run waits for approval or ends first; then nothing is stored. Leaving the
   * stream withdraws the offer.
   */
  'run.steer': stream(
    z.object({ runId: z.string().min(1), text: MessageText }),
    z.object({ taken: z.boolean() }),
  ),
  'run.stop': call(z.object({ runId: z.string().min(1) }), z.object({})),
  /** Skip the review before a summary. The review runs later in the background, and the run continues. */
  'run.skip': call(z.object({ runId: z.string().min(1) }), z.object({})),
  'run.approve': call(
    z.object({
      runId: z.string().min(1),
      approvalId: z.string().min(1),
      decision: Decision,
      note: z.string().max(2_000).default(''),
      access: AccessChoice.default('confined'),
      /**
       * The user has read the texts that the question lists: allow the call once, and no longer ask because
       * of them.
       */
      read: z.literal(true).optional(),
    }),
    z.object({}),
  ),
}
