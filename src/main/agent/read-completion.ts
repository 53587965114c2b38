import type { ToolCall, Usage } from '../../shared/contract/messages.ts'
import { abortable } from '../lib/timing.ts'
import type { CompletionEvent, EngineFailure, Prompt } from '../models/engine.ts'
import { createRepetitionDetector } from './repetition.ts'
import type { Turn, TurnPorts } from './turn.ts'

/** A call as the model wrote it. `problem` says why it cannot run, if that is clear before any lookup. */
export type ReadCall = { call: ToolCall; problem?: string }

/**
 * The result of one request to the engine, not stored yet. `looping`: it was ended because the text repeated
 * itself.
 */
export type CompletionResult = {
  text: string
  reasoning: string
  calls: ReadCall[]
  end: 'done' | 'cut' | 'looping' | 'stopped' | 'failed'
  failure?: EngineFailure
  /** The exact text that the model wrote, when calls are text. */
  raw?: string
  usage?: Usage
}

/** Engines must report how a completion ended, so a missing end is a bug in an engine. */
const SILENT: EngineFailure = {
  code: 'internal',
  text: 'The model fell silent without a word of why.',
  fix: 'Send the message again.',
}

/** Text that stays hidden for this many characters is taken for part of a call. */
const HIDDEN = 200

/**
 * Send one request to the engine and show the answer as it arrives. A repeating answer is ended; only this
 * completion is aborted, the turn continues.
 */
export async function readCompletion(
  turn: Turn,
  emit: TurnPorts['emit'],
  prompt: Omit<Prompt, 'sessionId'>,
  signal: AbortSignal,
): Promise<CompletionResult> {
  const result: CompletionResult = { text: '', reasoning: '', calls: [], end: 'failed', failure: SILENT }
  const circles = createRepetitionDetector()
  const enough = new AbortController()
  /** Characters shown from the newest piece, and characters held back since text was last shown. */
  let shown = 0
  let hidden = 0

  async function* untilCircling(events: AsyncIterable<CompletionEvent>): AsyncIterable<CompletionEvent> {
    for await (const event of events) {
      shown = 0
      yield event
      if (event.type !== 'text' && event.type !== 'reasoning') continue
      const { length } = event.text
      hidden = shown > 0 ? Math.max(0, length - shown) : hidden + length
      if (!circles.push(event.text, hidden > HIDDEN)) continue
      result.end = 'looping'
      enough.abort()
      return
    }
  }

  const stop = AbortSignal.any([signal, enough.signal])
  const { sessionId, priority } = turn
  const completion = turn.engine.complete({ ...prompt, sessionId, ...(priority && { priority }) }, stop)
  for await (const event of abortable(turn.strategy.read(untilCircling(completion), turn.tools), signal)) {
    shown += event.type === 'text' || event.type === 'reasoning' ? event.text.length : Infinity
    switch (event.type) {
      case 'progress':
        emit(event)
        break
      case 'notice':
        emit({ type: 'warning', text: event.text })
        break
      case 'text':
        result.text += event.text
        emit({ type: 'text_delta', text: event.text })
        break
      case 'reasoning':
        result.reasoning += event.text
        emit({ type: 'reasoning_delta', text: event.text })
        break
      case 'call':
        result.calls.push({ call: event.call })
        break
      case 'bad_call':
        result.calls.push({ call: event.call, problem: event.reason })
        break
      case 'done':
        result.end = event.stop === 'length' ? 'cut' : 'done'
        result.usage = event.usage
        if (event.raw !== undefined) result.raw = event.raw
        break
      case 'failed': {
        const { type: _, ...failure } = event
        result.failure = failure
      }
    }
  }
  if (signal.aborted && (result.end === 'failed' || result.end === 'looping')) result.end = 'stopped'
  if (result.end !== 'failed') delete result.failure
  return result
}
