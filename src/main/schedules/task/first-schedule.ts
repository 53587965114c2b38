import type { Rule } from '../next-instants.ts'
import { isUnplannable, type Placed, type Unplannable } from '../read/clause.ts'
import { isJoin } from '../read/read-clauses.ts'
import { isPlain, isSign, type Token } from '../read/time-tokens.ts'

type Tokens = readonly Token[]

/** The clauses that a text begins with, where they say by themselves when it runs. */
export type FirstSchedule = {
  rule: Rule
  placed: readonly Placed[]
  /** The token that the task begins with. */
  taskAt: number
  /** How the text parts the task: beyond doubt by quotes or a command, else by a colon or not at all. */
  mark: 'sure' | 'colon' | 'none'
}

type PlanOf = (placed: readonly Placed[]) => Rule | Unplannable

/** Find the schedule that a text begins with, before the words of its task. Undefined if it begins otherwise. */
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

/** Whether a task surely begins at a token: all of the rest stands in quotes, or it is a command such as “!say” or “/tidy”. */
export function isMarkOfTask(tokens: Tokens, at: number, last = lastOfText(tokens)): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (!token || !next?.isGlued || token.isGlued) return false
  if (isSign(token, '!/')) return next.type === 'word'
  return isSign(token, '"“„«') && last > at && isSign(tokens[last], '"”“»')
}

const lastOfText = (tokens: Tokens) => tokens.findLastIndex(each => !isSign(each, '.!?'))

/**
 * What the schedule at the beginning makes of a text whose times do not go together: the rest is its task after a colon,
 * or where it names the same times again. Otherwise it may be a second schedule, and the reason says how to part them.
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
  // Its words alone were taken for the task’s: “the weekly report”.
  if (!second) return first
  const when = wordsOf(tokens, first.placed[0]!, first.placed.at(-1)!)
  return {
    open: `Is “${wordsOf(tokens, second, second)}” a second schedule, or part of the task? For two schedules, make one for each. If it is part of the task, put a colon before the task: “${when}: ${tokens[first.taskAt]!.text} …”.`,
  }
}

/** Whether two rules say the same; both were planned at the same moment. */
export const isSameRule = (one: Rule | Unplannable, other: Rule): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const wordsOf = (tokens: Tokens, from: Placed, to: Placed) =>
  tokens
    .slice(from.at, to.end)
    .map(each => each.text)
    .join(' ')
