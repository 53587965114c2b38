import type { MemoryEntry } from '../../../shared/contract/learned/memory.ts'
import { dayNumber, daysInText, isoDay } from './days-in-text.ts'
import {
  AHEAD,
  COUNTS,
  DATED,
  LASTS,
  NEXT_DAY,
  SPANS,
  STATES,
  TASTE,
  TO_COME,
  UNIT_DAYS,
  type Span,
} from './passing-words.ts'

// A temporary statement carries its date: “Will fly to Lisbon tomorrow. (as of 2026-11-28, until
// 2026-11-29)”. The date is part of the entry, so that it is in the file, where the user can remove it.

/** The date at the end of an entry. */
const NOTE = /(?<!\s)\s*\(as of (\d{4}-\d\d-\d\d)(?:, until (\d{4}-\d\d-\d\d))?\)\s*$/
/** Longer texts are not a sentence about a day. */
const MOST_CHARS = 600
/** Quotations and names. */
const QUOTED = /“[^”]*”|"[^"]*"|„[^“]*“|«[^»]*»|`[^`]*`|(?<=\p{L}\S* )(?:Today|Tomorrow|Tonight)(?!\p{L})/gu

/** The entry with the date of the statement, and its end, if it is temporary. Other entries are unchanged. */
export function dateEntry(text: string, at: number): string {
  if (text.length > MOST_CHARS || NOTE.test(text)) return text
  const passing = readPassing(text, at)
  if (passing === undefined) return text
  const until = passing.until === undefined ? '' : `, until ${isoDay(passing.until)}`
  return `${text} (as of ${isoDay(dayNumber(at))}${until})`
}

/** An entry without its date, as it was said. */
export const undatedText = (text: string): string => text.replace(NOTE, '')

/** An entry as the model reads it. A handwritten entry gets the date of its last change. */
export const datedText = ({ text, updatedAt }: Pick<MemoryEntry, 'text' | 'updatedAt'>): string =>
  dateEntry(text, updatedAt)

/** Whether an entry's end date has passed. One restored or changed after that date stays: it is wanted. */
export function isOver({ text, updatedAt }: Pick<MemoryEntry, 'text' | 'updatedAt'>, now: number): boolean {
  const until = NOTE.exec(text)?.[2]
  return until !== undefined && until < isoDay(dayNumber(now)) && isoDay(dayNumber(updatedAt)) <= until
}

/** The day number on which a statement ends. No `until` if only its date matters; undefined if it lasts. */
function readPassing(text: string, at: number): { until: number | undefined } | undefined {
  const said = text.replaceAll(QUOTED, ' ')
  const today = dayNumber(at)
  const ends = endsIn(said, today)
  if (TASTE.test(said)) return undefined
  if (LASTS.test(said)) {
    const isDated = DATED.test(said) || ends.some(({ isRelative }) => isRelative)
    return isDated && !HABIT.test(said) ? { until: undefined } : undefined
  }
  if (ends.length > 0) return { until: Math.max(...ends.map(({ day }) => day)) }
  return DATED.test(said) ? { until: undefined } : undefined
}

/** Habits, such as “every day”. In such a sentence “today” is not a day either. */
const HABIT =
  /(?<!\p{L})(?:every|each|always|usually|never|often|sometimes|daily|weekly|jede[nrsm]?|immer|meist\p{L}*|oft|nie|chaque|tous les|toujours|jamais|cada|siempre|nunca|ogni|sempre|mai|todos|todas)(?!\p{L})|每|总是|从不|经常|毎|いつも/iu

type End = { day: number; isRelative: boolean }

function endsIn(said: string, today: number): End[] {
  const relative = (day: number): End => ({ day, isRelative: true })
  const spans = SPANS.filter(([pattern]) => pattern.test(said)).map(([, span]) =>
    relative(endOf(span, today)),
  )
  const ahead = AHEAD.flatMap(pattern => {
    const [, count = '', unit = ''] = pattern.exec(said) ?? []
    const number = /^\d/.test(count) ? Number(count) : COUNTS[count.toLowerCase()]
    const days = UNIT_DAYS.find(([each]) => each.test(unit.toLowerCase()))?.[1]
    return number === undefined || days === undefined ? [] : [relative(today + number * days)]
  })
  const isToCome = TO_COME.test(said)
  const named = daysInText(said, today)
    .filter(({ isDate, before }) => isToCome || (!isDate && NEXT_DAY.test(before)))
    .filter(({ day }) => day >= today)
    .map(({ day, isDate }): End => ({ day, isRelative: !isDate }))
  const states = STATES.filter(([pattern]) => pattern.test(said)).map(([, days]) => relative(today + days))
  const told = [...spans, ...ahead, ...named]
  return told.length > 0 ? told : states
}

/** The last day of a time span, as seen from today. Weeks end on Sunday. */
function endOf(span: Span, today: number): number {
  if ('days' in span) return today + span.days
  const date = new Date(today * DAY_MS)
  if ('week' in span) return today + ((7 - date.getUTCDay()) % 7) + span.week * 7
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return 'month' in span
    ? Date.UTC(year, month + span.month + 1, 0) / DAY_MS
    : Date.UTC(year + span.year, 11, 31) / DAY_MS
}
const DAY_MS = 86_400_000
