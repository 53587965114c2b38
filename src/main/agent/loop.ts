import type { EndReason } from '../../shared/contract/run.ts'
import type { EngineFailure } from '../llm/engine.ts'
import { runCalls } from './calls.ts'
import { fit, mostMessages, type Window } from './fit.ts'
import { tellFull, tellLeftOut } from './overflow.ts'
import { readReply, type Reply } from './reply.ts'
import { joinNeighbours } from './strategies/join-neighbours.ts'
import type { Turn, TurnPorts } from './turn.ts'

/** Replies in a row in which no call could run, after which the model is not asked again. */
const MAX_STRIKES = 3
/** So often in a row a model may ask for the same and get the same; waiting for something takes a few tries. */
const MAX_SAME = 4
/** How often a question is asked that the engine finds too long, with less of the history each time. */
const MAX_ATTEMPTS = 3

const CLOSING =
  'You have used all the steps of this turn. Do not use any tool now. In a few sentences, say what you did and what is left to do.'

const SAME =
  'You asked for the same again and again, and the result was always the same. Do not use any tool now. Answer with what the results above say.'

const NOTHING = 'The model answered with nothing. Try other words, or a larger model.'
const CIRCLES =
  'The model goes in circles, so its answer was cut where it began to repeat itself. Other words, a new chat or a larger model may help.'

/**
 * Answer the newest message of a session: ask the model, run the tools that it calls, ask again, until it answers
 * without a call. The history is legal after every step, so a stop or a crash at any point leaves a chat that goes on.
 */
export async function runTurn(
  settled: Turn,
  ports: TurnPorts,
  window: Window,
  signal: AbortSignal,
): Promise<EndReason> {
  let turn = settled
  const warn = (text: string) => ports.emit({ type: 'warning', text })
  let strikes = 0
  let same = { came: '', times: 0 }
  for (let step = 0; step < turn.maxIterations; step++) {
    turn = { ...turn, ...(await ports.makeRoom?.(turn, signal)) }
    if (signal.aborted) return 'stopped'
    const reply = await ask(turn, ports, window, signal)
    if (reply.end === 'stopped' || reply.end === 'failed') return reply.end
    if (reply.end === 'cut') warn('The answer was cut: the model reached the end of its room.')
    if (reply.end === 'looping') warn(CIRCLES)
    if (reply.calls.length === 0) {
      if (reply.end === 'done' && reply.text.trim() === '') warn(NOTHING)
      return 'done'
    }
    const { ran, came } = await runCalls(turn, ports, reply.calls, signal)
    if (signal.aborted) return 'stopped'
    strikes = ran ? 0 : strikes + 1
    if (strikes === MAX_STRIKES) {
      warn(
        `The model wrote ${MAX_STRIKES} replies in a row whose tool calls could not run, so the turn ends here. A larger model may do better.`,
      )
      return 'tool_calls_invalid'
    }
    same = { came, times: same.came === came ? same.times + 1 : 1 }
    if (same.times === MAX_SAME) {
      warn(`The model asked for the same ${MAX_SAME} times in a row, so it is asked to answer now.`)
      return close(SAME, 'done')
    }
  }
  warn(`All ${turn.maxIterations} steps of this turn are used.`)
  return close(CLOSING, 'budget_exhausted')

  async function close(closing: string, reason: EndReason): Promise<EndReason> {
    const { end } = await ask(turn, ports, window, signal, { closing })
    if (end === 'looping') warn(CIRCLES)
    return end === 'stopped' || end === 'failed' ? end : reason
  }
}

/**
 * One question to the model with as much of the history as fits; a window that turns out smaller gets less of it. With
 * `closing` behind it there are no tools.
 */
async function ask(
  turn: Turn,
  ports: TurnPorts,
  window: Window,
  signal: AbortSignal,
  { closing }: { closing?: string } = {},
): Promise<Reply> {
  const tools = closing === undefined
  let tokens: EngineFailure['tokens']
  for (let attempt = 1; ; attempt++) {
    const before = { ...window }
    const history = fit(turn, ports.history(window.firstId, mostMessages(turn)), window, attempt)
    tellLeftOut(turn, ports.emit, history, before, tokens)
    const messages = turn.strategy.render(turn.system, history.messages)
    const asked = tools ? messages : joinNeighbours([...messages, { role: 'user', text: closing }])
    const reply = await readReply(turn, ports, asked, { tools }, signal)
    const { failure } = reply
    if (!failure) return reply
    // Words that were shown already are stored as a part of this chat; the question is not asked again behind them.
    const isFull = failure.code === 'context_full' && `${reply.text}${reply.reasoning}`.trim() === ''
    if (isFull && attempt < MAX_ATTEMPTS && history.canShrink) {
      tokens = failure.tokens
      continue
    }
    if (failure.code === 'tools_unsupported' && turn.strategy.name === 'structured') ports.refusedTools()
    else {
      const { text, fix } = isFull ? tellFull(turn, ports.emit, history, failure) : failure
      ports.emit({ type: 'error', text, fix })
    }
    return reply
  }
}
