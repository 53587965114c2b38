import { randomInt } from 'node:crypto'
import type { AssistantMessage, ToolCall, Usage } from '../../shared/contract/messages.ts'
import type { Sampling, WireMessage, CompletionEvent, EngineFailure, Prompt } from '../models/engine.ts'
import { withoutRepeats, createRepetitionDetector } from './repetition/detect-repetition.ts'
import type { ExpectedAnswer } from './expected-answer.ts'
import type { BegunReply, Turn, TurnPorts } from './turn-types.ts'
import { createUsageCount } from '../models/count-usage.ts'
import { abortableItems, letOthersRun } from '../lib/timing.ts'

/**
 * One reply of the model, complete or not. `cut`: it reached the token limit. `looping`: it repeated itself,
 * also on the second attempt.
 */
export type Reply = Pick<
  CompletionResult,
  'text' | 'reasoning' | 'calls' | 'end' | 'failure' | 'isLimited'
> & {
  /** Why it is no answer, also on the second attempt. */
  void?: VoidReason
}

type VoidReason = 'empty' | 'looping' | 'same'

/** High enough that a model which always picks the likeliest token takes another path. */
const OTHER_TEMPERATURE = 0.8

/**
 * Request a reply, show it as it arrives and store it. A void reply (empty, repeating, or for which `isSame` says
 * that it answers another question) is discarded and requested once more with other sampling. A reply that was stopped or broke off keeps its text, marked as interrupted,
 * but loses its calls because they never ran. Without `tools`, the model is offered none and any calls are
 * dropped. With `maxTokens`, a short reply is requested, and only once. With `expected`, a local model writes that form. With
 * `begun`, the reply goes on behind that, and is stored only if the model adds something or has ended it.
 */
export async function readReply(
  turn: Turn,
  ports: TurnPorts,
  messages: readonly WireMessage[],
  options: {
    tools: boolean
    maxTokens?: number
    expected?: ExpectedAnswer | undefined
    begun?: BegunReply | undefined
    isSame?: ((text: string) => boolean) | undefined
  },
  signal: AbortSignal,
): Promise<Reply> {
  // A short reply is for the turn itself, so it is not sampled as the user wants answers to be.
  const usual = options.maxTokens === undefined ? turn.sampling : undefined
  const maxTokens = options.maxTokens ?? turn.maxTokens
  const { begun } = options
  const voidReason = (result: CompletionResult): VoidReason | undefined =>
    options.maxTokens === undefined ? whyVoid(result, options.isSame) : undefined
  const requestReply = async (other?: Sampling): Promise<CompletionResult> => {
    const sampling = other ? { ...usual, ...other } : usual
    const prompt = {
      messages,
      tools: options.tools ? turn.strategy.attach(turn.tools) : [],
      constraints: options.expected
        ? [options.expected.constraint]
        : options.tools
          ? turn.strategy.constrain(turn.callable?.() ?? turn.tools)
          : [],
      ...(sampling && { sampling }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(begun && { written: begun.text }),
    }
    await letOthersRun()
    const isShown = begun !== undefined && other === undefined
    const result = await readCompletion(turn, ports.emit, prompt, { begun, isShown }, signal)
    if (options.tools) return result
    const { raw: _raw, ...said } = result
    // What has that form may look like a call, and is the answer all the same.
    return { ...said, calls: [], ...(options.expected && _raw !== undefined && { text: _raw }) }
  }
  let result = await requestReply()
  const reason = voidReason(result)
  if (reason && !signal.aborted) {
    // It stands nowhere, and was paid for all the same.
    countUsage(turn, ports, result, true)
    ports.emit({ type: 'retry', reason })
    // Some servers accept at most 31 bits.
    result = await requestReply({ temperature: OTHER_TEMPERATURE, seed: randomInt(2 ** 31) })
  }
  const stillVoid = voidReason(result)
  const stored = result.end === 'looping' ? onceRound(result) : result
  const reply = storeReply(turn, ports, stored, { begun, isVoid: stillVoid !== undefined })
  return stillVoid ? { ...reply, void: stillVoid } : reply
}

/** Count what a reply took against the budget of its turn, and tell it. */
function countUsage(turn: Turn, ports: TurnPorts, { usage }: CompletionResult, isVoid: boolean): void {
  if (!usage) return
  turn.budget?.spend(usage.evaluatedTokens + usage.outputTokens)
  ports.emit({ type: 'context_usage', usage, ...(isVoid && { isVoid: true as const }) })
}

/** Why a reply is unusable; reasoning alone is not an answer. */
function whyVoid(
  { end, text, calls }: CompletionResult,
  isSame: (text: string) => boolean = () => false,
): VoidReason | undefined {
  if (end === 'looping') return 'looping'
  if (end !== 'done' || calls.length > 0) return undefined
  return text.trim() === '' ? 'empty' : isSame(text) ? 'same' : undefined
}

/** The reply up to the point where it starts to repeat itself. */
const onceRound = (result: CompletionResult): CompletionResult => ({
  ...result,
  text: withoutRepeats(result.text),
  reasoning: withoutRepeats(result.reasoning),
})

/** Whether a reply holds more than it began with. */
export const hasWritten = (
  reply: Pick<Reply, 'text' | 'reasoning'>,
  begun: BegunReply | undefined,
): boolean =>
  begun
    ? reply.text.length > begun.text.length || reply.reasoning.length > begun.reasoning.length
    : `${reply.text}${reply.reasoning}`.trim() !== ''

/** Store the reply, unless it is empty, and emit its message. What is void is marked, so that no model reads it again. */
function storeReply(
  turn: Turn,
  ports: TurnPorts,
  result: CompletionResult,
  { begun, isVoid }: { begun: BegunReply | undefined; isVoid: boolean },
): Reply {
  const { usage, raw, writer, ...reply } = result
  const interrupted = reply.end !== 'done' && reply.end !== 'cut'
  if (interrupted) reply.calls = []
  const { reasoning } = reply
  const isUnfinished = reply.end !== 'done' && reply.end !== 'looping'
  if (!interrupted || hasWritten(reply, begun)) {
    const message: Omit<AssistantMessage, 'id'> = {
      role: 'assistant',
      sessionId: turn.sessionId,
      at: ports.now(),
      // Where an answer was cut off, a blank or a new line may belong to what comes next.
      text: isUnfinished && reply.text.trim() !== '' ? reply.text.trimStart() : reply.text.trim(),
      reasoning: reasoning.trim(),
      calls: reply.calls.map(each => each.call),
      interrupted,
      ...(reply.end === 'cut' && { cut: true as const }),
      ...(isVoid && { void: true as const }),
      model: writer ?? turn.engine.name,
      ...(raw !== undefined && { raw }),
      ...(usage && { usage }),
    }
    // The raw text is for the engine only; windows do not need it.
    const { raw: _raw, ...shown } = ports.append(message) as AssistantMessage
    ports.emit({ type: 'message', message: shown })
  }
  countUsage(turn, ports, result, isVoid)
  return reply
}

/** A call as the model wrote it. `problem` says why it cannot run, if that is clear before any lookup. */
export type ReadCall = { call: ToolCall; problem?: string }

/**
 * The result of one request to the engine, not stored yet. `looping`: it was ended because the text repeated
 * itself.
 */
type CompletionResult = {
  text: string
  reasoning: string
  calls: ReadCall[]
  end: 'done' | 'cut' | 'looping' | 'stopped' | 'failed'
  failure?: EngineFailure
  /** With `cut`: it reached the limit of a reply without a call, not the end of its room. */
  isLimited?: true
  /** The exact text that the model wrote, when calls are text. */
  raw?: string
  usage?: Usage
  /** The model that wrote it, if another one than the chat's did. */
  writer?: string
}

/** Engines must report how a completion ended, so a missing end is a bug in an engine. */
const SILENT: EngineFailure = {
  code: 'internal',
  text: 'The model fell silent without a word of why.',
  fix: 'Send the message again.',
}

/** Characters between two looks at how long a reply is. */
const LOOK_EVERY = 200

/** Text that stays hidden for this many characters is taken for part of a call. */
const HIDDEN = 200

/**
 * Send one request to the engine and show the answer as it arrives. A repeating answer is ended; only this
 * completion is aborted, the turn continues.
 */
async function readCompletion(
  turn: Turn,
  emit: TurnPorts['emit'],
  prompt: Omit<Prompt, 'sessionId'>,
  { begun, isShown }: { begun?: BegunReply | undefined; isShown: boolean },
  signal: AbortSignal,
): Promise<CompletionResult> {
  const { reasoning = '' } = begun ?? {}
  const result: CompletionResult = { text: '', reasoning, calls: [], end: 'failed', failure: SILENT }
  /** Characters of the text that are shown already. */
  let old = begun && isShown ? begun.text.length : 0
  const circles = createRepetitionDetector({ isWanted: turn.wantsRepetition })
  const count = createUsageCount(turn.engine, prompt)
  const enough = new AbortController()
  /** Characters shown from the newest piece, and characters held back since text was last shown. */
  let shown = 0
  let hidden = 0

  /** The beginning is read like the rest, so that it is known what is open there, such as a block of code. */
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
  /** Thoughts may be longer than the answer behind them, and count a quarter. */
  function isOverLimit(): boolean {
    const { text, reasoning: thoughts, calls } = result
    const written = text.length + thoughts.length
    if (plainTokens === undefined || calls.length > 0 || written < looked + LOOK_EVERY) return false
    looked = written
    const { engine } = turn
    const before = begun ? engine.count(begun.text) + engine.count(begun.reasoning) / 4 : 0
    return engine.count(text) + engine.count(thoughts) / 4 - before >= plainTokens
  }

  async function* untilCircling(events: AsyncIterable<CompletionEvent>): AsyncIterable<CompletionEvent> {
    for await (const event of fromTheBeginning(events)) {
      shown = 0
      yield event
      if (event.type !== 'text' && event.type !== 'reasoning') continue
      const { length } = event.text
      hidden = shown > 0 ? Math.max(0, length - shown) : hidden + length
      if (circles.push(event.text, hidden > HIDDEN)) result.end = 'looping'
      // What is held back may be a call, which may be as long as a file.
      else if (hidden === 0 && isOverLimit()) Object.assign(result, { end: 'cut', isLimited: true })
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
  // It was ended here, before the engine could report what it took.
  const isEnded = result.end === 'looping' || result.isLimited
  const taken = isEnded && !result.usage ? count.usage() : undefined
  return { ...result, ...(taken && { usage: taken }) }
}
