import type { ToolCall, Usage } from '../../shared/contract/messages.ts'
import type { Constraint } from '../dialects/grammar/constraint.ts'
import type { DialectId } from '../dialects/table.ts'

export type { Constraint } from '../dialects/grammar/constraint.ts'

/** A tool as a model sees it: flat, and with a JSON Schema for its arguments. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> }

/**
 * One message in the form an engine takes. With the text strategy `calls` and `callId` are absent: calls are part of an
 * assistant's text, and results are messages of the tool where the model's template has a place for them, of the user
 * otherwise. `generated` marks text that a model wrote to the byte, so that the local engine can reuse its tokens.
 */
export type WireMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  generated?: boolean
  calls?: readonly ToolCall[]
  callId?: string
  /** The tool whose result this is. */
  name?: string
  /** Stretches of `text`, from and to, in which markup means the model's own tokens; elsewhere it is plain text. */
  markup?: readonly (readonly [from: number, to: number])[]
}

export type Sampling = { temperature?: number; topK?: number; topP?: number; minP?: number; seed?: number }

/** What an engine is asked to continue. `sessionId` names the conversation whose evaluated prefix may be reused. */
export type Prompt = {
  sessionId: string
  messages: readonly WireMessage[]
  /** Only for engines that take tools as data (StructuredStrategy). */
  tools: readonly ToolSpec[]
  maxTokens?: number
  sampling?: Sampling
  /** Where the reply is held to a grammar; free everywhere else. */
  constraints?: readonly Constraint[]
  /** What the reply begins with, written for the model: the marker of a call makes it call. Part of the reply's text. */
  begin?: string
  /** `background` work waits at the next batch while anybody is being answered, and goes on afterwards. */
  priority?: 'foreground' | 'background'
}

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
    | 'internal'
  /** One sentence that a person understands. */
  text: string
  /** What to do about it; empty when there is nothing. */
  fix: string
  /** With `context_full`, where it is known: the tokens of the prompt, and those that the model holds. */
  tokens?: { needed: number; holds: number }
  /** Another model may answer: this one is overloaded, down, out of reach, or does not take the key. */
  elsewhere?: true
}

/**
 * What comes back while an engine answers. Exactly one `done` or `failed` ends the sequence.
 * `call` comes only from engines that were given tools as data; its arguments are the text that the model wrote.
 */
export type CompletionEvent =
  | { type: 'progress'; phase: 'loading' | 'reading'; done: number; total: number }
  /** Something that a person should know about this answer, in a sentence: another model than the chosen one gives it. */
  | { type: 'notice'; text: string }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call'; id: string; name: string; argumentsText: string }
  | { type: 'done'; stop: 'end' | 'length'; usage: Usage }
  | ({ type: 'failed' } & EngineFailure)

/** Which of the two tool-calling strategies a model takes, and what the prompt builder must know of it. */
export type ModelProfile = {
  strategy: 'text' | 'structured'
  contextTokens: number
  /** For the text strategy: the notation in which the model was trained to call tools; absent when nobody knows. */
  dialect?: DialectId
  /** Whether its chat template has a place for the results of tools. */
  toolRole?: boolean
}

/**
 * Something that answers a prompt, here or elsewhere. Failures end the stream as a `failed` event; it never throws for them.
 * When `signal` aborts, the sequence ends at once without a `done`.
 */
export interface LlmEngine {
  readonly modelId: string
  readonly name: string
  /** Reads what is needed to build a prompt, without loading weights. */
  profile(): Promise<ModelProfile | EngineFailure>
  complete(prompt: Prompt, signal: AbortSignal): AsyncIterable<CompletionEvent>
  /** Tokens of a text: exact on the local engine when it is loaded, an estimate otherwise. */
  count(text: string): number
}

/** Tell a failure from a profile. */
export const isFailure = (value: object): value is EngineFailure => 'code' in value && 'fix' in value
