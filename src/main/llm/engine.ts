import type { ToolCall, Usage } from '../../shared/contract/messages.ts'

/** A tool as a model sees it: flat, and with a JSON Schema for its arguments. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> }

/**
 * One message in the form an engine takes. With the text strategy `calls` and `callId` are absent: calls are part of an
 * assistant's text, and results come as user messages. `generated` marks text that a model wrote to the byte, so that
 * the local engine can reuse its tokens.
 */
export type WireMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  generated?: boolean
  calls?: readonly ToolCall[]
  callId?: string
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
}

/**
 * What comes back while an engine answers. Exactly one `done` or `failed` ends the sequence.
 * `call` comes only from engines that were given tools as data; its arguments are the text that the model wrote.
 */
export type CompletionEvent =
  | { type: 'progress'; phase: 'loading' | 'reading'; done: number; total: number }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call'; id: string; name: string; argumentsText: string }
  | { type: 'done'; stop: 'end' | 'length'; usage: Usage }
  | ({ type: 'failed' } & EngineFailure)

/** Which of the two tool-calling strategies a model takes, and what the prompt builder must know of it. */
export type ModelProfile = {
  strategy: 'text' | 'structured'
  /** `demo` is the built-in model, which knows one prompt frame only. */
  prompt: 'standard' | 'demo'
  contextTokens: number
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
