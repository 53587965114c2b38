import { UNLOOKED } from '../../../shared/words/sub-agent-words.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Schedule, ScheduleRun } from '../../../shared/contract/runs/schedules.ts'
import { Fault } from '../../../shared/rpc.ts'
import { jsonLine, showHidden, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { zoneOfComputer } from '../../lib/time-zone.ts'
import { parseSchedule } from '../../schedules/parse-schedule.ts'
import { absolutePath } from '../command-line.ts'
import { withClient } from '../open-client.ts'
import { printAside, printLine } from '../output/terminal-text.ts'

type Options = { home?: string; json?: true }

/** Print the times that a text describes. Resolves to whether they could be planned. */
export async function scheduleParse(
  words: readonly string[],
  options: { now?: string; zone?: string; json?: true },
): Promise<boolean> {
  const zone = options.zone ?? zoneInUse()
  const reading = parseSchedule(words.join(' '), { now: instantOf(options.now), zone })
  const isPlanned = reading.kind !== 'refused'
  if (options.json) printLine(jsonLine(reading))
  else if (!isPlanned) printAside(`Not planned: ${reading.reason}`)
  else {
    printLine(reading.kind === 'once' ? `Once, in ${zone}:` : `Repeatedly, in ${zone}. The next times:`)
    for (const each of reading.next) printLine(`  ${dateIn(zone).format(each)}`)
    if (reading.task !== '') printLine(`Task: ${showHiddenInLine(reading.task)}`)
  }
  return isPlanned
}

/** The time zone of this computer. Prints a note if it was guessed. */
function zoneInUse(): string {
  const { zone, because } = zoneOfComputer()
  if (because !== undefined) printAside(because)
  return zone
}

const dateIn = (zone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'short' })

/**
 * Parse the instant of --now; the current time without it. It needs an offset, because the zone is another
 * option.
 */
function instantOf(given: string | undefined): Date {
  if (given === undefined) return new Date()
  const date = new Date(given)
  if (/T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(given) && !Number.isNaN(date.getTime())) return date
  throw new Fault('bad_input', `“${given}” is not an instant. Write it like 2026-12-24T08:00:00+01:00.`)
}

type AddOptions = Options & {
  name?: string
  zone?: string
  folder?: string
  model?: string
  skill?: string[]
  mode?: Schedule['mode']
  deliver?: Schedule['deliver']
  missed?: Schedule['missed']
  onBattery?: Schedule['onBattery']
  runTokens?: number
  runUsd?: number
  monthTokens?: number
  monthUsd?: number
}

/** Add a schedule from words. */
export async function scheduleAdd(words: readonly string[], options: AddOptions): Promise<void> {
  const {
    home,
    json,
    folder,
    model,
    skill = [],
    runTokens,
    runUsd,
    monthTokens,
    monthUsd,
    ...given
  } = options
  const schedule = await withClient(home, client =>
    client['schedule.add']({
      ...given,
      text: words.join(' '),
      ...(folder !== undefined && { folder: absolutePath(folder) }),
      ...(model !== undefined && { modelId: model }),
      ...(skill.length > 0 && { skills: skill }),
      limits: {
        runTokens: runTokens ?? null,
        runUsd: runUsd ?? null,
        monthTokens: monthTokens ?? null,
        monthUsd: monthUsd ?? null,
      },
    }),
  )
  if (given.zone === undefined) zoneInUse()
  if (json) return printLine(jsonLine(schedule))
  printLine(`Added ${schedule.id}.`)
  printLine(describeSchedule(schedule))
  printAside('The schedule runs while the app or “talaria serve” is running.')
}

/** Print all schedules. */
export async function scheduleList({ home, json }: Options): Promise<void> {
  const { schedules } = await withClient(home, client => client['schedule.list']({}))
  if (json) printLine(jsonLine({ schedules }))
  else if (schedules.length === 0)
    printLine('No schedules. Add one: talaria schedule add "every weekday at 8 summarise my notes"')
  else for (const each of schedules) printLine(`${each.id}  ${inShort(each)}`)
}

/** Print one schedule in full. */
export async function scheduleShow(named: string, { home, json }: Options): Promise<void> {
  const schedule = await withClient(home, client => findSchedule(client, named))
  printLine(json ? jsonLine(schedule) : describeSchedule(schedule))
}

const change =
  (method: 'schedule.pause' | 'schedule.resume', says: string) =>
  async (named: string, { home, json }: Options): Promise<void> => {
    const schedule = await withClient(home, async client => {
      const { id, seen } = await findSchedule(client, named)
      return client[method]({ id, seen })
    })
    printLine(json ? jsonLine(schedule) : `${says}: ${inShort(schedule)}`)
  }
/** Pause a schedule, and let it run again. */
export const schedulePause = change('schedule.pause', 'Paused')
export const scheduleResume = change('schedule.resume', 'Resumed')

/** Delete a schedule. Its chats stay. */
export async function scheduleRemove(named: string, { home, json }: Options): Promise<void> {
  const removed = await withClient(home, async client => {
    const schedule = await findSchedule(client, named)
    await client['schedule.remove']({ id: schedule.id })
    return schedule
  })
  printLine(json ? jsonLine({ removed: removed.id }) : `Deleted: ${showHiddenInLine(removed.name)}`)
}

/** Run a schedule now, and wait until the run ends. Resolves to whether it succeeded. */
export async function scheduleRun(named: string, { home, json }: Options): Promise<boolean> {
  return withClient(home, async client => {
    const { id, seen } = await findSchedule(client, named)
    const over = new AbortController()
    const started = await client['schedule.run']({ id, seen })
    let run = started
    try {
      for await (const event of client['app.watch']({}, { signal: over.signal })) {
        // The first event comes immediately, so nothing is missed.
        if (event.type !== 'hello' && !(event.type === 'changed' && event.areas.includes('schedule')))
          continue
        const { runs } = await client['schedule.history']({ id })
        run = runs.find(each => each.id === started.id) ?? run
        if (run.state !== 'claimed' && run.state !== 'running') break
      }
    } finally {
      over.abort()
    }
    if (json) printLine(jsonLine(run))
    else {
      printLine(runInWords(run, zoneOfComputer().zone))
      if (run.sessionId !== null) {
        const { messages } = await client['session.messages']({ id: run.sessionId })
        const answer = messages.findLast(message => message.role === 'assistant')
        if (answer && answer.text !== '') printLine(showHidden(answer.text))
      }
    }
    return run.state === 'done'
  })
}

/** Print the past runs of a schedule, newest first. */
export async function scheduleHistory(
  named: string,
  { home, json, limit }: Options & { limit: number },
): Promise<void> {
  const [schedule, { runs, more }] = await withClient(home, async client => {
    const found = await findSchedule(client, named)
    return [found, await client['schedule.history']({ id: found.id, limit })] as const
  })
  if (json) return printLine(jsonLine({ runs, more }))
  if (runs.length === 0) printLine('The schedule has not run yet.')
  for (const run of runs) printLine(runInWords(run, schedule.zone))
  if (more) printAside('There are older runs. Use --limit.')
}

/** Undo the file changes of a run, except for files that were changed since. */
export async function scheduleUndo(
  runId: number,
  { home, json, obeyed = false }: Options & { obeyed?: boolean },
): Promise<boolean> {
  const { run, kept, held } = await withClient(home, client => client['schedule.undo']({ runId, obeyed }))
  if (json) printLine(jsonLine({ run, kept, held }))
  else {
    for (const each of run.changes.filter(({ undone }) => undone))
      printLine(`Undone: ${showHiddenInLine(each.path)}`)
    for (const each of kept) printAside(`Kept: ${showHiddenInLine(each)}`)
    for (const each of held) printAside(`Kept: ${showHiddenInLine(each)}. Add --obeyed to restore it, too.`)
    if (run.changes.length === 0) printLine('That run changed no files.')
  }
  return kept.length + held.length === 0
}

/** Find a schedule by its id, or by its name if only one has it. */
export async function findSchedule(client: HostClient, named: string): Promise<Schedule> {
  const { schedules } = await client['schedule.list']({})
  const byId = schedules.find(({ id }) => id === named)
  const wanted = named.trim().toLowerCase()
  const byName = schedules.filter(({ name }) => name.toLowerCase() === wanted)
  if (byId) return byId
  if (byName.length === 1) return byName[0]!
  throw new Fault(
    'not_found',
    byName.length > 1
      ? `${byName.length} schedules have the name “${named}”. Use the id: ${byName.map(({ id }) => id).join(', ')}`
      : `There is no schedule “${named}”. List them: talaria schedule list`,
  )
}

/** Describe a schedule in one line. */
export const inShort = ({ name, inWords, paused, next, zone }: Schedule): string =>
  `${showHiddenInLine(name)} · ${inWords} · ${paused !== null ? 'paused' : next[0] === undefined ? 'over' : `next ${dateIn(zone).format(next[0])}`}`

/** Describe a schedule in full. */
export function describeSchedule(schedule: Schedule): string {
  const { name, task, inWords, zone, next, paused, folder, modelId, mode, skills, deliver, grants, last } =
    schedule
  return [
    showHiddenInLine(name),
    `  When    ${inWords}, in ${zone}`,
    ...(paused === null ? [] : [`  Paused  ${showHiddenInLine(paused)}`]),
    ...next.map((each, at) => `  ${at === 0 ? 'Next  ' : '      '}  ${dateIn(zone).format(each)}`),
    `  Task    ${showHiddenInLine(task)}`,
    `  Folder  ${showHiddenInLine(folder)}`,
    `  Model   ${showHiddenInLine(modelId)}`,
    ...(skills.length === 0 ? [] : [`  Skills  ${showHiddenInLine(skills.join(', '))}`]),
    `  Mode    ${mode === 'none' ? 'calls that would ask are denied' : 'commands that can only read run; other calls that would ask are denied'}`,
    `  Tells   ${{ chat: 'only in its chat', notification: 'by a notification', content: 'by a notification with its answer', messenger: 'on your messenger, and by a notification' }[deliver]}`,
    ...grants.map(({ text }) => `  Allowed ${showHiddenInLine(text)}`),
    ...(last ? [`  Last    ${runInWords(last, zone)}`] : []),
  ].join('\n')
}

/** Describe a run in one line. */
function runInWords(run: ScheduleRun, zone: string): string {
  const { id, planned, kind, text, startedAt, tokens, costUsd, denied, changes, more, silent } = run
  const state = run.reason === 'no_tools' && !silent ? UNLOOKED : run.state
  const late = kind === 'late' && startedAt !== null ? `, ${minutes(startedAt - planned)} late` : ''
  const by = kind === 'now' ? ', by hand' : kind === 'trial' ? ', trial' : late
  const parts = [
    `${dateIn(zone).format(planned)}${by}: ${state}${silent ? ', nothing to report' : ''}`,
    ...(text === '' ? [] : [showHiddenInLine(text)]),
    ...(tokens > 0 ? [`${tokens.toLocaleString('en')} tokens`] : []),
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(4)}`]),
    ...(denied.length === 0 ? [] : [`denied: ${showHiddenInLine(denied.join(', '))}`]),
    ...(changes.length === 0
      ? []
      : [
          `wrote ${changes.map(each => showHiddenInLine(each.path)).join(', ')} (talaria schedule undo ${id})`,
        ]),
    ...(more ? ['earlier times were missed too'] : []),
  ]
  return parts.join(' · ')
}

const minutes = (ms: number): string =>
  ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`
