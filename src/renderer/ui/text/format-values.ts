import { byCount, formatBytes as sizeIn, many } from '../../../shared/text/amounts.ts'

// Display formats for numbers, times and one-line texts, in the user's locale.
const plain = new Intl.NumberFormat()
const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const twoDigits = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })
const days = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

export const formatCount = (count: number) => plain.format(count)
/** `one` for a single thing, otherwise the count and `several`, as in “1,200 chats”. */
export const plural = (count: number, one: string, several: string) =>
  byCount(count, one, `${formatCount(count)} ${several}`)
/** `1 skill`, `2 skills`, `1,200 skills`. */
export const countOf = (count: number, one: string, several: string) => many(count, one, several, formatCount)

export const formatShare = (value: number) => share.format(Math.max(0, Math.min(1, value)))
export const formatRate = (perSecond: number) => oneDigit.format(perSecond)

/** `0.8 s`, `12 s`, `3 min 5 s`, `2 h 5 min`, `3 days`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 1) return `${twoDigits.format(Math.max(0.01, seconds))} s`
  if (seconds < 10) return `${oneDigit.format(seconds)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds >= 86_400 * 2) return `${Math.round(seconds / 86_400)} days`
  const minutes = Math.floor(seconds / 60)
  if (minutes >= 60) {
    const past = minutes % 60
    return past === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${past} min`
  }
  const rest = Math.round(seconds % 60)
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}

/** `3.8 MB`, `4.1 GB`: decimal units, as file managers and model pages count. */
export const formatBytes = (bytes: number): string => sizeIn(bytes, oneDigit)

/** Today in a sortable format for file names: 2026-11-21, the Swedish date format. */
export const fileDay = (): string => new Date().toLocaleDateString('sv')

/** The date. */
export const formatDay = (at: number) => date.format(at)

/** `14:05` today, `yesterday`, or the date. */
export function formatWhen(at: number, now = new Date()): string {
  const day = (date: Date) => new Date(date).setHours(0, 0, 0, 0)
  const ago = Math.round((day(now) - day(new Date(at))) / 86_400_000)
  if (ago === 0) return time.format(at)
  return ago === 1 ? days.format(-1, 'day') : date.format(at)
}

/** The full date and time. */
export const formatMoment = (at: number): string => whole.format(at)

/** Shortens a text to a single line of at most `most` characters, for button names and short sentences. */
export function oneLine(text: string, most = 80): string {
  const line = text.trim().replaceAll(/\s+/gu, ' ')
  if (line.length <= most) return line
  const start = line.slice(0, most - 1).toWellFormed()
  return `${start.trimEnd()}…`
}
