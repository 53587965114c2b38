import type { Rule } from '../next-instants.ts'
import { isUnplannable, type Placed, type Unplannable } from '../read/clause.ts'
import { isJoin } from '../read/read-clauses.ts'
import { isPlain, isSign, type Token } from '../read/time-tokens.ts'

type Tokens = readonly Token[]

/** The clauses at the beginning of a text, if they say when it runs without the rest. */
export type FirstSchedule = {
  rule: Rule
  placed: readonly Placed[]
  /** The index of the token with which the task begins. */
  taskAt: number
  /** What separates the task: quotes or a command (`sure`), a colon, or nothing. */
  mark: 'sure' | 'colon' | 'none'
}

type PlanOf = (placed: readonly Placed[]) => Rule | Unplannable

/** Find the schedule at the beginning of a text, before its task. Undefined if the text begins otherwise. */
export function firstSchedule(
  tokens: Tokens,
  all: readonly Placed[],
  planOf: PlanOf,
): FirstSchedule | undefined {
  const isRead = new Set(all.flatMap(({ at, end }) => tokens.slice(at, end)))
  const last = lastOfText(tokens)
  const isOfTime = (at: number) => isRead.has(tokens[at]!) || isJoin(tokens[at]!)
  let taskAt = 0
  while (taskAt < tokens.length && !isMarkOfTask(tokens, taskAt, last) && isOfTime(taskAt)) taskAt++
  if (taskAt === tokens.length) return undefined
  const placed = all.filter(({ end }) => end <= taskAt)
  const rule = planOf(placed)
  if (placed.length === 0 || isUnplannable(rule)) return undefined
  if (isMarkOfTask(tokens, taskAt, last)) return { rule, placed, taskAt, mark: 'sure' }
  if (!isPlain(tokens[taskAt])) return undefined
  const gap = tokens.slice(placed.at(-1)!.end, taskAt)
  return { rule, placed, taskAt, mark: gap.some(each => isSign(each, ':')) ? 'colon' : 'none' }
}

/** Whether a task surely begins at a token: the rest is in quotes, or is a command like “!say” or “/tidy”. */
export function isMarkOfTask(tokens: Tokens, at: number, last = lastOfText(tokens)): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (!token || !next?.isGlued || token.isGlued) return false
  if (isSign(token, '!/')) return next.type === 'word'
  return isSign(token, '"“„«') && last > at && isSign(tokens[last], '"”“»')
}

const lastOfText = (tokens: Tokens) => tokens.findLastIndex(each => !isSign(each, '.!?'))

/**
 * Settle a text whose times do not fit together, given the schedule at its beginning. The rest is the task if
 * it follows a colon or repeats these times. Otherwise it may be a second schedule: say how to part them.
 */
export function settleBySchedule(
  tokens: Tokens,
  all: readonly Placed[],
  first: FirstSchedule,
  planOf: PlanOf,
): FirstSchedule | Unplannable {
  const rest = all.filter(({ at }) => at >= first.taskAt)
  if (first.mark === 'colon' || isSameRule(planOf(rest), first.rule)) return first
  const [second] = rest
  // Its time words belong to the task: “the weekly report”.
  if (!second) return first
  const when = wordsOf(tokens, first.placed[0]!, first.placed.at(-1)!)
  return {
    open: `Is “${wordsOf(tokens, second, second)}” a second schedule, or part of the task? For two schedules, make one for each. If it is part of the task, put a colon before the task: “${when}: ${tokens[first.taskAt]!.text} …”.`,
  }
}

/** Whether two rules, planned at the same moment, are equal. */
export const isSameRule = (one: Rule | Unplannable, other: Rule): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const wordsOf = (tokens: Tokens, from: Placed, to: Placed) =>
  tokens
    .slice(from.at, to.end)
    .map(each => each.text)
    .join(' ')
