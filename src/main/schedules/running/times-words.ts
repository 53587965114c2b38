import { byCount } from '../../../shared/text/amounts.ts'
/** Times of a day in words. `isRhythm`: they say how often. `isWholeDay`: in every hour of the day. */
type Times = { text: string; isRhythm: boolean; isWholeDay: boolean }

const MOST_LISTED = 24
const FEWEST_IN_RHYTHM = 5
const DAY = 1440

const two = (number: number) => String(number).padStart(2, '0')
const clock = (at: number) => `${two(Math.floor((at % DAY) / 60))}:${two(at % 60)}`

/**
 * The times of cron lines for the same days, such as `08:00 and 17:00`, `every 20 minutes from 08:00 to
 * 18:00` or `at :15 of every hour`. Daily times may cross midnight. Undefined if there are no short words.
 */
export function timesInWords(patterns: readonly string[], isEachDay: boolean): Times | undefined {
  const found = new Set<number>()
  for (const pattern of patterns) {
    const [minutes, hours] = [
      readNumbers(pattern.split(' ')[0]!, 59),
      readNumbers(pattern.split(' ')[1]!, 23),
    ]
    if (!minutes || !hours) return undefined
    for (const hour of hours) for (const minute of minutes) found.add(hour * 60 + minute)
  }
  const times = [...found].toSorted((a, b) => a - b)
  return wholeDay(times) ?? rhythm(isEachDay ? overMidnight(times) : times) ?? listed(times)
}

function wholeDay(times: readonly number[]): Times | undefined {
  const minutes = [...new Set(times.map(at => at % 60))]
  if (times.length !== 24 * minutes.length) return undefined
  const of = (text: string): Times => ({ text, isRhythm: true, isWholeDay: true })
  if (minutes.length === 60) return of('every minute')
  return minutes.length > 12
    ? undefined
    : of(`at ${joinNames(minutes.map(minute => `:${two(minute)}`))} of every hour`)
}

function rhythm(times: readonly number[]): Times | undefined {
  const [first, second] = times
  if (times.length < FEWEST_IN_RHYTHM) return undefined
  const step = second! - first!
  if (times.some((at, index) => index > 0 && at - times[index - 1]! !== step)) return undefined
  const often = step % 60 === 0 ? unit(step / 60, 'hour') : unit(step, 'minute')
  return {
    text: `${often} from ${clock(first!)} to ${clock(times.at(-1)!)}`,
    isRhythm: true,
    isWholeDay: false,
  }
}

const unit = (count: number, name: string) => `every ${byCount(count, name, `${count} ${name}s`)}`

function listed(times: readonly number[]): Times | undefined {
  if (times.length > MOST_LISTED) return undefined
  return { text: joinNames(times.map(clock)), isRhythm: false, isWholeDay: false }
}

/** Order times so that they begin after the longest gap, which keeps the hours of a night together. */
function overMidnight(times: readonly number[]): number[] {
  const gaps = times.map((at, index) => at - (times[index - 1] ?? times.at(-1)! - DAY))
  const start = gaps.indexOf(Math.max(...gaps))
  return [...times.slice(start), ...times.slice(0, start).map(at => at + DAY)]
}

/** The numbers in a cron field; undefined if it has more than numbers, ranges and steps. */
export function readNumbers(field: string, highest: number): number[] | undefined {
  const found = new Set<number>()
  for (const part of field.split(',')) {
    const [, whole, from, to, every] = /^(?:(\*)|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? []
    if (whole === undefined && from === undefined) return undefined
    const first = Number(from ?? 0)
    const last =
      whole !== undefined || (every !== undefined && to === undefined) ? highest : Number(to ?? from)
    const step = Number(every ?? 1)
    if (last > highest || step < 1) return undefined
    for (let each = first; each <= last; each += step) found.add(each)
  }
  return [...found].toSorted((a, b) => a - b)
}

/** Join names: `a, b and c`. */
export const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`
