import type { Context } from './reader-input.ts'
import type { BadCall, Call } from './check-call.ts'

/**
 * The events of the reader, in order. `thought`: a thought ended whose beginning was not written. All earlier
 * events were reasoning, and calls do not count; `text` is all of it. Nothing else retracts an event.
 */
export type ReaderEvent =
  | { type: 'thought'; text: string }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | Call
  | BadCall

/**
 * Receives the message range by range, every character once, and decides when to emit it. White space waits
 * for text. An unmarked call after text waits for the end of the message; if text follows, it becomes text.
 */
export type ReaderEvents = {
  /** Whether any text was shown. */
  readonly hasShown: boolean
  /** Everything up to the input position is text to show. */
  text(): void
  /** White space, a separator of calls, or a token that ends messages. The next text decides on it. */
  hold(kind: 'space' | 'separator' | 'stop'): void
  /** Markup that is never shown. */
  drop(): void
  /** A definite call. */
  call: (call: Call | BadCall) => void
  /**
   * Calls without a mark. `ends`: they count at the start and at the end of the visible message. `alone`:
   * they count only if the message contains nothing else.
   */
  maybe(calls: readonly Call[], where?: 'ends' | 'alone'): void
  /** Reasoning, passed as text because its ends are trimmed. `isFirst`: it is the first of its block. */
  reason(text: string, isFirst: boolean): void
  /** A thought without a beginning ended at `end`. All of it was reasoning, so the message starts here. */
  restart(end: number): void
  /** The message is over: emit everything that was waiting. */
  end(): void
  /** The events since the last call. */
  take(): ReaderEvent[]
}

const IN_DOUBT =
  'It was not run, because a call before it in the same message cannot be read. Send both again.'

type Stretch = {
  kind: 'space' | 'separator' | 'stop' | 'maybe' | 'call' | 'reason'
  text: string
  calls?: readonly (Call | BadCall)[]
}

/** Create the events of one message. Its first `skip` characters are part of the prompt and never shown. */
export function createReaderEvents(context: Context, skip: number): ReaderEvents {
  const { input } = context
  let told: ReaderEvent[] = []
  let waiting: Stretch[] = []
  let done = 0
  let hasShown = false
  let isStart = true
  let hasReasoned = false
  let lastIsText = false
  let isInDoubt = false
  let hasTold = false

  const advance = () => {
    const text = input.slice(Math.max(done, skip))
    done = input.at
    return text
  }
  const isUndecided = () => waiting.some(stretch => stretch.kind === 'maybe')
  const tell = (type: 'text' | 'reasoning', text: string) => {
    if (text === '') return
    hasTold = true
    const previous = told.at(-1)
    if (previous?.type === type) previous.text += text
    else told.push({ type, text })
    lastIsText = type === 'text'
    if (!lastIsText) return
    hasShown = true
    isStart = false
  }
  const tellCalls = (calls: readonly (Call | BadCall)[]) => {
    for (const call of calls) {
      hasTold = true
      told.push(isInDoubt && call.type === 'call' ? { ...call, type: 'bad_call', reason: IN_DOUBT } : call)
      isInDoubt ||= call.type === 'bad_call' && call.endIsGuess === true
    }
    lastIsText = false
  }

  /** Emit what is waiting, with unmarked calls as calls or as text. Returns the trailing white space. */
  const settle = (as: 'calls' | 'text', next: 'text' | 'end'): string => {
    let space = ''
    if (waiting.length === 0) return space
    for (const { kind, text, calls = [] } of waiting.splice(0)) {
      if (kind === 'space') space += hasShown ? text : ''
      else if (kind === 'separator') space += next === 'text' ? text : ''
      else if (kind === 'stop') space += next === 'text' && lastIsText ? text : ''
      else if (kind === 'reason') tell('reasoning', text)
      else if (kind === 'maybe' && as === 'text') {
        tell('text', space + text)
        space = ''
      } else {
        tellCalls(calls)
        space = ''
      }
    }
    return space
  }

  return {
    get hasShown() {
      return hasShown
    },
    text() {
      const text = advance()
      tell('text', settle('text', 'text') + text)
    },
    hold(kind) {
      const text = advance()
      const previous = waiting.at(-1)
      if (previous?.kind === kind) previous.text += text
      else waiting.push({ kind, text })
    },
    drop() {
      advance()
      if (!isUndecided()) waiting = waiting.filter(({ kind }) => kind === 'space')
    },
    call(call) {
      const text = advance()
      if (isUndecided()) waiting.push({ kind: 'call', text, calls: [call] })
      else {
        waiting = []
        tellCalls([call])
      }
    },
    maybe(calls, where = 'ends') {
      const text = advance()
      if (!isStart || where === 'alone' || isUndecided()) waiting.push({ kind: 'maybe', text, calls })
      else {
        waiting = []
        tellCalls(calls)
      }
    },
    reason(text, isFirst) {
      const spaced = isFirst && hasReasoned ? `\n\n${text}` : text
      hasReasoned = true
      if (isUndecided()) waiting.push({ kind: 'reason', text: spaced })
      else tell('reasoning', spaced)
    },
    restart(end) {
      advance()
      // Held-back text is part of the thought, so a call in it does not count.
      settle('text', 'end')
      if (!hasReasoned && hasTold) told.push({ type: 'thought', text: input.slice(skip, end).trim() })
      hasReasoned = true
      hasShown = isInDoubt = false
      isStart = true
      lastIsText = false
    },
    end() {
      const space = settle(context.truncated ? 'text' : 'calls', 'end')
      if (lastIsText) tell('text', space)
    },
    take: () => told.splice(0),
  }
}
