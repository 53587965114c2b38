const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })
const days = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** `14:05` today, `yesterday`, or the date. */
export function formatWhen(at: number, now = new Date()): string {
  const day = (date: Date) => new Date(date).setHours(0, 0, 0, 0)
  const ago = Math.round((day(now) - day(new Date(at))) / 86_400_000)
  if (ago === 0) return time.format(at)
  return ago === 1 ? days.format(-1, 'day') : date.format(at)
}

/** The full date and time. */
export const formatMoment = (at: number): string => whole.format(at)
