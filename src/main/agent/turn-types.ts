import type { CallRecord } from '../../shared/contract/runs/call-record.ts'
import type {
  AnswerOffer,
  Message,
  NewMessage,
  StrangersMark,
  ToolCall,
  ToolMessage,
} from '../../shared/contract/chats/messages.ts'
import type {
  AccessChoice,
  Approval,
  Decision,
  EndReason,
  NewRunEvent,
  StrangersText,
} from '../../shared/contract/runs/run.ts'
import type { PermissionRule } from '../../shared/contract/runs/permissions.ts'
import type { ApprovalMode } from '../../shared/contract/chats/session.ts'
import type {
  DescribePicture,
  LlmEngine,
  Prompt,
  PromptPicture,
  Sampling,
  ToolSpec,
} from '../models/interface/engine.ts'
import type { Registry } from '../tools/registry/registry.ts'
import type { Refusal } from '../lib/expected-errors.ts'
import type { Access, CommandRights } from '../confinement/profile.ts'
import type { Intent, Tool, ToolContext, ToolResult, WebIntent } from '../tools/registry/tool.ts'
import type { Verdict } from './approvals/decide.ts'
import type { OfferedRule } from './approvals/folder-rules.ts'
import type { WebKnown } from './approvals/web-known.ts'
import type { Budget } from './budget.ts'
import type { ExpectedAnswer } from '../json-schema/expected-answer.ts'
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
  /** Decides and speaks for a model that cannot write its own sentences. */
  guide?: Guide | undefined
  maxIterations: number
  /** The steps of this turn and of its calls; see `steps/step-order.ts`. */
  steps: readonly CallStep[]
  permits: Permits
  /** The turn's budget besides `maxIterations`; may be shared with other runs. */
  budget?: Budget | undefined
  /** Sampling options and maximum tokens of a reply; the model's own options apply to the rest. */
  sampling?: Sampling
  maxTokens?: number
  /** The chat's values of options that features of the host declare, by name. */
  options?: Readonly<Record<string, unknown>>
  /** Maximum tokens of a reply without a call, if `maxTokens` is not set. A longer reply can be continued. */
  plainTokens?: number | undefined
  /** The beginning of the first reply, which was cut off and is already shown. The model continues it. */
  begun?: BegunReply | undefined
  /** The form that the last answer must have. */
  expected?: ExpectedAnswer | undefined
  /** A step begins the calls of this turn: the prompt describes no tools, and the model is offered none. */
  isDecided?: true
  /** The tools that a local model's calls must match; by default the offered tools. May change later. */
  callable?(): readonly ToolSpec[]
  /** The text for a model that calls a tool which is switched off by now; undefined if it is on. */
  whyOff?(tool: string): string | undefined
  /** Asks the user to switch on a tool that nobody has decided about yet; undefined if nothing is asked. */
  switchOn?(
    call: ToolCall,
    ports: Pick<TurnPorts, 'ask' | 'emit'>,
    signal: AbortSignal,
  ): Promise<'on' | Refusal | undefined>
  /** The engine's tokens per estimated token, if known from a source other than the history. */
  scale?: number
  /** Background work yields to answers that a user waits for. */
  priority?: 'background'
  /** The user asked for repetitive text, such as “write it a hundred times”. */
  wantsRepetition?: boolean
  /** The purpose of this turn's requests to a server, if not for a chat. */
  purpose?: Prompt['purpose']
  /** Whether the model accepts pictures; undefined while that is unknown. */
  sees?: boolean | undefined
  /** Describes a picture for a model without vision. May ask the user first. */
  describePicture?: DescribeInTurn | undefined
  /** Another model for summaries of this chat, loaded only when a summary is needed. */
  summariser?: () => Promise<Summariser | undefined>
}

/** Like `Prompt.describe`, with the ports needed to ask the user. */
export type DescribeInTurn = (
  picture: PromptPicture,
  ports: Pick<TurnPorts, 'ask' | 'emit'>,
  signal: AbortSignal,
  isOld?: boolean,
) => ReturnType<DescribePicture>

/** A prepared turn, before its question, steps and permits are known. */
export type PreparedTurn = Omit<Turn, 'askedId' | 'steps' | 'permits'>

/** The text of a reply before the reply was cut off. The text is not empty. */
export type BegunReply = { text: string; reasoning: string; marks?: StrangersMark[] | undefined }

/** A model that summarises conversations. */
export type Summariser = Pick<Turn, 'engine' | 'strategy' | 'tools' | 'contextTokens'>

/**
 * The answer to an approval request. `unanswered`: denied without the user; `note` then gives the reason in
 * one sentence. `read`: the user has read the texts that the request lists. `from`: who answered and where,
 * such as “Ada on Telegram”, if not the user in Talaria.
 */
export type ApprovalAnswer = {
  decision: Decision
  note: string
  access?: AccessChoice
  unanswered?: true
  read?: true
  from?: string
}

/** A rule that the user allowed on a card, and how its commands run. */
export type AllowedRule = OfferedRule & Pick<PermissionRule, 'network' | 'unconfined'>

/** The current standing rules. `add` stores rules from a card, or refuses if the file cannot be written. */
type StandingRules = {
  current(): readonly PermissionRule[]
  add(rules: readonly AllowedRule[]): Refusal | undefined
}

/**
 * The marks of outside texts in the model's context, and of texts derived from them. They come from all
 * messages that the model reads and from later results, minus the marks that the user ended in this chat.
 */
export type TurnMarks = {
  current(): readonly StrangersMark[]
  add(marks: readonly StrangersMark[]): void
  /** End marks: the user has read these texts. They and texts derived from them no longer count here. */
  end(ids: readonly string[]): void
  /** The marks of stored long results that a call reads. `result` is the call's result. */
  readFrom?(call: ToolCall, intent: Intent, result: ToolResult): Promise<readonly StrangersMark[]>
}

/**
 * The facts by which a turn's web calls are judged. `known` continues to read the chat; `system` is the
 * prompt with the notebook.
 */
export type TurnWeb = {
  /** Reports a prompt that a model reads. The model may pass its content on to a sub-agent. */
  hasPrompt(system: string): void
  known(system: string): Promise<WebKnown>
  /** Reports a web call that is about to run without a card, or that ran after the user was asked. */
  ran(web: WebIntent, how: 'unasked' | 'asked'): void
}

/** Where the user's answers about calls are kept, and what already lets calls run. */
export type Permits = {
  /** The user's grants in this chat, in the form of `grantFor`. */
  grants: ReadonlySet<string>
  grant(rule: string): void
  /** The user's standing rules; undefined if rules do not apply. */
  rules?: StandingRules | undefined
  /**
   * Called with what the user allows: a grant that would cover the call again, or rules for its folder. These
   * rules are then not added to the standing rules.
   */
  allowed?: ((what: { grant: string } | { rules: readonly AllowedRule[] }) => void) | undefined
  /** The marks of strangers' texts in the model's context; undefined if none are recorded. */
  strangers?: TurnMarks | undefined
  /** The policy's knowledge of the chat for judging web calls. Without it, every web call asks. */
  web?: TurnWeb | undefined
  /** The texts behind these marks, as a question shows them. */
  textsOf?: ((marks: readonly StrangersMark[]) => StrangersText[]) | undefined
}

/** Permits of a turn without a user: nothing was allowed before, and nothing is stored. */
export const noPermits = (): Permits => ({ grants: new Set(), grant: () => {} })

/** The ports of a turn. They hide the store, the window and the transport. */
export type TurnPorts = {
  /** The newest `most` messages of the session in order, none before message `firstId`. */
  history(firstId: number, most: number): readonly Message[] | Promise<readonly Message[]>
  /** Store a message; it is durable when this returns. */
  append(message: NewMessage): Message
  emit(event: NewRunEvent): void
  /** The current mode; the user may change it while the turn runs. */
  approvalMode(): ApprovalMode
  /** Ask the user; resolves to a denial if nobody can answer. */
  ask(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer>
  /**
   * Called before each request to the model; `step` counts from 0. Stores what the user wrote in the
   * meantime, and compacts a history that has grown too long. Returns the parts of the turn that change now.
   */
  beforeRequest?(
    turn: Turn,
    step: number,
    signal: AbortSignal,
  ): Promise<Partial<Pick<Turn, 'system' | 'scale' | 'tools' | 'callable'>> | undefined>
  now(): number
  /** Log a bug; the turn continues. */
  report(error: unknown): void
}

/** How a turn ended. `tools_refused`: the server rejected tools as data; tools as text may work. */
export type TurnEnd = EndReason | 'tools_refused'

/** Called before a command runs in the folder of its turn; the resolved function, after it has ended. */
export type AroundCommand = (command: {
  call: ToolCall
  folder: string
  /** False if the command is confined to reading. */
  mayWrite: boolean
}) => Promise<() => Promise<void>>

/** A failed result with its reason. */
export type Failure = Extract<ToolResult, { ok: false }>

/** Whether and how a call runs, or its result instead. `read`: texts that the user confirmed to have read. */
export type Permission = { record: CallRecord; read?: readonly StrangersMark[] } & (
  | { refusal: Failure; access?: never }
  | { refusal?: never; access: Access; byUser?: true; answer?: string }
)

/** A call on its way through the steps: its tool is found, its arguments are valid, its intent is known. */
export type CallAt = {
  turn: Turn
  ports: TurnPorts
  signal: AbortSignal
  call: ToolCall
  /** The step that began the call in place of the model. */
  begunBy?: string
  tool: Tool
  input: Record<string, unknown>
  intent: Intent
  /** A remark on the arguments, such as an unknown one. The model reads it below the result. */
  note?: string | undefined
  /** How commands can run on this computer, as the policy found out. */
  rights: CommandRights
  /** The names of the keys that the command would get. */
  keys: readonly string[]
  /** The latest decision; a step around the call may ask again. */
  permission?: Permission
  /** The tool was started, inside all steps around it. */
  hasBegun?: true
}

/** A call with a result. If it was refused before the steps, it has only the required fields. */
export type EndedCall = Pick<CallAt, 'turn' | 'ports' | 'signal' | 'call'> & Partial<CallAt>

/** Extras that steps add to a tool's context. */
export type Given = Pick<ToolContext, 'keys' | 'keepCopy' | 'confine' | 'guards'>

/**
 * Why a model's wording of a result is not an answer. `unfounded`: it states things that are not in the
 * result, or it says nothing about the result.
 */
export type WordingFault = 'empty' | 'looping' | 'same' | 'echo' | 'unreadable' | 'unfounded'

/** How to word the result of a begun call: by the model, else by Talaria. `history` ends with the result. */
export type Wording = {
  /** Maximum tokens of the model's wording. */
  mostTokens(history: readonly Message[]): number
  /** Whether the model is asked at all. */
  mayAsk(history: readonly Message[]): boolean
  judge(text: string, history: readonly Message[]): WordingFault | undefined
  /** Whether the text so far can no longer become an answer. */
  isAstray(text: string, history: readonly Message[]): boolean
  /** The result in Talaria's own words, made by fixed rules. */
  tell(history: readonly Message[]): string
}

/**
 * One concern's part in a turn and its calls. Every hook is optional; `step-order.ts` defines the order of
 * the steps and the meaning of a throw.
 */
export type CallStep = {
  name: string
  /** Called before the first request of a message. A returned call runs like a call of the model. */
  begin?(turn: Turn, ports: TurnPorts, signal: AbortSignal): Promise<ToolCall | undefined>
  /** How to word the result of the call that this step began; undefined if the turn continues as usual. */
  word?(turn: Turn): Promise<Wording | undefined>
  /** Judges a call, given the verdict of the previous steps. Without any step that judges, nothing runs. */
  check?(call: CallAt, verdict: Verdict): Verdict | Promise<Verdict>
  /** Wraps a call. `run` runs the inner steps and the tool with the given extras. A refusal is a result. */
  around?(call: CallAt, given: Given, run: (given: Given) => Promise<ToolResult>): Promise<ToolResult>
  /** Changes what the model and the user see of a call that ran or was refused. */
  after?(call: EndedCall, result: ToolResult): ToolResult | Promise<ToolResult>
  /** Called before a turn's last answer is stored: what to offer below it. `ended`: the turn's results. */
  offer?(answer: string, ended: readonly Omit<ToolMessage, 'id'>[]): AnswerOffer | undefined
}
