import { checkTask } from './task/check-task.ts'
import { nextInstants, type Rule } from './next-instants.ts'
import { planClauses } from './plan/plan-clauses.ts'
import { readClauses } from './read/read-clauses.ts'
import { readCron } from './read/read-cron.ts'
import { isSign, tokensOf, type Token } from './read/time-tokens.ts'
import {
  firstSchedule,
  isMarkOfTask,
  isSameRule,
  settleBySchedule,
  type FirstSchedule,
} from './task/first-schedule.ts'
import { boundOfTask, dayOfTask, isAdverbOfTask, withoutTask } from './task/task-clauses.ts'
import { isKnownZone } from './wall-clock.ts'
import { type Placed, isUnplannable, type Unplannable } from './read/clause.ts'

/** The result of reading a text: a rule with its next instants and the task, or the reason for a refusal. */
export type ScheduleReading =
  | { kind: 'recurring' | 'once'; rule: Rule; zone: string; next: Date[]; task: string }
  | { kind: 'refused'; reason: string }

const LONGEST_TEXT = 20_000
const SHOWN = 3
const MOST_CLAUSES = 40

/**
 * Read from a text in English or German when a task should run; the text may contain the task as well. Bare
 * hours are on the 24-hour clock, and intervals count from `now`. A text that is ambiguous or not fully
 * understood is refused, with a question or a reason.
 */
export function parseSchedule(text: string, { now, zone }: { now: Date; zone: string }): ScheduleReading {
  if (!isKnownZone(zone))
    return { kind: 'refused', reason: `“${zone}” is not a time zone. Use one such as Europe/Berlin.` }
  if (text.trim() === '') return { kind: 'refused', reason: 'When? The text is empty.' }
  if (text.length > LONGEST_TEXT)
    return { kind: 'refused', reason: 'The text is too long: the limit is 20,000 characters.' }
  const plan = readCronRule(text) ?? readWords(text, now, zone)
  if (isUnplannable(plan)) return { kind: 'refused', reason: plan.open }
  const next = nextInstants(plan.rule, zone, now, SHOWN)
  const isOnce = plan.rule.kind === 'at' || plan.rule.kind === 'wall'
  if (next.length === 0)
    return {
      kind: 'refused',
      reason: isOnce ? 'That is in the past.' : 'There is no such day: it would never run.',
    }
  return { kind: isOnce ? 'once' : 'recurring', rule: plan.rule, zone, next, task: plan.task }
}

type Plan = { rule: Rule; task: string }

function readCronRule(text: string): Plan | Unplannable | undefined {
  // Such as “0 8 * * 1: tidy up”.
  const cron = readCron(text.replace(/^(\s*(?:\S+\s+){4}[^\s:]+):(?=\s)/, '$1 :'))
  if (cron === undefined || isUnplannable(cron)) return cron
  const tokens = tokensOf(cron.rest)
  const isMarked = isSign(tokens[0], ':') || isMarkOfTask(tokens, 0)
  const open =
    !isMarked && readClauses(tokens).some(each => !isAdverbOfTask(tokens, each))
      ? {
          open: 'The cron line and the words name two different schedules. If the words are the task, put a colon before them.',
        }
      : undefined
  return open ?? { rule: { kind: 'calendar', patterns: [cron.pattern] }, task: tidyTask(cron.rest) }
}

function readWords(text: string, now: Date, zone: string): Plan | Unplannable {
  const tokens = tokensOf(text)
  const all = readClauses(tokens)
  if (all.length > MOST_CLAUSES) return { open: 'The text names too many times.' }
  const planOf = (placed: readonly Placed[]) => planClauses(placed, now, zone)
  const first = firstSchedule(tokens, all, planOf)
  const planFirst = (of: FirstSchedule): Plan => ({
    rule: of.rule,
    task: tidyTask(text.slice(tokens[of.placed.at(-1)!.end - 1]!.to)),
  })
  if (first?.mark === 'sure') return planFirst(first)
  const placed = withoutTask(tokens, all)
  const rule = planOf(placed)
  const settled = first && isUnplannable(rule) ? settleBySchedule(tokens, all, first, planOf) : undefined
  if (isUnplannable(settled)) return settled
  if (isUnplannable(rule) && !settled) return rule
  const used = settled?.placed ?? placed
  const known = settled?.rule ?? (rule as Rule)
  const recurs = known.kind === 'calendar' || known.kind === 'interval'
  const open =
    boundOfTask(tokens, placed) ??
    (settled ? undefined : dayOfTask(tokens, placed)) ??
    checkTask(tokens, { all, placed: used, recurs })
  if (open) return open
  // Time words without an effect belong to the task: “every day at 8 write what happens every day”.
  const isFirst = first && (settled || isSameRule(known, first.rule))
  return isFirst ? planFirst(first) : { rule: known, task: taskOf(text, tokens, used) }
}

/** The text without the clauses that were read. */
function taskOf(text: string, tokens: readonly Token[], placed: readonly Placed[]): string {
  let rest = ''
  let from = 0
  for (const { at, end } of placed) {
    rest += `${text.slice(from, tokens[at]!.from)} `
    from = tokens[end - 1]!.to
  }
  return tidyTask(rest + text.slice(from))
}

function tidyTask(text: string): string {
  const line = text.replace(/\s+/g, ' ').replace(/^(?:[\s,;:.–—-]|and\b|und\b)+/i, '')
  // A regular expression for the end would start again at each sign.
  let end = line.length
  while (end > 0 && ' ,;:–—-'.includes(line[end - 1]!)) end--
  const task = line.slice(0, end)
  return /^[!?.…"“”„'()]*$/.test(task) ? '' : task
}
