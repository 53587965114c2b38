import { randomInt } from 'node:crypto'
import type { AssistantMessage, Message } from '../../shared/contract/chats/messages.ts'
import type { PromptPicture, Sampling, WireMessage } from '../models/interface/engine.ts'
import { readCompletion, type CompletionResult } from './completion.ts'
import { withoutRepeats } from './repetition/detect-repetition.ts'
import { hasVisible, isUnreadable, readableStart } from './repetition/readable-text.ts'
import type { ExpectedAnswer } from '../json-schema/expected-answer.ts'
import type { BegunReply, Turn, TurnPorts, Wording, WordingFault } from './turn-types.ts'
import { letOthersRun } from '../lib/timing.ts'

/**
 * One reply of the model, complete or not. `cut`: it reached the token limit. `looping`: it repeated itself,
 * even on the second attempt.
 */
export type Reply = Pick<
  CompletionResult,
  'text' | 'reasoning' | 'calls' | 'end' | 'failure' | 'isLimited'
> & {
  /** Why the reply is not an answer, even after the second attempt. */
  void?: VoidReason
}

export type VoidReason = Exclude<WordingFault, 'unfounded'>

/** Sampling temperature of the second attempt, high enough to make the reply differ. */
const OTHER_TEMPERATURE = 0.8

/**
 * Request a reply, show it as it arrives and store it. A void reply is discarded and requested once more with
 * other sampling. Void means empty, repeating, unreadable, or refused by `whyNoAnswer`. An interrupted reply
 * keeps its text but loses its calls, because they never ran. Without `tools`, the model is offered none and
 * any calls are dropped. With `maxTokens`, the reply is short and requested only once. With `expected`, a
 * local model writes that form. With `begun`, the reply continues that text, and is stored only if the model
 * adds something or ends it.
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
    whyNoAnswer?: ((text: string) => VoidReason | undefined) | undefined
  },
  signal: AbortSignal,
): Promise<Reply> {
  // A short reply is for the turn itself, so the user's sampling does not apply.
  const usual = options.maxTokens === undefined ? turn.sampling : undefined
  const maxTokens = options.maxTokens ?? turn.maxTokens
  const { begun } = options
  const { describePicture } = turn
  const voidReason = (result: CompletionResult): VoidReason | undefined =>
    options.maxTokens === undefined ? whyVoid(result, options.whyNoAnswer ?? (() => undefined)) : undefined
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
      ...(describePicture && {
        describe: (picture: PromptPicture, stop: AbortSignal, isOld?: boolean) =>
          describePicture(picture, ports, stop, isOld),
      }),
    }
    await letOthersRun()
    const isShown = begun !== undefined && other === undefined
    const result = await readCompletion(turn, ports.emit, prompt, { begun, isShown }, signal)
    if (options.tools) return result
    // An answer in the expected form may look like a call, but still counts as the answer.
    return options.expected
      ? withoutCalls({ ...result, text: result.raw ?? result.text })
      : withoutCalls(result)
  }
  const first = await requestReply()
  let result = first
  await letOthersRun()
  const reason = voidReason(first)
  if (reason && !signal.aborted) {
    // This reply is stored nowhere but still has its cost.
    countUsage(turn, ports, result, true)
    ports.emit({ type: 'retry', reason })
    // Some servers accept at most 31 bits.
    result = await requestReply({ temperature: OTHER_TEMPERATURE, seed: randomInt(2 ** 31) })
  }
  // Judge again only if the reply is new: judging a long reply takes some milliseconds.
  const stillVoid = result === first ? reason : voidReason(result)
  const stored =
    stillVoid === 'unreadable' ? asReadable(result) : result.end === 'looping' ? onceRound(result) : result
  const reply = storeReply(turn, ports, stored, { begun, isVoid: stillVoid !== undefined })
  return stillVoid ? { ...reply, void: stillVoid } : reply
}

/**
 * Ask the model once, without tools, to phrase the result of the call that a step began for it. If the text
 * is not an answer or does not end, it is discarded and Talaria phrases the result itself.
 */
export async function readWording(
  turn: Turn,
  ports: TurnPorts,
  {
    wording,
    messages,
    history,
  }: { wording: Wording; messages: readonly WireMessage[]; history: readonly Message[] },
  signal: AbortSignal,
): Promise<Reply> {
  if (!wording.mayAsk(history)) return tellResult(turn, ports, wording.tell(history))
  const { maxTokens = Infinity, plainTokens = Infinity, ...usual } = turn
  const asking = { ...usual, plainTokens: Math.min(maxTokens, plainTokens, wording.mostTokens(history)) }
  const prompt = { messages, tools: [], constraints: [], ...(turn.sampling && { sampling: turn.sampling }) }
  await letOthersRun()
  const isAstray = (text: string) => wording.isAstray(text, history)
  const result = withoutCalls(
    await readCompletion(asking, ports.emit, prompt, { isShown: false, isAstray }, signal),
  )
  const isEndless = result.end === 'cut' || result.end === 'looping'
  const fault =
    result.end === 'stopped' || result.end === 'failed'
      ? undefined
      : (whyVoid(result, text => wording.judge(text, history)) ?? (isEndless ? 'unfounded' : undefined))
  if (fault === undefined) return storeReply(turn, ports, result, { begun: undefined, isVoid: false })
  // This reply is stored nowhere but still has its cost.
  countUsage(turn, ports, result, true)
  ports.emit({ type: 'retry', reason: fault, instead: true })
  return tellResult(turn, ports, wording.tell(history))
}

/** Show and store Talaria's wording of a result in place of the model's. */
function tellResult(turn: Turn, ports: TurnPorts, text: string): Reply {
  ports.emit({ type: 'text_delta', text })
  const told: CompletionResult = { text, reasoning: '', calls: [], end: 'done', writer: 'Talaria' }
  return storeReply(turn, ports, told, { begun: undefined, isVoid: false, byTalaria: true })
}

/** Drop the calls of a reply. Without calls, the exact text stays, because its tokens are cached. */
function withoutCalls({ raw, ...result }: CompletionResult): CompletionResult {
  return result.calls.length > 0 || raw === undefined ? { ...result, calls: [] } : { ...result, raw }
}

/** Charge the tokens of a reply to the turn's budget, and report the usage. */
function countUsage(turn: Turn, ports: TurnPorts, { usage }: CompletionResult, isVoid: boolean): void {
  if (!usage) return
  turn.budget?.spend(usage.evaluatedTokens + usage.outputTokens)
  ports.emit({ type: 'context_usage', usage, ...(isVoid && { isVoid: true as const }) })
}

/** Why a reply is unusable; undefined if it is usable. Reasoning alone is not an answer. */
function whyVoid<Fault extends WordingFault>(
  { end, text, reasoning, calls }: CompletionResult,
  whyNoAnswer: (text: string) => Fault | undefined,
): VoidReason | Fault | undefined {
  const isOver = end === 'looping' || ((end === 'done' || end === 'cut') && calls.length === 0)
  if (isOver && isUnreadable(text === '' ? reasoning : text)) return 'unreadable'
  if (end === 'looping') return 'looping'
  if (calls.length > 0) return undefined
  // If nothing at all is left, a long call was cut; the caller retries it with more room.
  if (end === 'cut') return text === '' || hasVisible(text + reasoning) ? undefined : 'empty'
  if (end !== 'done') return undefined
  return hasVisible(text) ? whyNoAnswer(text) : 'empty'
}

/** The readable part of a reply. */
const asReadable = (result: CompletionResult): CompletionResult => ({
  ...result,
  text: readableStart(result.text),
  reasoning: readableStart(result.reasoning),
})

/** The reply up to the point where it starts to repeat itself. */
const onceRound = (result: CompletionResult): CompletionResult => ({
  ...result,
  text: withoutRepeats(result.text),
  reasoning: withoutRepeats(result.reasoning),
})

/** Whether a reply has more text than the part it was started with. */
export const hasWritten = (
  reply: Pick<Reply, 'text' | 'reasoning'>,
  begun: BegunReply | undefined,
): boolean =>
  begun
    ? reply.text.length > begun.text.length || reply.reasoning.length > begun.reasoning.length
    : `${reply.text}${reply.reasoning}`.trim() !== ''

/** Store the reply, unless it is empty, and emit it. A void reply is marked, so no model reads it again. */
export function storeReply(
  turn: Turn,
  ports: TurnPorts,
  result: CompletionResult,
  {
    begun,
    isVoid,
    byTalaria = false,
  }: { begun: BegunReply | undefined; isVoid: boolean; byTalaria?: boolean },
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
      // If an answer was cut off, a trailing blank or line feed may belong to its continuation.
      text: isUnfinished && reply.text.trim() !== '' ? reply.text.trimStart() : reply.text.trim(),
      reasoning: reasoning.trim(),
      calls: reply.calls.map(each => each.call),
      interrupted,
      ...(reply.end === 'cut' && { cut: true as const }),
      ...(isVoid && { void: true as const }),
      ...(byTalaria && { byTalaria: true as const }),
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
