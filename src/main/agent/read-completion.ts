import type { ToolCall, Usage } from '../../shared/contract/messages.ts'
import { abortable } from '../lib/abortable.ts'
import type { CompletionEvent, EngineFailure, Prompt } from '../llm/engine.ts'
import { createRepetitionDetector } from './repetition.ts'
import type { Turn, TurnPorts } from './turn.ts'

/** A call as it came: `problem` says why it cannot run, before anything was looked up. */
export type ReadCall = { call: ToolCall; problem?: string }

/** What came back of one question to the engine, nothing of it stored yet. A `looping` one was ended because it goes in circles. */
export type Heard = {
  text: string
  reasoning: string
  calls: ReadCall[]
  end: 'done' | 'cut' | 'looping' | 'stopped' | 'failed'
  failure?: EngineFailure
  /** What the model wrote to the byte, where calls are text. */
  raw?: string
  usage?: Usage
}

/** An engine promises to say how it ended, so this is a mistake of one of them. */
const SILENT: EngineFailure = {
  code: 'internal',
  text: 'The model fell silent without a word of why.',
  fix: 'Send the message again.',
}

/** Characters that were written and not shown, from which on they are taken for a part of a call. */
const HIDDEN = 200

/**
 * Put one question to the engine and show what it says while it says it. An answer that goes in circles is ended; only
 * that completion is aborted, the turn goes on.
 */
export async function hear(
  turn: Turn,
  emit: TurnPorts['emit'],
  prompt: Omit<Prompt, 'sessionId'>,
  signal: AbortSignal,
): Promise<Heard> {
  const heard: Heard = { text: '', reasoning: '', calls: [], end: 'failed', failure: SILENT }
  const circles = createRepetitionDetector()
  const enough = new AbortController()
  /** Characters that came out of the newest piece, and those that are held back since something came out. */
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
      heard.end = 'looping'
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
        heard.text += event.text
        emit({ type: 'text_delta', text: event.text })
        break
      case 'reasoning':
        heard.reasoning += event.text
        emit({ type: 'reasoning_delta', text: event.text })
        break
      case 'call':
        heard.calls.push({ call: event.call })
        break
      case 'bad_call':
        heard.calls.push({ call: event.call, problem: event.reason })
        break
      case 'done':
        heard.end = event.stop === 'length' ? 'cut' : 'done'
        heard.usage = event.usage
        if (event.raw !== undefined) heard.raw = event.raw
        break
      case 'failed': {
        const { type: _, ...failure } = event
        heard.failure = failure
      }
    }
  }
  if (signal.aborted && (heard.end === 'failed' || heard.end === 'looping')) heard.end = 'stopped'
  if (heard.end !== 'failed') delete heard.failure
  return heard
}
