import type { ToolCall, Usage } from '../../../shared/contract/chats/messages.ts'
import type { Rereads, ToolsVerdict } from '../../../shared/contract/models/model.ts'
import type { Constraint } from '../formats/grammar/constraint.ts'
import type { ModelFormat } from '../formats/format-table.ts'

export type { Constraint } from '../formats/grammar/constraint.ts'

/** A tool as a model sees it: flat, with a JSON Schema for its arguments. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> }

/** A call as it is sent. `ran`: the arguments that the model wrote, if `arguments` were shortened since. */
export type SentCall = ToolCall & { ran?: ToolCall['arguments'] }

/**
 * A picture that belongs to a message. `hash` names the stored copy. `isResult`: a tool produced it, not the
 * user. `isAsked`: it is in the message that is being answered.
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
 * One message in the form that engines take. With the text strategy, `calls` and `callId` are absent: calls
 * are part of the assistant's text. Results are then tool messages if the model's template supports them,
 * else user messages. `generated` marks text that is exactly what a model wrote, so that the local engine can
 * reuse its tokens.
 */
export type WireMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  generated?: boolean
  calls?: readonly SentCall[]
  callId?: string
  /** The tool that produced this result. */
  name?: string
  /** With the text strategy, the call's id in the text of the reply, if the model was trained on ids. */
  idInText?: string
  /** Ranges of `text` in which markup stands for the model's own tokens. Elsewhere it is plain text. */
  markup?: readonly (readonly [from: number, to: number])[]
  /** The pictures of the message. `seePictures` makes `images` of them, or text for models without vision. */
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

/** The input of an engine. `sessionId` names the conversation whose evaluated prefix can be reused. */
export type Prompt = {
  sessionId: string
  messages: readonly WireMessage[]
  /** The tools, only for engines that take them as data (StructuredStrategy). */
  tools: readonly ToolSpec[]
  maxTokens?: number
  sampling?: Sampling
  /** Whether a local model thinks before it answers. If absent, its chat template decides. */
  thinking?: 'on' | 'off'
  /** Where a grammar constrains the reply. All other text is free. */
  constraints?: readonly Constraint[]
  /** A prefilled start of the reply, and part of its text. A call mark here forces a call. */
  begin?: string
  /**
   * The reply so far, without its thoughts. The events contain only what follows. Every engine continues from
   * here as well as it can.
   */
  written?: string
  /** `background` work pauses at the next batch while a foreground answer is running. */
  priority?: 'foreground' | 'background'
  /** The purpose of a server request outside a chat, as the network ledger shows it. */
  purpose?: 'learning' | 'schedule'
  /** Describes a picture for a model without vision, after asking the user if required. Never rejects. */
  describe?: DescribePicture
}

/**
 * Return the description of a picture for a model without vision. If there is none, `refused` says why and
 * what would help. `isOld`: the picture belongs to an earlier turn, so the user is not asked about it.
 */
export type DescribePicture = (
  picture: PromptPicture,
  signal: AbortSignal,
  isOld?: boolean,
) => Promise<{ text: string } | { refused: string }>

/** The reason an engine could not answer, in a form that code can branch on. */
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
  /** What the user can do; empty if there is nothing. */
  fix: string
  /** With `context_full`, if known: the tokens of the prompt, and how many fit the model. */
  tokens?: { needed: number; holds: number }
  /** Another model may answer: this one is overloaded, down, unreachable, or rejects the key. */
  elsewhere?: true
  /** How long the server asks to wait before the next request, in ms. */
  waitMs?: number
  /** Tools to drop: the server may accept the request without them, and a chat can do without them. */
  refusedTools?: RefusedTools
}

/** Tools that a server refuses. `isNamed`: the refusal names them. Otherwise it may mean any of them. */
export type RefusedTools = { names: readonly string[]; isNamed: boolean; said?: string }

/** A tool that is not sent to a model, and the reason as a sentence for the user. */
type LeftOutTool = { name: string; why: string }

/**
 * The events of an answer. Exactly one `done` or `failed` ends the sequence. `call` comes only from engines
 * that were given tools as data; its arguments are the text that the model wrote.
 */
export type CompletionEvent =
  | { type: 'progress'; phase: 'loading' | 'reading'; done: number; total: number }
  /** A sentence for the user about this answer, for example that a fallback model writes it. */
  | { type: 'notice'; text: string }
  /** A model other than the requested one writes this answer. Precedes the output. */
  | { type: 'writer'; name: string }
  /** The tokens of the prompt, from an engine that knows them before the answer ends. Precedes the output. */
  | ({ type: 'read' } & Pick<Usage, 'promptTokens' | 'reusedTokens' | 'contextTokens'>)
  /** The end of the prompt, which may leave a construct open for the model to continue. Precedes the text. */
  | { type: 'prompt_end'; text: string }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call'; id: string; name: string; argumentsText: string }
  | { type: 'done'; stop: 'end' | 'length'; usage: Usage }
  | ({ type: 'failed' } & EngineFailure)

/**
 * All that is known of a model besides its weights: how to send it tools, its peculiarities, and what trials
 * have shown. This is the one place to ask: an engine says what it knows, and `Standings.follow` adds what
 * was found out later.
 */
export type ModelProfile = {
  strategy: 'text' | 'structured'
  contextTokens: number
  /** For the text strategy: the format in which the model was trained to call tools; absent if unknown. */
  format?: ModelFormat
  /** Whether the model's chat template has a role for tool results. */
  toolRole?: boolean
  /** The model knows only the prompt and tools that it was trained on. A guide decides and speaks for it. */
  guided?: true
  /** Maximum tokens of an answer without a call. Models this small seldom stop on their own. */
  plainTokens?: number
  /** Send the thoughts of earlier turns back to the model. */
  pastReasoning?: true
  /** The model's file has no chat template: it continues texts and does not answer. */
  base?: true
  /** The model's chat template mentions tools. */
  madeForTools?: true
  /** The reason its chats are read again from an earlier point; absent if they are not. */
  rereads?: Rereads
  /** Whether the model takes pictures; absent while unknown. */
  sees?: boolean
  /** The result of trying the model's tools; absent if its current state has not been tried. */
  verdict?: ToolsVerdict
}

/**
 * Anything that answers a prompt, local or remote. Failures end the stream as a `failed` event and are never
 * thrown. If `signal` aborts, the sequence ends at once without a `done`.
 */
export interface LlmEngine {
  readonly modelId: string
  readonly name: string
  /** Read what is needed to build a prompt, without loading weights. */
  profile(): Promise<ModelProfile | EngineFailure>
  complete(prompt: Prompt, signal: AbortSignal): AsyncIterable<CompletionEvent>
  /** Return the tools as they appear in a request, if that differs from `ToolSpec`. */
  toolsAsSent?(tools: readonly ToolSpec[]): readonly object[]
  /** Return those of `tools` that are not sent as data, because the model's server refuses them. */
  leavesOut?(tools: readonly ToolSpec[]): readonly LeftOutTool[]
  /** Count the tokens of a text: exact for a loaded local model, otherwise an estimate. */
  count(text: string): number
}

/** Distinguish a failure from a result. */
export const isFailure = (value: object): value is EngineFailure => 'code' in value && 'fix' in value
