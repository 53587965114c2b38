import { randomInt } from 'node:crypto'
import type { AssistantMessage } from '../../shared/contract/messages.ts'
import type { Sampling, WireMessage } from '../llm/engine.ts'
import { hear, type Heard } from './hear.ts'
import { withoutRepeats } from './repetition.ts'
import type { Turn, TurnPorts } from './turn.ts'

export type { ReadCall } from './hear.ts'

/**
 * One reply of the model, complete or not. A `cut` one reached the end of the room for answers; a `looping` one went in
 * circles, also when it was asked for once more.
 */
export type Reply = Pick<Heard, 'text' | 'reasoning' | 'calls' | 'end' | 'failure'>

/** Warm enough that a model which always takes the likeliest word leaves its track. */
const OTHER_TEMPERATURE = 0.8

/**
 * Ask the model, show what it says while it says it, and store it. When that was nothing, or goes in circles, all of it
 * is void and the model is asked once more, with other chances. A reply that was stopped or broke off keeps what it had
 * written, marked as interrupted and without its calls: they never ran. Without `tools` the model is offered none, and
 * calls that it makes all the same are dropped.
 */
export async function readReply(
  turn: Turn,
  ports: TurnPorts,
  messages: readonly WireMessage[],
  options: { tools: boolean },
  signal: AbortSignal,
): Promise<Reply> {
  const ask = async (sampling?: Sampling): Promise<Heard> => {
    const prompt = {
      messages,
      tools: options.tools ? turn.strategy.attach(turn.tools) : [],
      constraints: options.tools ? turn.strategy.constrain(turn.tools) : [],
      ...(sampling && { sampling }),
    }
    const heard = await hear(turn, ports.emit, prompt, signal)
    if (options.tools) return heard
    const { raw: _raw, ...said } = heard
    return { ...said, calls: [] }
  }
  let heard = await ask()
  const reason = whyVoid(heard)
  if (reason && !signal.aborted) {
    ports.emit({ type: 'retry', reason })
    // Some servers take no more than 31 bits.
    heard = await ask({ temperature: OTHER_TEMPERATURE, seed: randomInt(2 ** 31) })
  }
  return keep(turn, ports, heard.end === 'looping' ? onceRound(heard) : heard)
}

/** Why a reply is worth nothing as it is; thoughts alone are no answer. */
function whyVoid({ end, text, calls }: Heard): 'empty' | 'looping' | undefined {
  if (end === 'looping') return 'looping'
  return end === 'done' && text.trim() === '' && calls.length === 0 ? 'empty' : undefined
}

/** A reply up to where it began to repeat itself. */
const onceRound = (heard: Heard): Heard => ({
  ...heard,
  text: withoutRepeats(heard.text),
  reasoning: withoutRepeats(heard.reasoning),
})

/** Store a reply, if there is anything to store, and tell of it. */
function keep(turn: Turn, ports: TurnPorts, { usage, raw, ...reply }: Heard): Reply {
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
    // What was written to the byte is for the engine only; a window has no use for it.
    const { raw: _raw, ...shown } = ports.append(message) as AssistantMessage
    ports.emit({ type: 'message', message: shown })
  }
  if (usage) ports.emit({ type: 'context_usage', usage })
  return reply
}
