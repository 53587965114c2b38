import type { ToolCall, Usage } from '../../../shared/contract/chats/messages.ts'
import type { Rereads, ToolsVerdict } from '../../../shared/contract/models/model.ts'
import type { Constraint } from '../formats/grammar/constraint.ts'
import type { ModelFormat } from '../formats/format-table.ts'

export type { Constraint } from '../formats/grammar/constraint.ts'

/** A tool as a model sees it: flat, with a JSON Schema for its arguments. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> }

/** A call as it is sent. `ran`: what it was written with, where `arguments` were shortened since. */
export type SentCall = ToolCall & { ran?: ToolCall['arguments'] }

/**
 * A picture that belongs to a message, by the hash of what is kept of it. `isResult`: a tool gave it, not the person; `isAsked`: it is
 * in the message that is answered.
 */
export type PromptPicture = {
  hash: string
  name: string
  width?: number | undefined
  height?: number | undefined
  description?: string | undefined
  isResult?: true
  isAsked?: true
}

/** A picture as it is sent: its bytes in base64. */
export type SentPicture = { mime: 'image/png' | 'image/jpeg'; base64: string }

/**
 * One message in the form that engines take. With the text strategy `calls` and `callId` are absent: calls are part
 * of an assistant message's text, and results are tool messages if the model's template supports them, else user
 * messages. `generated` marks text that is exactly what a model wrote, so that the local engine can reuse its tokens.
 */
export type WireMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  generated?: boolean
  calls?: readonly SentCall[]
  callId?: string
  /** The tool that produced this result. */
  name?: string
  /** With the text strategy, the id that the call has in the text of the reply, where the model was trained on ids. */
  idInText?: string
  /** Ranges of `text` in which markup means the model's own tokens. Elsewhere it is plain text. */
  markup?: readonly (readonly [from: number, to: number])[]
  /** The pictures of the message. `seePictures` makes `images` of them for a model that sees, and text for any other. */
  pictures?: readonly PromptPicture[]
  images?: readonly SentPicture[]
}

export type Sampling = {
  temperature?: number
  topK?: number
  topP?: number
  minP?: number
  repeatPenalty?: number
  seed?: number
}

/** What an engine should continue. `sessionId` names the conversation whose evaluated prefix can be reused. */
export type Prompt = {
  sessionId: string
  messages: readonly WireMessage[]
  /** Only for engines that take tools as data (StructuredStrategy). */
  tools: readonly ToolSpec[]
  maxTokens?: number
  sampling?: Sampling
  /** Whether a local model thinks before it answers; absent leaves that to its chat template. */
  thinking?: 'on' | 'off'
  /** Where a grammar constrains the reply; it is free everywhere else. */
  constraints?: readonly Constraint[]
  /** A prefilled start of the reply: a call mark forces a call. It belongs to the reply's text. */
  begin?: string
  /**
   * What the model has written of this reply already, without its thoughts: the events hold only what comes behind it. Every
   * engine goes on there as well as it can.
   */
  written?: string
  /** `background` work pauses at the next batch while a foreground answer is running. */
  priority?: 'foreground' | 'background'
  /** What a request to a server is for, beside a chat, as the network ledger shows it. */
  purpose?: 'learning' | 'schedule'
  /** Describes a picture for a model that does not see, after the person was asked where that is needed. Never rejects. */
  describe?: DescribePicture
}

/**
 * What is told of a picture to a model that does not see it, or why nothing can be told, as a sentence with what would help.
 * `isOld`: it belongs to an earlier turn, so nobody is asked about it.
 */
export type DescribePicture = (
  picture: PromptPicture,
  signal: AbortSignal,
  isOld?: boolean,
) => Promise<{ text: string } | { refused: string }>

/** Why an engine could not answer, in a form that code can branch on. */
export type EngineFailure = {
  code:
    | 'model_missing'
    | 'model_unreadable'
    | 'out_of_memory'
    | 'context_full'
    | 'engine_gone'
    | 'unreachable'
    | 'refused'
    | 'rate_limited'
    | 'tools_unsupported'
    | 'pictures_unsupported'
    | 'picture_refused'
    | 'internal'
  /** One sentence for the user. */
  text: string
  /** What the user can do; empty when there is nothing. */
  fix: string
  /** With `context_full`, if known: the tokens of the prompt, and those that fit the model. */
  tokens?: { needed: number; holds: number }
  /** Another model may answer: this one is overloaded, down, unreachable, or rejects the key. */
  elsewhere?: true
  /** How long the server asks to wait before the next request, in ms. */
  waitMs?: number
  /** The request may be accepted without these tools, which a chat can do without. */
  refusedTools?: RefusedTools
}

/** Tools that a server refuses. `isNamed`: it says that it is about these, where otherwise they are only all that it may be about. */
export type RefusedTools = { names: readonly string[]; isNamed: boolean; said?: string }

/** A tool that is not sent to a model, and why, as a sentence for the user. */
type LeftOutTool = { name: string; why: string }

/**
 * The events of an answer. Exactly one `done` or `failed` ends the sequence. `call` comes only from engines that were
 * given tools as data; its arguments are the text that the model wrote.
 */
export type CompletionEvent =
  | { type: 'progress'; phase: 'loading' | 'reading'; done: number; total: number }
  /** A sentence for the user about this answer, such as that another model than the chosen one gives it. */
  | { type: 'notice'; text: string }
  /** Another model than the one that was asked writes this answer. It precedes the output. */
  | { type: 'writer'; name: string }
  /** What was read of the prompt, from an engine that knows it before the answer ends. It precedes the output. */
  | ({ type: 'read' } & Pick<Usage, 'promptTokens' | 'reusedTokens' | 'contextTokens'>)
  /** The end of the prompt, which may leave a construct open that the model then writes on. It precedes the text. */
  | { type: 'prompt_end'; text: string }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call'; id: string; name: string; argumentsText: string }
  | { type: 'done'; stop: 'end' | 'length'; usage: Usage }
  | ({ type: 'failed' } & EngineFailure)

/**
 * All that is known of a model beside its weights: how tools are sent to it, what else is peculiar to it, and what trying has
 * shown. This is the one place to ask: an engine says what it knows, and `Standings.follow` adds what was found out since.
 */
export type ModelProfile = {
  strategy: 'text' | 'structured'
  contextTokens: number
  /** For the text strategy: the format in which the model was trained to call tools; absent when unknown. */
  format?: ModelFormat
  /** Whether its chat template has a role for tool results. */
  toolRole?: boolean
  /** It knows only the prompt and the tools that it was trained on, and a guide decides and speaks for it. */
  guided?: true
  /** The most tokens of an answer without a call: so small a model seldom ends by itself. */
  plainTokens?: number
  /** Thoughts of earlier turns are sent back to it. */
  pastReasoning?: true
  /** Its file has no chat template: it continues texts and does not answer. */
  base?: true
  /** Its chat template tells of tools. */
  madeForTools?: true
  /** Why its chats are read anew. */
  rereads?: Rereads
  /** Whether it takes pictures; absent while that is unknown. */
  sees?: boolean
  /** What trying its tools has shown; absent while they were not tried as it is now. */
  verdict?: ToolsVerdict
}

/**
 * Anything that answers a prompt, local or remote. Failures end the stream as a `failed` event and are never thrown.
 * When `signal` aborts, the sequence ends at once without a `done`.
 */
export interface LlmEngine {
  readonly modelId: string
  readonly name: string
  /** Reads what is needed to build a prompt, without loading weights. */
  profile(): Promise<ModelProfile | EngineFailure>
  complete(prompt: Prompt, signal: AbortSignal): AsyncIterable<CompletionEvent>
  /** Tools in the form in which they are sent as data, where that is another one. */
  toolsAsSent?(tools: readonly ToolSpec[]): readonly object[]
  /** Those of some tools that are not sent as data, because the server of the model refuses them. */
  leavesOut?(tools: readonly ToolSpec[]): readonly LeftOutTool[]
  /** The tokens of a text: exact for a loaded local model, otherwise an estimate. */
  count(text: string): number
}

/** Distinguish a failure from a result. */
export const isFailure = (value: object): value is EngineFailure => 'code' in value && 'fix' in value
