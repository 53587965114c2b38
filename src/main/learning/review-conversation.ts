import type { ReviewCost } from '../../shared/contract/learning.ts'
import type { Message, NewMessage, Usage } from '../../shared/contract/messages.ts'
import { openWindow } from '../agent/fit.ts'
import { runTurn } from '../agent/loop.ts'
import type { Turn, TurnPorts } from '../agent/turn.ts'
import type { EngineFailure } from '../llm/engine.ts'
import type { Registry } from '../tools/registry.ts'
import { lookFirst } from './look-first.ts'
import { reviewPrompt, type ReviewQuestion } from './prompts.ts'

/** A conversation as it is reviewed: the turn that its chat would take next, and all that its model reads. */
export type Reviewed = {
  turn: Omit<Turn, 'askedId'>
  messages: readonly Message[]
}

export type ReviewOptions = ReviewQuestion & {
  /** Only memory and skill tools. */
  registry: Registry
  /** Tokens that may be read anew and written. */
  budgetTokens: number
  cap: TurnPorts['cap']
  now(): number
  report(error: unknown): void
}

export type Looked = {
  end: 'done' | 'nothing' | 'failed' | 'stopped' | 'over_budget'
  /** What the model said in the end, or what went wrong. */
  text: string
  /** What kind of trouble it was, where that is known. */
  code?: EngineFailure['code']
  cost: ReviewCost
}

const MOST_ITERATIONS = 8

/**
 * Look back at a conversation, quietly: a first cheap question, and when something was found the review itself, which is a
 * turn of its own that nobody sees, behind the same messages and so on the same evaluated prefix. Nothing of it is stored in
 * the chat. Nothing is thrown for what models do.
 */
export async function reviewConversation(
  { turn, messages }: Reviewed,
  options: ReviewOptions,
  signal: AbortSignal,
): Promise<Looked> {
  const { registry, budgetTokens, cap, now, report } = options
  const startedAt = performance.now()
  const cost: ReviewCost = {
    ms: 0,
    promptTokens: 0,
    reusedTokens: 0,
    outputTokens: 0,
    model: turn.engine.name,
  }
  const budget = new AbortController()
  const stop = AbortSignal.any([signal, budget.signal])

  function count(usage: Usage | undefined) {
    if (!usage) return
    cost.promptTokens += usage.promptTokens
    cost.reusedTokens += usage.reusedTokens
    cost.outputTokens += usage.outputTokens
    if (cost.promptTokens - cost.reusedTokens + cost.outputTokens > budgetTokens) budget.abort()
  }
  const ended = (end: Looked['end'], text: string, code?: EngineFailure['code']): Looked => ({
    end: signal.aborted ? 'stopped' : budget.signal.aborted ? 'over_budget' : end,
    text,
    ...(code && { code }),
    cost: { ...cost, ms: Math.round(performance.now() - startedAt) },
  })

  const quiet = { ...turn, priority: 'background' as const }
  const window = openWindow()
  const first = await lookFirst(quiet, messages, options, window, stop)
  count(first.usage)
  if (first.found === 'failed') return ended('failed', first.text, first.code)
  if (stop.aborted || first.found === 'nothing') return ended('nothing', '')

  const noticed = first.found === 'something' ? { noticed: first.noticed } : {}
  const own: Message[] = []
  const append = (message: NewMessage): Message => {
    const kept: Message = { ...message, id: lastId(messages) + own.length + 1 }
    own.push(kept)
    return kept
  }
  const asked = append({
    role: 'user',
    sessionId: turn.sessionId,
    at: now(),
    text: reviewPrompt({ ...options, ...noticed }),
  })
  let failure = ''
  let code: EngineFailure['code'] | undefined
  const end = await runTurn(
    { ...quiet, askedId: asked.id, registry, tools: registry.specs(), maxIterations: MOST_ITERATIONS },
    {
      history: (firstId, most) => [...messages, ...own].filter(each => each.id >= firstId).slice(-most),
      append,
      emit(event) {
        if (event.type === 'context_usage') count(event.usage)
        if (event.type === 'error') failure = event.text
      },
      // Nobody is there: what needs an answer of the person is denied, and so comes back as a reason.
      approvalMode: () => 'none',
      grants: new Set(),
      grant: () => {},
      ask: async () => ({ decision: 'deny', note: 'Nobody is here in a review.', unanswered: true }),
      cap,
      refusedTools() {
        failure = 'This server takes no tools as data.'
        code = 'tools_unsupported'
      },
      now,
      report,
    },
    window,
    stop,
  )
  const last = own.findLast(message => message.role === 'assistant')
  if (end === 'failed') return ended('failed', failure, code)
  return ended('done', last?.text ?? '')
}

const lastId = (messages: readonly Message[]): number =>
  messages.reduce((most, { id }) => Math.max(most, id), 0)
