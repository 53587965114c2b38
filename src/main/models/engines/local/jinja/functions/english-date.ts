const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

const two = (number: number): string => String(number).padStart(2, '0')

/** Return the day of the year, from 1. */
const dayOfYear = (date: Date): number =>
  Math.round(
    (Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - Date.UTC(date.getFullYear(), 0, 1)) /
      86_400_000,
  ) + 1

const parts: Record<string, (date: Date) => string> = {
  a: date => (days[date.getDay()] ?? '').slice(0, 3),
  A: date => days[date.getDay()] ?? '',
  b: date => (months[date.getMonth()] ?? '').slice(0, 3),
  h: date => (months[date.getMonth()] ?? '').slice(0, 3),
  B: date => months[date.getMonth()] ?? '',
  d: date => two(date.getDate()),
  e: date => String(date.getDate()).padStart(2),
  m: date => two(date.getMonth() + 1),
  y: date => two(date.getFullYear() % 100),
  Y: date => String(date.getFullYear()),
  H: date => two(date.getHours()),
  I: date => two(date.getHours() % 12 || 12),
  M: date => two(date.getMinutes()),
  S: date => two(date.getSeconds()),
  f: date => `${String(date.getMilliseconds()).padStart(3, '0')}000`,
  p: date => (date.getHours() < 12 ? 'AM' : 'PM'),
  j: date => String(dayOfYear(date)).padStart(3, '0'),
  w: date => String(date.getDay()),
  u: date => String(date.getDay() || 7),
  z: () => '',
  Z: () => '',
  s: date => String(Math.floor(date.getTime() / 1000)),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
}

const wholes: Record<string, string> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  T: '%H:%M:%S',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  F: '%Y-%m-%d',
}

/** Format a date like Python's `strftime`, in English whatever the machine's language is. */
export function writeEnglishDate(date: Date, format: string): string {
  return format
    .replaceAll(/%([cDxXTRrF])/g, (all, letter: string) => wholes[letter] ?? all)
    .replaceAll(/%(-?)([a-zA-Z%])/g, (all, minus: string, letter: string) => {
      const written = parts[letter]?.(date)
      if (written === undefined) return all
      return minus === '' ? written : written.replace(/^[0 ]+(?=.)/, '')
    })
}
