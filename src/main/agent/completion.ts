import type { Usage } from '../../shared/contract/chats/messages.ts'
import { createUsageCount } from '../models/interface/count-usage.ts'
import type { CompletionEvent, EngineFailure, Prompt } from '../models/interface/engine.ts'
import { abortableItems } from '../lib/timing.ts'
import { createRepetitionDetector } from './repetition/detect-repetition.ts'
import { isUnreadable } from './repetition/readable-text.ts'
import type { ReadCall } from './guide.ts'
import type { BegunReply, Turn, TurnPorts } from './turn-types.ts'

/**
 * The result of one request to the engine, not stored yet. `looping`: it was stopped because the text
 * repeated itself or was unreadable.
 */
export type CompletionResult = {
  text: string
  reasoning: string
  calls: ReadCall[]
  end: 'done' | 'cut' | 'looping' | 'stopped' | 'failed'
  failure?: EngineFailure
  /** With `cut`: the limit of a reply without a call was reached, not the end of the context window. */
  isLimited?: true
  /** The exact text that the model wrote, if calls are text. */
  raw?: string
  usage?: Usage
  /** The model that wrote the reply, if it is not the chat's model. */
  writer?: string
}

/** Engines must report how a completion ended, so a missing end is a bug in an engine. */
const SILENT: EngineFailure = {
  code: 'internal',
  text: 'The model fell silent without a word of why.',
  fix: 'Send the message again.',
}

/** How many characters between two checks of the length of a reply. */
const LOOK_EVERY = 200
/** How many characters between two checks with `isAstray`. */
const JUDGE_EVERY = 60

/** Maximum calls of one reply that run. Reading files takes up to thirty; writing thousands never ends. */
const MOST_CALLS = 64

/** How many characters, without blanks, may stay hidden before they count as part of a call. */
const HIDDEN = 200

/**
 * Send one request to the engine and show the answer as it arrives. A repeating answer is stopped: only this
 * completion is aborted, the turn continues.
 */
export async function readCompletion(
  turn: Turn,
  emit: TurnPorts['emit'],
  prompt: Omit<Prompt, 'sessionId'>,
  {
    begun,
    isShown,
    isAstray,
  }: {
    begun?: BegunReply | undefined
    isShown: boolean
    /** Whether a text that starts like this cannot become an answer; it is then cut. */
    isAstray?: (text: string) => boolean
  },
  signal: AbortSignal,
): Promise<CompletionResult> {
  const { reasoning = '' } = begun ?? {}
  const result: CompletionResult = { text: '', reasoning, calls: [], end: 'failed', failure: SILENT }
  /** How many characters of the text are already shown. */
  let old = begun && isShown ? begun.text.length : 0
  const circles = createRepetitionDetector({ isWanted: turn.wantsRepetition })
  const count = createUsageCount(turn.engine, prompt)
  const enough = new AbortController()
  /** Characters shown from the newest piece, and characters held back since text was last shown. */
  let shown = 0
  let hidden = 0

  /** Read the beginning like the rest, so that open structures such as a code block are known. */
  async function* fromTheBeginning(events: AsyncIterable<CompletionEvent>): AsyncIterable<CompletionEvent> {
    if (begun) yield { type: 'text', text: begun.text }
    yield* events
  }

  async function* counted(events: AsyncIterable<CompletionEvent>): AsyncIterable<CompletionEvent> {
    for await (const event of events) {
      count.push(event)
      yield event
    }
  }

  const { plainTokens } = prompt.maxTokens === undefined ? turn : { plainTokens: undefined }
  let looked = 0
  /** Thoughts may be longer than the answer that follows them, so they count a quarter. */
  function isOverLimit(): boolean {
    const { text, reasoning: thoughts, calls } = result
    const written = text.length + thoughts.length
    if (plainTokens === undefined || calls.length > 0 || written < looked + LOOK_EVERY) return false
    looked = written
    const { engine } = turn
    const before = begun ? engine.count(begun.text) + engine.count(begun.reasoning) / 4 : 0
    return engine.count(text) + engine.count(thoughts) / 4 - before >= plainTokens
  }

  let judged = 0
  function isLost(): boolean {
    if (!isAstray || result.text.length < judged + JUDGE_EVERY) return false
    judged = result.text.length
    return isAstray(result.text)
  }

  let unread = 0
  function isGarbage(): boolean {
    const written = result.text.length + result.reasoning.length
    if (written < unread + LOOK_EVERY) return false
    unread = written
    return isUnreadable(result.text === '' ? result.reasoning : result.text)
  }

  async function* untilCircling(events: AsyncIterable<CompletionEvent>): AsyncIterable<CompletionEvent> {
    for await (const event of fromTheBeginning(events)) {
      shown = 0
      yield event
      if (event.type !== 'text' && event.type !== 'reasoning') continue
      const { length } = event.text
      // Blanks at the start of a reply are held back as well, although they are not part of a call.
      hidden = shown > 0 ? Math.max(0, length - shown) : hidden + event.text.replace(/\s+/g, '').length
      if (circles.push(event.text, hidden > HIDDEN) || isGarbage()) result.end = 'looping'
      // Hidden text may be a call, which may be as long as a file.
      else if (hidden === 0 && (isOverLimit() || isLost()))
        Object.assign(result, { end: 'cut', isLimited: true })
      else continue
      enough.abort()
      return
    }
  }

  const stop = AbortSignal.any([signal, enough.signal])
  const { sessionId, priority, purpose } = turn
  const terms = { sessionId, ...(priority && { priority }), ...(purpose && { purpose }) }
  const completion = counted(turn.engine.complete({ ...prompt, ...terms }, stop))
  for await (const event of abortableItems(
    turn.strategy.read(untilCircling(completion), turn.tools),
    signal,
  )) {
    shown += event.type === 'text' || event.type === 'reasoning' ? event.text.length : Infinity
    switch (event.type) {
      case 'progress':
        emit(event)
        break
      case 'notice':
        emit({ type: 'warning', text: event.text })
        break
      case 'writer':
        result.writer = event.name
        break
      case 'text':
        result.text += event.text
        if (event.text.length > old) emit({ type: 'text_delta', text: event.text.slice(old) })
        old = Math.max(0, old - event.text.length)
        break
      case 'reasoning':
        if (reasoning !== '' && result.reasoning === reasoning) result.reasoning += '\n\n'
        result.reasoning += event.text
        emit({ type: 'reasoning_delta', text: event.text })
        break
      case 'thought':
        result.reasoning = [reasoning, event.text].filter(part => part.trim() !== '').join('\n\n')
        result.text = ''
        result.calls = []
        emit({ type: 'was_thought' })
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
  if (signal.aborted && !result.usage && result.end !== 'done') result.end = 'stopped'
  if (result.end !== 'failed') delete result.failure
  if (result.calls.length > MOST_CALLS) leaveOutCalls(result, emit)
  // The reply was stopped here, before the engine could report its usage.
  const isEnded = result.end === 'looping' || result.isLimited
  const taken = isEnded && !result.usage ? count.usage() : undefined
  return { ...result, ...(taken && { usage: taken }) }
}

/** Keep the first calls. The raw text is not sent again: the dropped calls would look as if they ran. */
function leaveOutCalls(result: CompletionResult, emit: TurnPorts['emit']): void {
  const text = `The model wrote ${result.calls.length.toLocaleString('en-US')} tool calls in one answer, so only the first ${MOST_CALLS} count.`
  emit({ type: 'warning', text })
  result.calls = result.calls.slice(0, MOST_CALLS)
  delete result.raw
}
