import type { Message, NewMessage, StrangersMark, ToolCall } from '../../shared/contract/messages.ts'
import type {
  AccessChoice,
  Approval,
  Decision,
  NewRunEvent,
  StrangersText,
} from '../../shared/contract/run.ts'
import type { PermissionRule } from '../../shared/contract/permissions.ts'
import type { ApprovalMode } from '../../shared/contract/session.ts'
import type { LlmEngine, Prompt, Sampling, ToolSpec } from '../models/engine.ts'
import type { FileWriters } from '../tools/file-writers.ts'
import type { Registry } from '../tools/registry.ts'
import type { CommandConfinement } from '../confinement/sandbox-setting.ts'
import type { Refusal } from '../lib/expected-errors.ts'
import type { Intent, ToolContext, ToolResult } from '../tools/tool.ts'
import type { OfferedRule } from './approvals/folder-rules.ts'
import type { Budget } from './budget.ts'
import type { ExpectedAnswer } from './expected-answer.ts'
import type { Guide } from './guide.ts'
import type { Strategy } from './strategies/strategy.ts'

/** Everything that one turn works with, fixed before it starts. */
export type Turn = {
  sessionId: string
  /** Id of the message to answer. */
  askedId: number
  /** Absolute path of the chat's folder. */
  workspace: string
  /** Talaria's home folder. */
  home: string
  engine: LlmEngine
  strategy: Strategy
  /** The frozen prompt, including the tools if the strategy presents them as text. */
  system: string
  registry: Registry
  tools: readonly ToolSpec[]
  contextTokens: number
  /** Decides and speaks for a model that writes no sentences of its own. */
  guide?: Guide | undefined
  maxIterations: number
  /** What it may use at most, beside its steps; others may share it. */
  budget?: Budget | undefined
  /** How its replies are sampled, and the longest one in tokens; the model's own options decide about the rest. */
  sampling?: Sampling
  maxTokens?: number
  /** What counts for its chat, of the options that parts of the host bring, by name. */
  options?: Readonly<Record<string, unknown>>
  /** The most tokens of a reply without a call, where `maxTokens` sets no limit; then it is cut, and can go on. */
  plainTokens?: number | undefined
  /** The beginning of its first reply, which was cut off and is shown already: the model goes on behind it. */
  begun?: BegunReply | undefined
  /** The form that its last answer must have. */
  expected?: ExpectedAnswer | undefined
  /** What calls of a local model must fit; the offered tools by default. It may change between two steps. */
  callable?(): readonly ToolSpec[]
  /** What the model reads when it calls a tool that the user has switched off meanwhile; undefined when it is on. */
  whyOff?(tool: string): string | undefined
  /** The engine's tokens per estimated token, if known from elsewhere and not from a reply in the history. */
  scale?: number
  /** Background work gives way to answers that a user waits for. */
  priority?: 'background'
  /** The person asked for what repeats itself, such as “write it a hundred times”. */
  wantsRepetition?: boolean
  /** What its requests to a server are for, if not for a chat. */
  purpose?: Prompt['purpose']
  /** Another model for summaries of this chat, loaded only when a summary is needed. */
  summariser?: () => Promise<Summariser | undefined>
}

/** What a model wrote of a reply before it was cut off. The text is not empty. */
export type BegunReply = { text: string; reasoning: string; marks?: StrangersMark[] | undefined }

/** A model that summarises conversations. */
export type Summariser = Pick<Turn, 'engine' | 'strategy' | 'tools' | 'contextTokens'>

/**
 * The answer to an approval request. `unanswered`: denied without the user; `note` then says why, in one sentence. `read`: the
 * user has read the texts that the request lists.
 */
export type ApprovalAnswer = {
  decision: Decision
  note: string
  access?: AccessChoice
  unanswered?: true
  read?: true
}

/** A rule that the user allowed on a card, with how its commands run. */
export type AllowedRule = OfferedRule & Pick<PermissionRule, 'network' | 'unconfined'>

/** The standing rules as they are now. `add` is for what the user answers on a card; it refuses if the file cannot be written. */
type StandingRules = {
  current(): readonly PermissionRule[]
  add(rules: readonly AllowedRule[]): Refusal | undefined
}

/**
 * The marks of the texts from outside that are in the model's context, and of what was made from them: of all messages that it
 * reads and of the results since, without those that the person ended in this chat.
 */
export type TurnMarks = {
  current(): readonly StrangersMark[]
  add(marks: readonly StrangersMark[]): void
  /** The person has read these texts, so they do not count in this chat from now on, nor what is made from them. */
  end(ids: readonly string[]): void
  /** The marks of files of long results that a call reads; `result` is what came of it. */
  readFrom?(call: ToolCall, intent: Intent, result: ToolResult): Promise<readonly StrangersMark[]>
}

/** What a turn needs from its surroundings; it knows no store, window or transport. */
export type TurnPorts = {
  /** The newest `most` messages of the session, in order, starting at message `firstId` at the earliest. */
  history(firstId: number, most: number): readonly Message[] | Promise<readonly Message[]>
  /** Store a message; it is durable when this returns. */
  append(message: NewMessage): Message
  emit(event: NewRunEvent): void
  /** The current mode; the user may change it while the turn runs. */
  approvalMode(): ApprovalMode
  /** What confines commands; without it they run unconfined. */
  commands?: CommandConfinement
  /** The command of a background process that runs in a folder, around or below it, and may run what is written there. */
  runningIn?(this: void, folder: string): string | undefined
  grants: ReadonlySet<string>
  /** The marks of strangers' texts in the model's context; absent where nothing is kept of them. */
  strangers?: TurnMarks
  /** The texts of these marks, as a question shows them. */
  textsOf?(marks: readonly StrangersMark[]): StrangersText[]
  grant(rule: string): void
  /**
   * Hears what the user allows: the text of a grant that would cover the call again, or rules of its folder, which are then
   * not added to the standing ones.
   */
  allowed?: ((what: { grant: string } | { rules: readonly AllowedRule[] }) => void) | undefined
  /** Keeps this chat from overwriting what another one wrote; absent where it is the only one. */
  writers?: FileWriters
  /** The standing rules of the user; absent where rules do not apply. */
  rules?: StandingRules
  /**
   * A second look at a command that would run without a question: the reason to ask after all, or undefined. Absent while
   * the user does not want it.
   */
  secondLook?(intent: Intent, signal: AbortSignal): Promise<string | undefined>
  /**
   * The keys of skills, by the names of variables: `given` to the commands of this turn; and `secrets`, which no result of
   * this chat may show.
   */
  keysFor?(turn: Pick<Turn, 'sessionId' | 'askedId' | 'workspace'>): NonNullable<ToolContext['keys']>
  /** Keeps what a file is before a call of this chat changes it; see `ToolContext`. */
  keepCopy?(
    by: { sessionId: string; callId: string; folder: string },
    ...change: Parameters<NonNullable<ToolContext['keepCopy']>>
  ): ReturnType<NonNullable<ToolContext['keepCopy']>>
  /** Looks at the turn’s folder before and after each command; absent where nobody needs to know what changed. */
  aroundCommand?: AroundCommand | undefined
  /** Ask the user; resolves to a denial when no one can answer. */
  ask(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer>
  /** Cut a result to the length a model may read; the full text stays in a file for the agent. */
  cap(call: ToolCall, result: ToolResult, contextTokens: number): Promise<ToolResult>
  /**
   * Called before each request to the model, to compact a history that has grown too long. Returns the prompt
   * to use from now on.
   */
  compactHistory?(turn: Turn, signal: AbortSignal): Promise<{ system?: string; scale?: number } | undefined>
  /** Called between two steps: store what the user wrote meanwhile, so that it is in the history of the next one. */
  takeSteering?(): void
  /** The server rejected tools as data before any output. The caller restarts the turn with the text strategy. */
  refusedTools(): void
  now(): number
  /** Log a bug; the turn continues. */
  report(error: unknown): void
}

/** Called before a command runs in the folder of its turn; what it resolves to is called when it has ended. */
export type AroundCommand = (command: {
  call: ToolCall
  folder: string
  /** False for one that is confined so that it can only read. */
  mayWrite: boolean
}) => Promise<() => Promise<void>>
