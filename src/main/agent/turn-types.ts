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
  /** Decides and speaks for a model that writes no sentences of its own. */
  guide?: Guide | undefined
  maxIterations: number
  /** What is done with it and its calls; see `steps/step-order.ts`. */
  steps: readonly CallStep[]
  permits: Permits
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
  /** A step begins its calls: its prompt tells of no tools, and its model is offered none. */
  isDecided?: true
  /** What calls of a local model must fit; the offered tools by default. It may change between two steps. */
  callable?(): readonly ToolSpec[]
  /** What the model reads when it calls a tool that the user has switched off meanwhile; undefined when it is on. */
  whyOff?(tool: string): string | undefined
  /** Asks the person to switch on what the model calls and nobody has decided about yet; undefined where that is not asked. */
  switchOn?(
    call: ToolCall,
    ports: Pick<TurnPorts, 'ask' | 'emit'>,
    signal: AbortSignal,
  ): Promise<'on' | Refusal | undefined>
  /** The engine's tokens per estimated token, if known from elsewhere and not from a reply in the history. */
  scale?: number
  /** Background work gives way to answers that a user waits for. */
  priority?: 'background'
  /** The person asked for what repeats itself, such as “write it a hundred times”. */
  wantsRepetition?: boolean
  /** What its requests to a server are for, if not for a chat. */
  purpose?: Prompt['purpose']
  /** Whether its model takes pictures; absent while that is unknown. */
  sees?: boolean | undefined
  /** Describes a picture for a model that does not see; it may ask the person first. */
  describePicture?: DescribeInTurn | undefined
  /** Another model for summaries of this chat, loaded only when a summary is needed. */
  summariser?: () => Promise<Summariser | undefined>
}

/** As `Prompt.describe`, with the ports by which the person is asked. */
export type DescribeInTurn = (
  picture: PromptPicture,
  ports: Pick<TurnPorts, 'ask' | 'emit'>,
  signal: AbortSignal,
  isOld?: boolean,
) => ReturnType<DescribePicture>

/** A turn that is prepared, before it is known what it answers and who is asked. */
export type PreparedTurn = Omit<Turn, 'askedId' | 'steps' | 'permits'>

/** What a model wrote of a reply before it was cut off. The text is not empty. */
export type BegunReply = { text: string; reasoning: string; marks?: StrangersMark[] | undefined }

/** A model that summarises conversations. */
export type Summariser = Pick<Turn, 'engine' | 'strategy' | 'tools' | 'contextTokens'>

/**
 * The answer to an approval request. `unanswered`: denied without the user; `note` then says why, in one sentence. `read`: the
 * user has read the texts that the request lists. `from`: who answered and where, such as “Ada on Telegram”, if not the user in Talaria.
 */
export type ApprovalAnswer = {
  decision: Decision
  note: string
  access?: AccessChoice
  unanswered?: true
  read?: true
  from?: string
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

/** What calls of a turn to the web are judged by. `known` reads on in the chat; `system` is the prompt, which holds the notebook. */
export type TurnWeb = {
  /** A model reads this prompt, and may give what stands there to a sub-agent. */
  hasPrompt(system: string): void
  known(system: string): Promise<WebKnown>
  /** A call is about to run without a card, or one has run that the user was asked about. */
  ran(web: WebIntent, how: 'unasked' | 'asked'): void
}

/** Where the answers of the user to questions about calls are kept, and what already lets calls run. */
export type Permits = {
  /** What the user allowed in this chat, in the form of `grantFor`. */
  grants: ReadonlySet<string>
  grant(rule: string): void
  /** The standing rules of the user; absent where rules do not apply. */
  rules?: StandingRules | undefined
  /**
   * Hears what the user allows: the text of a grant that would cover the call again, or rules of its folder, which are then
   * not added to the standing ones.
   */
  allowed?: ((what: { grant: string } | { rules: readonly AllowedRule[] }) => void) | undefined
  /** The marks of strangers' texts in the model's context; absent where nothing is kept of them. */
  strangers?: TurnMarks | undefined
  /** What the policy knows of the chat when it judges calls to the web. Without it each asks. */
  web?: TurnWeb | undefined
  /** The texts of these marks, as a question shows them. */
  textsOf?: ((marks: readonly StrangersMark[]) => StrangersText[]) | undefined
}

/** Permits of a turn without a person: nothing was allowed before, and nothing is kept. */
export const noPermits = (): Permits => ({ grants: new Set(), grant: () => {} })

/** What a turn needs from its surroundings; it knows no store, window or transport. */
export type TurnPorts = {
  /** The newest `most` messages of the session, in order, starting at message `firstId` at the earliest. */
  history(firstId: number, most: number): readonly Message[] | Promise<readonly Message[]>
  /** Store a message; it is durable when this returns. */
  append(message: NewMessage): Message
  emit(event: NewRunEvent): void
  /** The current mode; the user may change it while the turn runs. */
  approvalMode(): ApprovalMode
  /** Ask the user; resolves to a denial when no one can answer. */
  ask(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer>
  /**
   * Called before each request to the model, `step` counts from 0: stores what the user wrote meanwhile, and compacts a history that
   * has grown too long. Returns what changes in the turn from now on.
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

/** How a turn ended. `tools_refused`: the server rejected tools as data before any output; with tools as text it may work. */
export type TurnEnd = EndReason | 'tools_refused'

/** Called before a command runs in the folder of its turn; what it resolves to is called when it has ended. */
export type AroundCommand = (command: {
  call: ToolCall
  folder: string
  /** False for one that is confined so that it can only read. */
  mayWrite: boolean
}) => Promise<() => Promise<void>>

/** A result that says why there is none. */
export type Failure = Extract<ToolResult, { ok: false }>

/** Whether a call runs, and how; or what the model gets to read instead. `read`: the texts that the user says to have read. */
export type Permission = { record: CallRecord; read?: readonly StrangersMark[] } & (
  | { refusal: Failure; access?: never }
  | { refusal?: never; access: Access; byUser?: true; answer?: string }
)

/** One call on its way through the steps: found, valid and described. */
export type CallAt = {
  turn: Turn
  ports: TurnPorts
  signal: AbortSignal
  call: ToolCall
  /** The step that began it in place of the model. */
  begunBy?: string
  tool: Tool
  input: Record<string, unknown>
  intent: Intent
  /** A remark on the arguments, such as an unknown one, which the model reads below the result. */
  note?: string | undefined
  /** How commands can run here, as the policy found it. */
  rights: CommandRights
  /** The names of the keys that its command would get. */
  keys: readonly string[]
  /** What was decided last; a step around the call may ask again. */
  permission?: Permission
  /** Its tool was started, within all steps around it. */
  hasBegun?: true
}

/** A call that has a result. One that was refused before the steps, such as one of a tool that is not there, has no more than this. */
export type EndedCall = Pick<CallAt, 'turn' | 'ports' | 'signal' | 'call'> & Partial<CallAt>

/** What steps give a tool beside what every call gets. */
export type Given = Pick<ToolContext, 'keys' | 'keepCopy' | 'confine' | 'guards'>

/** Why what a model wrote about a result is no answer. `unfounded`: it states things that are not in the result, or nothing that is. */
export type WordingFault = 'empty' | 'looping' | 'same' | 'echo' | 'unreadable' | 'unfounded'

/**
 * How the result of a begun call is said: by the model, which is offered no tools for it, else by Talaria. Each `history` ends with the
 * result.
 */
export type Wording = {
  /** The most tokens of what the model says. */
  mostTokens(history: readonly Message[]): number
  /** Whether the model is asked at all. */
  mayAsk(history: readonly Message[]): boolean
  judge(text: string, history: readonly Message[]): WordingFault | undefined
  /** Whether no answer can come of what the model has said until now. */
  isAstray(text: string, history: readonly Message[]): boolean
  /** The result in the words of Talaria, made by rules. */
  tell(history: readonly Message[]): string
}

/**
 * What one concern does with a turn and its calls. All of it is optional; `step-order.ts` says in which order the steps have their
 * turn, and what a throw means.
 */
export type CallStep = {
  name: string
  /** Before the first request of a message. A call that it returns runs like one of the model. */
  begin?(turn: Turn, ports: TurnPorts, signal: AbortSignal): Promise<ToolCall | undefined>
  /** How the result of the call that it began is said; undefined where the turn goes on as any other. */
  word?(turn: Turn): Promise<Wording | undefined>
  /** Judges a call, given the verdict of the steps before it. Without any step that judges, nothing runs. */
  check?(call: CallAt, verdict: Verdict): Verdict | Promise<Verdict>
  /** Works around a call. `run` runs what is inside, with what the tool is given; a refusal instead of it is a result too. */
  around?(call: CallAt, given: Given, run: (given: Given) => Promise<ToolResult>): Promise<ToolResult>
  /** Changes what the model and the person get of a call that ran or was refused. */
  after?(call: EndedCall, result: ToolResult): ToolResult | Promise<ToolResult>
  /** Before the answer that ends a turn is stored: what is offered under it. `ended`: the results of the turn. */
  offer?(answer: string, ended: readonly Omit<ToolMessage, 'id'>[]): AnswerOffer | undefined
}
