import { checkTask } from './check-task.ts'
import { nextInstants, type Rule } from './next-instants.ts'
import { planClauses } from './plan-clauses.ts'
import { readClauses } from './read-clauses.ts'
import { readCron } from './read-cron.ts'
import { tokensOf, type Token } from './tokens.ts'
import { boundOfTask, dayOfTask, isAdverbOfTask, withoutTask } from './task-clauses.ts'
import { isKnownZone } from './wall-clock.ts'
import { type Placed, isOpen, type Open } from './clause.ts'

/** What a text says about when something runs: a rule with its next instants and the rest of the text, or why not. */
export type ScheduleReading =
  | { kind: 'recurring' | 'once'; rule: Rule; zone: string; next: Date[]; task: string }
  | { kind: 'refused'; reason: string }

const LONGEST_TEXT = 20_000
const SHOWN = 3
const MOST_CLAUSES = 40

/**
 * Read when something shall run from a text in English or German, which may hold the task, too. Bare hours are on the
 * 24-hour clock, intervals count from `now`. What is not wholly understood, or can be read in two ways, is refused with
 * what is open.
 */
export function parseSchedule(text: string, { now, zone }: { now: Date; zone: string }): ScheduleReading {
  if (!isKnownZone(zone))
    return { kind: 'refused', reason: `“${zone}” is no time zone, such as Europe/Berlin.` }
  if (text.trim() === '') return { kind: 'refused', reason: 'When? The text is empty.' }
  if (text.length > LONGEST_TEXT)
    return { kind: 'refused', reason: 'The text is too long: 20,000 characters are read.' }
  const plan = readCronRule(text) ?? readWords(text, now, zone)
  if (isOpen(plan)) return { kind: 'refused', reason: plan.open }
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

function readCronRule(text: string): Plan | Open | undefined {
  const cron = readCron(text)
  if (cron === undefined || isOpen(cron)) return cron
  const tokens = tokensOf(cron.rest)
  const open = readClauses(tokens).some(each => !isAdverbOfTask(tokens, each))
    ? { open: 'The line of cron and the words name two schedules.' }
    : undefined
  return open ?? { rule: { kind: 'calendar', patterns: [cron.pattern] }, task: tidyTask(cron.rest) }
}

function readWords(text: string, now: Date, zone: string): Plan | Open {
  const tokens = tokensOf(text)
  const all = readClauses(tokens)
  if (all.length > MOST_CLAUSES) return { open: 'The text names too many times.' }
  const placed = withoutTask(tokens, all)
  const rule = planClauses(placed, now, zone)
  if (isOpen(rule)) return rule
  const recurs = rule.kind === 'calendar' || rule.kind === 'interval'
  const open =
    boundOfTask(tokens, placed) ?? dayOfTask(tokens, placed) ?? checkTask(tokens, { all, placed, recurs })
  return open ?? { rule, task: taskOf(text, tokens, placed) }
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
  // A pattern for the end would begin anew at each sign.
  let end = line.length
  while (end > 0 && ' ,;:–—-'.includes(line[end - 1]!)) end--
  return line.slice(0, end)
}
