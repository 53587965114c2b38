import type { Message } from '../../../shared/contract/messages.ts'
import type { Compaction } from '../../../shared/contract/session.ts'
import { fixedCost, tokensOf } from '../fit.ts'
import type { Turn } from '../turn.ts'
import { askSummary, summaryPrompt } from './ask-summary.ts'
import type { Plan } from './plan.ts'
import { prunedTo } from './prune.ts'
import { summariseLocally } from './summarise-locally.ts'
import { extendSummary, isEmpty, readSummary, trimSummary, writeSummary } from './summary.ts'

type Asker = Pick<
  Turn,
  'engine' | 'system' | 'contextTokens' | 'tools' | 'strategy' | 'sessionId' | 'summariser'
>
type Earlier = Pick<Compaction, 'summary' | 'prunedToId'> | undefined

/** Share of what is replaced that its summary may take, and bounds in tokens. */
const TARGET = 0.2
const LEAST_SUMMARY = 160
const MOST_SUMMARY = 2_000
/** A summary that has grown over many passes may take this share of the window. */
const WHOLE_SUMMARY = 0.15
const WORDS_A_TOKEN = 0.7
/** Tokens for a model that thinks before it writes. */
const THOUGHTS = 1_500
/** A model with a smaller window is not asked: question and answer would fill it. */
const LEAST_WINDOW = 2_048
const NOTHING = '## Done\n- (nothing that could be summarised)'

/** Tokens that all of a summary may take, over however many passes it grew. */
const wholeTokens = (contextTokens: number): number =>
  Math.max(Math.floor(contextTokens * WHOLE_SUMMARY), LEAST_SUMMARY)

/** Tokens that the summary may have after one more pass. */
export const nextSummaryTokens = (turn: Asker, earlier: Earlier): number =>
  Math.min(wholeTokens(turn.contextTokens), turn.engine.count(earlier?.summary ?? '') + MOST_SUMMARY)

/** Tokens that become free when a plan is carried out, by the length that summaries are asked to have. */
export function expectedGain(turn: Asker, plan: Plan, earlier: Earlier): number {
  const middle = tokensOf(turn, prunedTo(plan.middle, earlier?.prunedToId ?? 0))
  const most = nextSummaryTokens(turn, earlier) - turn.engine.count(earlier?.summary ?? '')
  return middle - Math.min(targetTokens(turn, plan), Math.max(0, most))
}

function targetTokens(turn: Asker, { middle, upToId }: Plan): number {
  const tokens = tokensOf(turn, prunedTo(middle, upToId)) * TARGET
  return Math.round(Math.min(Math.max(tokens, LEAST_SUMMARY), MOST_SUMMARY))
}

export type ToSummarise = {
  plan: Plan
  /** What the model reads of the chat now, and its tokens with everything around it. */
  sent: readonly Message[]
  tokens: number
  earlier: Earlier
  focus: string
}

/** The summary of an earlier pass, extended by what a plan takes away. Undefined when it was stopped. */
export async function summarise(
  turn: Asker,
  { plan, sent, tokens, earlier, focus }: ToSummarise,
  signal: AbortSignal,
): Promise<{ summary: string; by: 'model' | 'local' } | undefined> {
  const target = targetTokens(turn, plan)
  const before = readSummary(earlier?.summary ?? '')
  const wanted = { words: Math.round(target * WORDS_A_TOKEN), focus, hasEarlier: !isEmpty(before) }
  const question = turn.engine.count(summaryPrompt(wanted))
  const thinks = sent.some(message => message.role === 'assistant' && message.reasoning !== '')
  const most = target * 2 + (thinks ? THOUGHTS : 0)

  // One that does not belong to the chat reads the conversation in a place of its own.
  const other = await turn.summariser?.()
  const asker: Asker = other ? { ...turn, ...other, sessionId: `summary-${turn.sessionId}` } : turn

  /** Room for the answer behind these messages; 0 when it is too little. */
  const roomBehind = (prompt: number): number => {
    const room = asker.contextTokens < LEAST_WINDOW ? 0 : asker.contextTokens - prompt - question
    return room < target ? 0 : Math.min(most, room)
  }
  const ask = async (): Promise<string | undefined> => {
    const room = roomBehind(tokens)
    if (room > 0) return askSummary(asker, sent, { ...wanted, maxTokens: room }, signal)
    // Without old results it may fit, at the price of reading it anew.
    const shorter = prunedTo(sent, plan.upToId)
    const rest = roomBehind(fixedCost(asker) + tokensOf(asker, shorter))
    return rest > 0 ? askSummary(asker, shorter, { ...wanted, maxTokens: rest }, signal) : undefined
  }
  const answer = await ask()
  if (signal.aborted) return undefined
  const said = readSummary(answer ?? '')
  const isModel = !isEmpty(said)
  const count = (text: string) => turn.engine.count(text)
  const later = trimSummary(isModel ? said : summariseLocally(plan.middle), target * 2, count)
  const whole = trimSummary(extendSummary(before, later), wholeTokens(turn.contextTokens), count)
  return { summary: writeSummary(whole) || NOTHING, by: isModel ? 'model' : 'local' }
}
