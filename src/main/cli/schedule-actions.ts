import { Fault } from '../../shared/rpc.ts'
import { jsonLine, showHiddenInLine } from '../../shared/visible-text/show-hidden.ts'
import { parseSchedule } from '../schedules/parse-schedule.ts'
import { printAside, printLine } from './terminal-text.ts'

type Options = { now?: string; zone?: string; json?: true }

/** Print when a text says that something runs. Whether it could be planned is the outcome. */
export async function scheduleParse(words: readonly string[], options: Options): Promise<boolean> {
  const zone = options.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  const reading = parseSchedule(words.join(' '), { now: instantOf(options.now), zone })
  const isPlanned = reading.kind !== 'refused'
  if (options.json) printLine(jsonLine(reading))
  else if (!isPlanned) printAside(`Not planned: ${reading.reason}`)
  else {
    const show = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'short' })
    printLine(reading.kind === 'once' ? `Once, in ${zone}:` : `Again and again, in ${zone}. The next times:`)
    for (const each of reading.next) printLine(`  ${show.format(each)}`)
    if (reading.task !== '') printLine(`Task: ${showHiddenInLine(reading.task)}`)
  }
  return isPlanned
}

/** The instant that a person gives; the present one without it. It needs an offset, for the zone is another option. */
function instantOf(given: string | undefined): Date {
  if (given === undefined) return new Date()
  const date = new Date(given)
  if (/T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(given) && !Number.isNaN(date.getTime())) return date
  throw new Fault('bad_input', `“${given}” is no instant: write it as 2026-12-24T08:00:00+01:00.`)
}
