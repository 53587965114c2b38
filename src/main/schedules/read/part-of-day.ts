import type { Found, Unplannable, Time } from './clause.ts'
import { isKind, skipKinds, valueOf, type Token } from './time-tokens.ts'

const MORNING = 1
const FORENOON = 2
export const MIDDAY = 3
const AFTERNOON = 4
export const EVENING = 5
export const NIGHT = 6

/** Read a part of the day: `in the morning`, `at night`, `am Abend`, `abends`, `früh`. */
export function readPart(tokens: readonly Token[], at: number): Found<number> | undefined {
  const alone = valueOf(tokens[at], 'parts')
  if (alone !== undefined) return { value: alone, end: at + 1 }
  if (isKind(tokens[at], 'tonight')) return undefined
  if (/^fr(ü|ue)h$/i.test(tokens[at]?.text ?? '')) return { value: MORNING, end: at + 1 }
  if (!isKind(tokens[at], 'in', 'on', 'at')) return undefined
  const start = skipKinds(tokens, at + 1, 'article')
  const part = valueOf(tokens[start], 'part')
  return part === undefined ? undefined : { value: part, end: start + 1 }
}

const RANGES: Record<number, readonly [from: number, to: number]> = {
  [MORNING]: [1, 11],
  [FORENOON]: [6, 12],
  [MIDDAY]: [11, 14],
  [AFTERNOON]: [12, 18],
  [EVENING]: [17, 23],
  [NIGHT]: [20, 29],
}

/** The time meant with a part of the day: 9 in the evening is 21:00. A contradiction gives a reason. */
export function timeInPart({ hour, minute, isBare }: Time, part: number): Time | Unplannable {
  const [from, to] = RANGES[part]!
  const candidates = isBare ? [hour, hour + 12] : [hour]
  const inPart = (each: number) => (each >= from && each <= to) || (part === NIGHT && each <= 5)
  const fitting = [...new Set(candidates.map(each => (each === 24 ? 0 : each)))].filter(inPart)
  if (fitting.length === 1) return { hour: fitting[0]!, minute, isBare: false }
  const shown = `${hour}:${String(minute).padStart(2, '0')}`
  return { open: `${shown} does not fit that part of the day: write the hour from 0 to 23.` }
}
