import { byCount, many } from '../../../shared/text/amounts.ts'
import { readPlan, type PlanStep } from '../../../shared/plan-steps.ts'
import { endSentence, listPoints, quoteWords, toOneLine, writeBlock, writeWords } from './plain-markdown.ts'
import { tellFailed } from './tell-failure.ts'

type Input = Record<string, unknown>
type Result = { ok: boolean; text: string }

const STATES: Readonly<Record<PlanStep['state'], string>> = {
  open: '',
  doing: ' (being done)',
  done: ' (done)',
  dropped: ' (dropped)',
}

/** Say how far the plan is. */
export function tellPlan(_input: Input, { ok, text }: Result): string {
  if (!ok) return tellFailed('write the plan', text)
  if (text === 'There is no plan yet.') return text
  const steps = readPlan(text)
  const done = steps.filter(({ state }) => state === 'done').length
  const points = steps.map(each => `${writeWords(each.text)}${STATES[each.state]}`)
  return `The plan (${done} of ${steps.length} steps done):\n\n${listPoints(points, 40)}`
}

/** Say what the user answered, or that they did not answer. */
export function tellAnswer(_input: Input, { ok, text }: Result): string {
  const answer = /^The user answers: ([^]*)$/.exec(text)?.[1]
  if (ok && answer !== undefined) return endSentence(`You answered: ${quoteWords(answer)}`)
  if (text.startsWith('The user does not want to answer'))
    return 'You did not want to answer, so I left it at that.'
  const said = /^The user does not choose, and says: “([^]*)”$/.exec(text)?.[1]
  if (said !== undefined) return endSentence(`You did not choose, and said: ${quoteWords(said)}`)
  if (text.startsWith('Nobody is here to answer'))
    return 'I had a question, and nobody was here to answer it.'
  if (text.includes('Go on without it as well as you can'))
    return 'You did not answer the question, so I left it at that.'
  return ok ? writeBlock(text).block : tellFailed('ask you', text)
}

const CHANGED: Readonly<Record<string, string>> = {
  Added: 'I added the schedule',
  Paused: 'I paused the schedule',
  Resumed: 'I resumed the schedule',
}
const LINE = /^([^]*) \(id [^()\s]+\): ([^]*), in ([^,;]+); (paused|over|next [^\n]*)$/

/** Say which schedules exist, or what happened to one. */
export function tellSchedule(_input: Input, { ok, text }: Result): string {
  if (!ok) {
    if (text.startsWith('There is no schedule with this id')) return 'There is no such schedule.'
    if (text.startsWith('When shall it run?')) return 'When shall it run? Please say the time.'
    if (text.startsWith('What shall be done?')) return 'What shall be done then? Please say it.'
    return tellFailed('change the schedules', text)
  }
  if (text === 'There are no schedules.') return text
  const removed = /^Removed: ([^]*)$/.exec(text)?.[1]
  if (removed !== undefined) return `I removed the schedule ${quoteWords(removed)}.`
  const [, verb = '', line = ''] = /^(Added|Paused|Resumed)\. ([^]*)$/.exec(text) ?? []
  if (verb !== '') return `${CHANGED[verb]} ${scheduleInWords(line)}.`
  const lines = text.split('\n')
  const points = lines.flatMap(each => (each.startsWith('- ') ? [scheduleInWords(each.slice(2))] : []))
  const more = Number(/^… and (\d+) more\.$/.exec(lines.at(-1) ?? '')?.[1] ?? 0)
  if (points.length === 0) return writeBlock(text).block
  const all = points.length + more
  return `There ${byCount(all, 'is', 'are')} ${many(all, 'schedule')}:\n\n${listPoints(points, 30, all)}`
}

function scheduleInWords(line: string): string {
  const [, name = '', when = '', zone = '', state = ''] = LINE.exec(line) ?? []
  if (name === '') return writeWords(toOneLine(line))
  const next = state.startsWith('next ') ? `the next time on ${state.slice(5)} (${zone})` : STATE[state]
  return `${quoteWords(name)}: ${writeWords(when)}, ${next}`
}
const STATE: Readonly<Record<string, string>> = { paused: 'paused now', over: 'over' }
