import type { EngineFailure } from '../llm/engine.ts'
import { fixedCost, tokensOf, type Fitted, type Window } from './fit.ts'
import type { Turn, TurnPorts } from './turn.ts'

const LEFT_OUT = {
  turns:
    'The beginning of this chat no longer fits the model’s memory for one answer. It stays in the chat, but the model does not see it now.',
  results:
    'This turn has outgrown the model’s memory for one answer, so it now sees only the beginning of older tool results.',
}

/**
 * Tell that a history was cut to fit: an event each time, and a sentence for the person at the first time in a chat, or in
 * a turn that outgrows its room by itself. `before` is the window as it was; `tokens` is what the engine said of the prompt.
 */
export function tellLeftOut(
  { contextTokens }: Turn,
  emit: TurnPorts['emit'],
  { left, needed, messages }: Fitted,
  before: Window,
  tokens: EngineFailure['tokens'],
): void {
  if (left === undefined) return
  const figures = tokens ?? { needed: needed ?? 0, holds: contextTokens }
  emit({ type: 'context_full', neededTokens: figures.needed, contextTokens: figures.holds, leftOut: left })
  const question = messages.findLast(message => message.role === 'user')
  const isFirst = left === 'turns' ? before.firstId === 0 : before.briefId <= (question?.id ?? 0)
  if (isFirst) emit({ type: 'warning', text: LEFT_OUT[left] })
}

/**
 * Tell that nothing is left to leave out, and return the failure in words that say how long what remains is. Where our
 * figures do not show why it is too long, the engine's own words stay.
 */
export function tellFull(
  turn: Turn,
  emit: TurnPorts['emit'],
  { messages }: Fitted,
  failure: EngineFailure,
): EngineFailure {
  const fixed = fixedCost(turn)
  const { needed, holds } = failure.tokens ?? {
    needed: fixed + tokensOf(turn, messages),
    holds: turn.contextTokens,
  }
  emit({ type: 'context_full', neededTokens: needed, contextTokens: holds, leftOut: 'nothing' })
  if (needed <= holds || messages.filter(message => message.role === 'user').length !== 1) return failure
  const alone = messages.length === 1
  const what = alone ? 'This message is' : 'This turn has become'
  const long = about(Math.max(needed - fixed, 0))
  const text = `${what} about ${long} tokens long, and the instructions take ${about(fixed)}; the model holds ${holds.toLocaleString('en-US')}.`
  const fix = alone
    ? 'Send it in parts, or keep it in a file and ask about parts of it. A model with a larger context helps too.'
    : 'Ask for less at once, or choose a model with a larger context.'
  return { ...failure, text, fix }
}

/** A number of tokens that was estimated: two figures of it. */
const about = (tokens: number): string => Number(tokens.toPrecision(2)).toLocaleString('en-US')
