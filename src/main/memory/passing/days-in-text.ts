// Dates and weekdays in a text, in the languages of the answers. Days are numbers, without a time zone.

const DAY_MS = 86_400_000
/** A day in a text. `before`: the words around a weekday. `isDate`: the text names the month. */
export type NamedDay = { day: number; isDate: boolean; before: string }

/** The day number of a time, in local time. */
export function dayNumber(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS
}

/** A day as it is written in entries: 2026-11-28. */
export const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt']

/** Names by number, in all these languages, long and short. Short names count if they have three letters. */
function namesOf(options: Intl.DateTimeFormatOptions, dates: readonly Date[]): Map<string, number> {
  const names = new Map<string, number>()
  for (const language of LANGUAGES) {
    const { format } = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    for (const [at, date] of dates.entries()) names.set(format(date).toLowerCase(), at)
  }
  return names
}
const MONTHS = namesOf(
  { month: 'long' },
  Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 1))),
)
/** 4 January 2026 was a Sunday. */
const WEEKDAYS = namesOf(
  { weekday: 'long' },
  Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 0, 4 + day))),
)
for (const [name, day] of WEEKDAYS) if (name.endsWith('-feira')) WEEKDAYS.set(name.replace('-feira', ''), day)

const among = (names: ReadonlyMap<string, number>) =>
  [...names.keys()].toSorted((a, b) => b.length - a.length).join('|')
const DATE = new RegExp(
  `(?<!\\d)(\\d{4})-(\\d\\d)-(\\d\\d)(?!\\d)|(?<!\\d)(\\d{1,2})(?:\\.|st|nd|rd|th|º)? (?:of |de |di )?(${among(MONTHS)})(?!\\p{L})(?:,? (?:de )?(\\d{4}))?|(?<!\\p{L})(${among(MONTHS)}) (\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,? (\\d{4}))?|(?:(\\d{4})年)?(\\d{1,2})月(\\d{1,2})[日号]`,
  'giu',
)
const WEEKDAY = new RegExp(
  `(?<!\\p{L})(${among(WEEKDAYS)})(?!\\p{L})|(?:周|星期|礼拜)([日一二三四五六天])|([日月火水木金土])曜`,
  'giu',
)
const CHINESE = '日一二三四五六'
const JAPANESE = '日月火水木金土'

/** The days that a text names. A weekday, or a date without a year, means the next one. */
export function daysInText(text: string, today: number): NamedDay[] {
  const dates = [...text.matchAll(DATE)].flatMap(found => {
    const [, isoYear, isoMonth, isoDate, day1, name1, year1, name2, day2, year2, year3, month3, day3] = found
    const month = isoMonth ?? month3
    const at = month === undefined ? MONTHS.get((name1 ?? name2 ?? '').toLowerCase()) : Number(month) - 1
    const year = isoYear ?? year1 ?? year2 ?? year3
    const date = Number(isoDate ?? day1 ?? day2 ?? day3)
    if (at === undefined || date < 1 || date > 31) return []
    return [{ day: nextDate(at, date, year, today), isDate: true, before: '' }]
  })
  const weekdays = [...text.matchAll(WEEKDAY)].map(found => {
    const [whole, name, chinese, japanese] = found
    const wanted =
      name === undefined
        ? chinese === undefined
          ? JAPANESE.indexOf(japanese!)
          : Math.max(CHINESE.indexOf(chinese), 0)
        : WEEKDAYS.get(name.toLowerCase())!
    const now = new Date(today * DAY_MS).getUTCDay()
    const ahead = (wanted - now + 7) % 7
    const before = text.slice(Math.max(found.index - 18, 0), found.index + whole.length + 10)
    return { day: today + ahead, isDate: false, before }
  })
  return [...dates, ...weekdays]
}

function nextDate(month: number, date: number, year: string | undefined, today: number): number {
  if (year !== undefined) return Date.UTC(Number(year), month, date) / DAY_MS
  const thisYear = new Date(today * DAY_MS).getUTCFullYear()
  const day = Date.UTC(thisYear, month, date) / DAY_MS
  return day >= today ? day : Date.UTC(thisYear + 1, month, date) / DAY_MS
}
