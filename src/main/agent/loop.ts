import type { EndReason } from '../../shared/contract/run.ts'
import { runCalls } from './calls.ts'
import { fit, mostMessages, type Window } from './fit.ts'
import { readReply, type Reply } from './reply.ts'
import { joinNeighbours } from './strategies/join-neighbours.ts'
import type { Turn, TurnPorts } from './turn.ts'

/** Replies in a row in which no call could run, after which the model is not asked again. */
const MAX_STRIKES = 3
/** How often a question is asked that the engine finds too long, with less of the history each time. */
const MAX_ATTEMPTS = 3

const CLOSING =
  'You have used all the steps of this turn. Do not use any tool now. In a few sentences, say what you did and what is left to do.'

const LEFT_OUT = {
  turns:
    'The beginning of this chat no longer fits the model’s memory for one answer. It stays in the chat, but the model does not see it now.',
  results:
    'This turn has outgrown the model’s memory for one answer, so it now sees only the beginning of older tool results.',
}

/**
 * Answer the newest message of a session: ask the model, run the tools that it calls, ask again, until it answers
 * without a call. The history is legal after every step, so a stop or a crash at any point leaves a chat that goes on.
 */
export async function runTurn(
  turn: Turn,
  ports: TurnPorts,
  window: Window,
  signal: AbortSignal,
): Promise<EndReason> {
  const warn = (text: string) => ports.emit({ type: 'warning', text })
  let strikes = 0
  for (let step = 0; step < turn.maxIterations; step++) {
    const reply = await ask(turn, ports, window, signal, { tools: true })
    if (reply.end === 'stopped' || reply.end === 'failed') return reply.end
    if (reply.end === 'cut') warn('The answer was cut: the model reached the end of its room.')
    if (reply.calls.length === 0) {
      if (reply.text.trim() === '')
        warn('The model answered with nothing. Try other words, or a larger model.')
      return 'done'
    }
    const { ran } = await runCalls(turn, ports, reply.calls, signal)
    if (signal.aborted) return 'stopped'
    strikes = ran ? 0 : strikes + 1
    if (strikes === MAX_STRIKES) {
      warn(
        `The model wrote ${MAX_STRIKES} replies in a row whose tool calls could not run, so the turn ends here. A larger model may do better.`,
      )
      return 'tool_calls_invalid'
    }
  }
  warn(`All ${turn.maxIterations} steps of this turn are used.`)
  const closing = await ask(turn, ports, window, signal, { tools: false })
  return closing.end === 'stopped' || closing.end === 'failed' ? closing.end : 'budget_exhausted'
}

/** One question to the model with as much of the history as fits; a window that turns out smaller gets less of it. */
async function ask(
  turn: Turn,
  ports: TurnPorts,
  window: Window,
  signal: AbortSignal,
  options: { tools: boolean },
): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    const history = fit(turn, ports.history(window.firstId, mostMessages(turn)), window, attempt)
    if (history.left) ports.emit({ type: 'warning', text: LEFT_OUT[history.left] })
    const messages = turn.strategy.render(turn.system, history.messages)
    const asked = options.tools ? messages : joinNeighbours([...messages, { role: 'user', text: CLOSING }])
    const reply = await readReply(turn, ports, asked, options, signal)
    const { failure } = reply
    if (failure?.code === 'context_full' && attempt < MAX_ATTEMPTS && history.canShrink) continue
    if (failure?.code === 'tools_unsupported' && turn.strategy.name === 'structured') ports.refusedTools()
    else if (failure) ports.emit({ type: 'error', text: failure.text, fix: failure.fix })
    return reply
  }
}
