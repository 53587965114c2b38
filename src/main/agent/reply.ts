import { randomInt } from 'node:crypto'
import type { AssistantMessage } from '../../shared/contract/messages.ts'
import type { Sampling, WireMessage } from '../models/engine.ts'
import { readCompletion, type CompletionResult } from './read-completion.ts'
import { withoutRepeats } from './repetition.ts'
import type { Turn, TurnPorts } from './turn.ts'

export type { ReadCall } from './read-completion.ts'

/**
 * One reply of the model, complete or not. `cut`: it reached the token limit. `looping`: it repeated itself,
 * also on the second attempt.
 */
export type Reply = Pick<CompletionResult, 'text' | 'reasoning' | 'calls' | 'end' | 'failure'>

/** High enough that a model which always picks the likeliest token takes another path. */
const OTHER_TEMPERATURE = 0.8

/**
 * Request a reply, show it as it arrives and store it. An empty or repeating reply is discarded and requested
 * once more with other sampling. A reply that was stopped or broke off keeps its text, marked as interrupted,
 * but loses its calls because they never ran. Without `tools`, the model is offered none and any calls are
 * dropped.
 */
export async function readReply(
  turn: Turn,
  ports: TurnPorts,
  messages: readonly WireMessage[],
  options: { tools: boolean },
  signal: AbortSignal,
): Promise<Reply> {
  const requestReply = async (sampling?: Sampling): Promise<CompletionResult> => {
    const prompt = {
      messages,
      tools: options.tools ? turn.strategy.attach(turn.tools) : [],
      constraints: options.tools ? turn.strategy.constrain(turn.tools) : [],
      ...(sampling && { sampling }),
    }
    const result = await readCompletion(turn, ports.emit, prompt, signal)
    if (options.tools) return result
    const { raw: _raw, ...said } = result
    return { ...said, calls: [] }
  }
  let result = await requestReply()
  const reason = whyVoid(result)
  if (reason && !signal.aborted) {
    ports.emit({ type: 'retry', reason })
    // Some servers accept at most 31 bits.
    result = await requestReply({ temperature: OTHER_TEMPERATURE, seed: randomInt(2 ** 31) })
  }
  return storeReply(turn, ports, result.end === 'looping' ? onceRound(result) : result)
}

/** Why a reply is unusable; reasoning alone is not an answer. */
function whyVoid({ end, text, calls }: CompletionResult): 'empty' | 'looping' | undefined {
  if (end === 'looping') return 'looping'
  return end === 'done' && text.trim() === '' && calls.length === 0 ? 'empty' : undefined
}

/** The reply up to the point where it starts to repeat itself. */
const onceRound = (result: CompletionResult): CompletionResult => ({
  ...result,
  text: withoutRepeats(result.text),
  reasoning: withoutRepeats(result.reasoning),
})

/** Store the reply, unless it is empty, and emit its message. */
function storeReply(turn: Turn, ports: TurnPorts, { usage, raw, ...reply }: CompletionResult): Reply {
  const interrupted = reply.end !== 'done' && reply.end !== 'cut'
  if (interrupted) reply.calls = []
  const { reasoning } = reply
  const empty = reply.text.trim() === '' && reasoning.trim() === '' && reply.calls.length === 0
  if (!(interrupted && empty)) {
    const message: Omit<AssistantMessage, 'id'> = {
      role: 'assistant',
      sessionId: turn.sessionId,
      at: ports.now(),
      text: reply.text.trim(),
      reasoning: reasoning.trim(),
      calls: reply.calls.map(each => each.call),
      interrupted,
      model: turn.engine.name,
      ...(raw !== undefined && { raw }),
      ...(usage && { usage }),
    }
    // The raw text is for the engine only; windows do not need it.
    const { raw: _raw, ...shown } = ports.append(message) as AssistantMessage
    ports.emit({ type: 'message', message: shown })
  }
  if (usage) ports.emit({ type: 'context_usage', usage })
  return reply
}
