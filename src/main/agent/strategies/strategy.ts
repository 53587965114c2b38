import type { Message, ToolCall, Usage } from '../../../shared/contract/messages.ts'
import type { CompletionEvent, Constraint, EngineFailure, ToolSpec, WireMessage } from '../../llm/engine.ts'

/** One step of a reply after the wire format is gone. `bad_call` is a call that cannot run; its `reason` goes to the model. */
export type ReplyEvent =
  | { type: 'progress'; phase: 'loading' | 'reading'; done: number; total: number }
  | { type: 'notice'; text: string }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call'; call: ToolCall }
  | { type: 'bad_call'; call: ToolCall; reason: string }
  | { type: 'done'; stop: 'end' | 'length'; usage: Usage; raw?: string }
  | ({ type: 'failed' } & EngineFailure)

/**
 * How tools reach a model and how its calls come back. The loop never sees a wire format, so a chat can change its
 * strategy between two turns: the neutral history is rendered by the strategy of the moment.
 */
export interface Strategy {
  readonly name: 'structured' | 'text'
  /** The part of the system prompt that lists the tools; empty when they travel as data. */
  present(tools: readonly ToolSpec[]): string
  /** The tools that travel as data beside the messages. */
  attach(tools: readonly ToolSpec[]): readonly ToolSpec[]
  /** Where a reply is held to a grammar, so that its calls of these tools are valid; empty where nothing can be held. */
  constrain(tools: readonly ToolSpec[]): readonly Constraint[]
  render(system: string, history: readonly Message[]): WireMessage[]
  read(events: AsyncIterable<CompletionEvent>, tools: readonly ToolSpec[]): AsyncIterable<ReplyEvent>
}
