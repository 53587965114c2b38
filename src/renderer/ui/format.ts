// Display formats for numbers and times in the user's locale.
const plain = new Intl.NumberFormat()
const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const twoDigits = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

export const formatCount = (count: number) => plain.format(count)
/** `one` for a single thing, otherwise the count and `many`, as in “1,200 chats”. */
export const plural = (count: number, one: string, many: string) =>
  count === 1 ? one : `${formatCount(count)} ${many}`
/** `1 skill`, `2 skills`, `1,200 skills`. */
export const countOf = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`

export const formatShare = (value: number) => share.format(Math.max(0, Math.min(1, value)))
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
export const formatDay = (at: number) => day.format(at)
export const formatRate = (perSecond: number) => oneDigit.format(perSecond)

/** `0.8 s`, `12 s`, `3 min 5 s`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 1) return `${twoDigits.format(Math.max(0.01, seconds))} s`
  if (seconds < 10) return `${oneDigit.format(seconds)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  const rest = Math.round(seconds % 60)
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}

/** `3.8 MB`, `4.1 GB`: decimal units, as file managers and model pages count. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return `${oneDigit.format(bytes / 1_000 ** power)} ${units[power]}`
}
