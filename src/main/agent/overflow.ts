import type { EngineFailure } from '../models/engine.ts'
import { fixedCost, tokensOf, type FittedHistory, type OmittedHistory } from './fit-history.ts'
import type { Turn, TurnPorts } from './turn.ts'

const LEFT_OUT = {
  turns:
    'The beginning of this chat no longer fits the model’s memory for one answer. It stays in the chat, but the model does not see it now.',
  results:
    'This turn has outgrown the model’s memory for one answer, so it now sees only the beginning of older tool results.',
}

/**
 * Report that a history was cut to fit: an event each time, and a warning the first time in a chat or when a
 * turn outgrows the context window. `before` is the earlier state; `tokens` is the engine's own count.
 */
export function reportLeftOut(
  { contextTokens }: Turn,
  emit: TurnPorts['emit'],
  { left, needed, messages }: FittedHistory,
  before: OmittedHistory,
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
 * Report that nothing more can be left out, and return the failure with a text that says how long the rest is.
 * If our numbers do not explain it, the engine's own text stays.
 */
export function reportFull(
  turn: Turn,
  emit: TurnPorts['emit'],
  { messages }: FittedHistory,
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

/** An estimated token count, rounded to two significant digits. */
const about = (tokens: number): string => Number(tokens.toPrecision(2)).toLocaleString('en-US')
