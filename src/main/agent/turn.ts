import type { Message, NewMessage, ToolCall } from '../../shared/contract/messages.ts'
import type { Approval, Decision, NewRunEvent } from '../../shared/contract/run.ts'
import type { ApprovalMode } from '../../shared/contract/session.ts'
import type { LlmEngine, ToolSpec } from '../llm/engine.ts'
import type { Registry } from '../tools/registry.ts'
import type { ToolResult } from '../tools/tool.ts'
import type { Strategy } from './strategies/strategy.ts'

/** What one turn works with; settled before it starts. */
export type Turn = {
  sessionId: string
  /** The id of the message that is being answered. */
  askedId: number
  /** Absolute path of the folder that the chat works in. */
  workspace: string
  /** Talaria's home folder. */
  home: string
  engine: LlmEngine
  strategy: Strategy
  /** The frozen prompt, with the tools in it if the strategy wants them there. */
  system: string
  registry: Registry
  tools: readonly ToolSpec[]
  contextTokens: number
  maxIterations: number
  /** How many tokens of the engine an estimated one is, where that is known and no reply of the history tells it. */
  scale?: number
  /** Work that nobody waits for. */
  priority?: 'background'
  /** Another model that writes summaries for this chat; asked for only when one is needed. */
  summariser?: () => Promise<Summariser | undefined>
}

/** A model that is given a conversation to sum it up. */
export type Summariser = Pick<Turn, 'engine' | 'strategy' | 'tools' | 'contextTokens'>

/** What came of a question. `unanswered` marks a denial that nobody spoke; `note` then says why, in a sentence. */
export type Answer = { decision: Decision; note: string; unanswered?: true }

/** What a turn needs from its surroundings. It knows no store, no window and no wire. */
export type TurnPorts = {
  /** The newest `most` messages of the session, in order, but none before the message `firstId`. */
  history(firstId: number, most: number): readonly Message[]
  /** Store a message; it is durable when this returns. */
  append(message: NewMessage): Message
  emit(event: NewRunEvent): void
  /** The mode of the moment: a person may switch it while the turn runs. */
  approvalMode(): ApprovalMode
  grants: ReadonlySet<string>
  grant(rule: string): void
  /** Ask the person; resolves with a denial when nobody can answer. */
  ask(approval: Approval, signal: AbortSignal): Promise<Answer>
  /** Cut a result to what the model may see; the full text stays in a file that the agent can read. */
  cap(call: ToolCall, result: ToolResult, contextTokens: number): Promise<ToolResult>
  /** Called before each question to the model: what has grown too long may be made shorter; gives the prompt that holds from now on. */
  makeRoom?(turn: Turn, signal: AbortSignal): Promise<{ system?: string; scale?: number } | undefined>
  /** The server takes no tools as data; nothing was said yet. The caller starts the turn again with the text strategy. */
  refusedTools(): void
  now(): number
  /** Log a bug once; the turn goes on. */
  report(error: unknown): void
}
