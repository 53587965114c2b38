import { walkMarkup } from '../web/markup.ts'

/** Ids of built-in date and time formats, which a workbook need not define. */
const DATES = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
])
const TIMES = new Set([18, 19, 20, 21, 45, 46, 47])
const PERCENT = new Set([9, 10])

export type CellFormat = 'date' | 'time' | 'percent' | 'plain'

/** The number format of each style in a workbook. */
export function cellFormats(xml: string | undefined): CellFormat[] {
  const own = new Map<number, string>()
  const formats: CellFormat[] = []
  let isCells = false
  walkMarkup(xml ?? '', {
    open(tag) {
      if (tag.name === 'numFmt') own.set(Number(tag.get('numFmtId')), tag.get('formatCode') ?? '')
      else if (tag.name === 'cellXfs') isCells = true
      else if (tag.name === 'xf' && isCells) {
        const id = Number(tag.get('numFmtId') ?? 0)
        const code = own.get(id)
        formats.push(code === undefined ? knownFormat(id) : formatOf(code))
      }
    },
    close: name => void (name === 'cellXfs' && (isCells = false)),
  })
  return formats
}

const knownFormat = (id: number): CellFormat =>
  DATES.has(id) ? 'date' : TIMES.has(id) ? 'time' : PERCENT.has(id) ? 'percent' : 'plain'

/** Longer formats are ignored; Excel allows at most 255 characters. */
const LONGEST_FORMAT = 1_000

/** Read a format such as `[$-407]d. mmmm yyyy;@`. Literal text in it has no meaning. */
function formatOf(code: string): CellFormat {
  const bare = code
    .slice(0, LONGEST_FORMAT)
    .split(';')[0]!
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  if (/general/i.test(bare)) return 'plain'
  if (/[yd]/i.test(bare) || /m{3,}/i.test(bare)) return 'date'
  if (/[hs]/i.test(bare)) return 'time'
  if (/m/i.test(bare) && !/[0#?]/.test(bare)) return 'date'
  return bare.includes('%') ? 'percent' : 'plain'
}

const DAY_SECONDS = 86_400

/** A number of a workbook as an ISO 8601 date, with a time if it has one; unchanged if it is no date. */
export function dateText(serial: number, is1904: boolean): string {
  if (!(serial >= 0 && serial < 2_958_466)) return String(serial)
  // In the 1900 date system, 1900 counts as a leap year.
  const days = is1904 ? serial + 1_462 : serial < 60 ? serial + 1 : serial
  const date = new Date(Math.round((days - 25_569) * DAY_SECONDS) * 1_000)
  const [day = '', time = ''] = date.toISOString().split('T')
  const clock = time.slice(0, 8)
  return clock === '00:00:00' ? day : `${day} ${clock.replace(/:00$/, '')}`
}

/** A fraction of a day as hours, minutes and seconds. Several days become more than 24 hours. */
export function timeText(serial: number, is1904: boolean): string {
  // A date with a time, formatted as only the time.
  if (serial >= 20_000) return dateText(serial, is1904)
  const seconds = Math.round(serial * DAY_SECONDS)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${pad(Math.floor(seconds / 3_600))}:${pad(Math.floor(seconds / 60) % 60)}${seconds % 60 ? `:${pad(seconds % 60)}` : ''}`
}
