import { z } from 'zod'
import type { Schedule, ScheduleReading } from '../../../shared/contract/runs/schedules.ts'
import type { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import { Fault } from '../../../shared/rpc.ts'
import { mergeMarks } from '../../untrusted/strangers-marks.ts'
import { defineTool, type Intent, type ToolResult } from '../../tools/registry/tool.ts'
import { tellSchedule } from '../../tools/tell/tell-plan.ts'

/** The schedule functions that the tool uses. They throw a Fault, whose sentence the model reads. */
export type ScheduleBook = {
  /** Read when a task should run. */
  parse(this: void, text: string): ScheduleReading
  add(
    this: void,
    wanted: {
      text: string
      task?: string
      folder: string
      modelId: string | undefined
      marks: readonly StrangersMark[]
    },
  ): Promise<Schedule>
  list(this: void): readonly Schedule[]
  pause(this: void, id: string): Schedule
  resume(this: void, id: string): Schedule
  remove(this: void, id: string): void
  /** The model of a chat; schedules created there keep it. */
  modelOf(this: void, sessionId: string): string | undefined
}

const LONGEST = 20_000
const input = z.object({
  action: z.enum(['add', 'list', 'pause', 'resume', 'remove']),
  when: z.string().optional().describe('in words, such as “every weekday at 8” or “tomorrow at 7”'),
  task: z.string().optional().describe('what shall be done each time; say all that it needs'),
  id: z.string().optional(),
})
type Input = z.output<typeof input>

/** The tool with which a chat schedules tasks. Each change of a schedule is shown on a card, in all modes. */
export const scheduleTool = (book: ScheduleBook) =>
  defineTool({
    name: 'schedule',
    tell: tellSchedule,
    says: 'Let a task run by itself at a time or again and again; or list, pause, resume or remove such schedules. The user is always asked.',
    input,
    toolset: 'schedules',
    risk: 'write',
    async intent(given, { workspace: folder }) {
      if (given.action === 'list')
        return { title: 'List the schedules', detail: '', risk: 'read', inWorkspace: true, folder }
      return given.action === 'add' ? addIntent(book, given, folder) : changeIntent(book, given, folder)
    },
    async run(
      { action, when = '', task, id = '' },
      { workspace, sessionId, strangers = [] },
    ): Promise<ToolResult> {
      try {
        if (action === 'list') return listed(book.list())
        if (action === 'remove') {
          const { name, marks = [] } = scheduleOf(book, id)
          book.remove(id)
          return { ok: true, text: `Removed: ${name}`, marks }
        }
        const schedule =
          action === 'add'
            ? await book.add({
                text: when,
                ...(task?.trim() && { task }),
                folder: workspace,
                modelId: book.modelOf(sessionId),
                marks: strangers,
              })
            : book[action](scheduleOf(book, id).id)
        return { ok: true, text: `${DONE[action]}. ${lineOf(schedule)}`, marks: schedule.marks ?? [] }
      } catch (error) {
        if (error instanceof Fault) return { ok: false, reason: error.message }
        throw error
      }
    },
  })

const DONE = { add: 'Added', pause: 'Paused', resume: 'Resumed' }
const ALONE = 'It runs by itself, when nobody may be watching. What would ask is denied then.'

function addIntent(book: ScheduleBook, { when = '', task = '' }: Input, folder: string) {
  if (when.trim() === '') return { refused: 'When shall it run? Give `when` in words.' }
  if (when.length + task.length > LONGEST)
    return { refused: `Time and task have at most ${LONGEST} characters together.` }
  const reading = book.parse(when)
  if (reading.kind === 'refused') return { refused: `${reading.reason} Ask the user if you do not know.` }
  const what = task.trim() || reading.task
  if (what.trim() === '') return { refused: 'What shall be done? Give it as `task`.' }
  const times = reading.next.map(each => `  ${shownIn(reading.zone, each)}`)
  return {
    title: `Schedule: ${reading.inWords}`,
    detail: [`Next runs, in ${reading.zone}:`, ...times, '', 'Task:', what].join('\n'),
    mustAsk: ALONE,
    ...rest(folder),
  } satisfies Intent
}

function changeIntent(book: ScheduleBook, { action, id = '' }: Input, folder: string) {
  const schedule = book.list().find(each => each.id === id)
  if (!schedule) return { refused: NO_SCHEDULE }
  const verb = { add: 'Add', list: 'List', pause: 'Pause', resume: 'Resume', remove: 'Remove' }[action]
  return {
    title: `${verb} the schedule “${schedule.name}”`,
    detail: `${schedule.inWords}\n\n${schedule.task}`,
    mustAsk: action === 'resume' ? ALONE : 'It changes what starts automatically.',
    ...rest(folder),
  } satisfies Intent
}

const rest = (folder: string) => ({ risk: 'write' as const, inWorkspace: true, folder })

const NO_SCHEDULE = 'There is no schedule with this id. List them first.'

function scheduleOf(book: ScheduleBook, id: string): Schedule {
  const found = book.list().find(each => each.id === id)
  if (!found) throw new Fault('not_found', NO_SCHEDULE)
  return found
}

const MOST_LISTED = 50

function listed(schedules: readonly Schedule[]): ToolResult {
  if (schedules.length === 0) return { ok: true, text: 'There are no schedules.' }
  const shown = schedules.slice(0, MOST_LISTED)
  const more = schedules.length > MOST_LISTED ? [`… and ${schedules.length - MOST_LISTED} more.`] : []
  const text = [...shown.map(each => `- ${lineOf(each)}`), ...more].join('\n')
  return { ok: true, text, marks: mergeMarks(...shown.map(({ marks }) => marks)) }
}

function lineOf({ id, name, inWords, zone, paused, next }: Schedule): string {
  const [first] = next
  const state = paused !== null ? 'paused' : first === undefined ? 'over' : `next ${shownIn(zone, first)}`
  return `${name} (id ${id}): ${inWords}, in ${zone}; ${state}`
}

const shownIn = (zone: string, at: number): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: zone }).format(at)
