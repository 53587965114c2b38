import type { ReviewCost } from '../../../shared/contract/learned/learning.ts'
import type { Message, NewMessage, Usage } from '../../../shared/contract/chats/messages.ts'
import { nothingOmitted } from '../../agent/fit-turn.ts'
import { runStep, runTurn } from '../../agent/loop.ts'
import { policyStep } from '../../agent/steps/policy-step.ts'
import { capStep, type Cap } from '../../agent/steps/result-steps.ts'
import type { Strategy } from '../../agent/strategies/strategy.ts'
import { noPermits, type PreparedTurn, type TurnPorts } from '../../agent/turn-types.ts'
import type { EngineFailure, ToolSpec } from '../../models/interface/engine.ts'
import type { Registry } from '../../tools/registry/registry.ts'
import { triageConversation } from './triage.ts'
import { flushPrompt, reviewPrompt, type ReviewQuestion } from './review-prompts.ts'

/** The conversation to review: the next turn of its chat, and all messages that the chat's model reads. */
export type ReviewedConversation = {
  turn: PreparedTurn
  messages: readonly Message[]
}

/** A review with a waiting caller: whether it must be short, and who is notified of saved changes. */
export type AwaitedReview = { isShort: boolean; emit: TurnPorts['emit'] }

export type ReviewOptions = ReviewQuestion & {
  /** Only memory and skill tools. */
  registry: Registry
  /** Budget of tokens evaluated without cache plus tokens written. */
  budgetTokens: number
  /** Maximum number of steps of the review. */
  maxSteps: number
  /** Absent for a background review. */
  awaited?: AwaitedReview | undefined
  cap: Cap
  now(): number
  report(error: unknown): void
}

export type ReviewResult = {
  end: 'done' | 'nothing' | 'failed' | 'stopped' | 'over_budget'
  /** The model's last text, or what went wrong. */
  text: string
  /** The kind of failure, if known. */
  code?: EngineFailure['code']
  /** The model gave no usable answer: it looped, or never finished. */
  isVoid?: true
  cost: ReviewCost
}

/** Token limits of a short review: for a few memory calls, and for a reasoning model's thoughts. */
const SHORT_REPLY = 400
const THOUGHTS = 1_000

/** Maximum number of tokens for a reply without a call. */
const REVIEW_REPLY = 800

/** Maximum number of tokens for the single reply of a short review of these messages. */
export const shortReplyTokens = (messages: readonly Message[]): number =>
  SHORT_REPLY +
  (messages.some(message => message.role === 'assistant' && message.reasoning !== '') ? THOUGHTS : 0)

/**
 * Review a conversation, in the background unless a caller waits. A cheap triage request comes first. If it
 * finds something, the review runs as a separate, hidden turn after the same messages and so on the same
 * evaluated prefix. Nothing is stored in the chat. Model failures are returned, never thrown. A short review
 * is one reply with memory calls.
 */
export async function runReviewTurn(
  { turn, messages }: ReviewedConversation,
  options: ReviewOptions,
  signal: AbortSignal,
): Promise<ReviewResult> {
  const { registry, budgetTokens, maxSteps, awaited, cap, now, report } = options
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
  const ended = (end: ReviewResult['end'], text: string, code?: EngineFailure['code']): ReviewResult => ({
    end: signal.aborted ? 'stopped' : budget.signal.aborted ? 'over_budget' : end,
    text,
    ...(code && { code }),
    cost: { ...cost, ms: Math.round(performance.now() - startedAt) },
  })

  // The chat's limit on answers does not apply, because nobody reads these.
  const { maxTokens: _ofChat, isDecided, ...asking } = turn
  const quiet = {
    ...asking,
    plainTokens: REVIEW_REPLY,
    purpose: 'learning' as const,
    ...(!awaited && { priority: 'background' as const }),
  }
  const omitted = nothingOmitted()
  const noticed: { noticed?: string } = {}
  if (!awaited?.isShort) {
    const first = await triageConversation(quiet, messages, options, omitted, stop)
    count(first.usage)
    if (first.found === 'failed') return ended('failed', first.text, first.code)
    if (stop.aborted || first.found === 'nothing') return ended('nothing', '')
    if (first.found === 'something') noticed.noticed = first.noticed
  }

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
    text: awaited?.isShort ? flushPrompt(options) : reviewPrompt({ ...options, ...noticed }),
  })
  let failure = ''
  const ports: TurnPorts = {
    history: (firstId, most) => [...messages, ...own].filter(each => each.id >= firstId).slice(-most),
    append,
    emit(event) {
      if (event.type === 'context_usage') count(event.usage)
      if (event.type === 'error') failure = event.text
      if (event.type === 'memory' || event.type === 'skills') awaited?.emit(event)
    },
    // No user is asked, so calls that need approval are denied and the model gets the reason.
    approvalMode: () => 'none',
    ask: async () => ({ decision: 'deny', note: 'Nobody is here in a review.', unanswered: true }),
    now,
    report,
  }
  const reviewing = {
    ...quiet,
    // The prompt of a chat with a decider does not list any tools.
    ...(isDecided && { strategy: toldAt(turn.strategy, asked.id, registry.specs()) }),
    askedId: asked.id,
    steps: [policyStep(), capStep(cap)],
    permits: noPermits(),
    registry,
    tools: registry.specs(),
    maxIterations: maxSteps,
  }
  if (awaited?.isShort) {
    // Tools sent as data are part of the evaluated prefix, so they stay. Only the review's tools can run.
    const tools = turn.strategy.name === 'structured' ? turn.tools : reviewing.tools
    const all = [...messages, asked]
    const reply = await runStep({ ...reviewing, tools }, ports, all, shortReplyTokens(messages), stop)
    const isWhole = reply.end === 'done' && own.every(message => message.role !== 'tool' || message.ok)
    const hasAnswer = reply.calls.length > 0 || /\bnothing\b/i.test(reply.text)
    return isWhole && hasAnswer ? ended('done', reply.text) : ended('failed', reply.failure?.text ?? '')
  }
  const end = await runTurn(reviewing, ports, omitted, stop)
  const last = own.findLast(message => message.role === 'assistant')
  if (end === 'failed') return ended('failed', failure)
  if (end === 'tools_refused')
    return ended('failed', 'This server takes no tools as data.', 'tools_unsupported')
  const isVoid = last?.role === 'assistant' && last.calls.length === 0 && (last.void ?? last.cut)
  // A void last reply does not void a review that has already made calls.
  if (isVoid && !own.some(message => message.role === 'tool')) return { ...ended('done', ''), isVoid: true }
  return ended('done', last?.text ?? '')
}

const lastId = (messages: readonly Message[]): number =>
  messages.reduce((most, { id }) => Math.max(most, id), 0)

/** A strategy that lists these tools after one message. */
const toldAt = (strategy: Strategy, id: number, tools: readonly ToolSpec[]): Strategy => ({
  ...strategy,
  render(system, history) {
    const whole = strategy.render(system, history)
    const at = history.findIndex(message => message.id === id)
    if (at < 0) return whole
    const told = strategy.presentBehind(strategy.render(system, history.slice(0, at + 1)), tools)
    return [...told, ...whole.slice(told.length)]
  },
})
