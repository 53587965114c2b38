/** What was read, and the index of the token after it. */
export type Found<T> = { value: T; end: number }

/** A time of the day on the 24-hour clock. `isBare` where only a part of the day could say which half is meant. */
export type Time = { hour: number; minute: number; isBare: boolean }

/** A reason why a text cannot be planned. */
export type Unplannable = { open: string }

/** Whether something read is a reason instead. */
export const isUnplannable = (value: unknown): value is Unplannable =>
  typeof value === 'object' && value !== null && 'open' in value

/** All of the values, or the first reason among them. */
export function allOrUnplannable<T>(values: readonly (T | Unplannable)[]): T[] | Unplannable {
  const known: T[] = []
  for (const value of values) {
    if (isUnplannable(value)) return value
    known.push(value)
  }
  return known
}

/** A day without a clock: of the calendar where `month` is there, with the year if the text says one. */
export type NamedDate = { year?: number; month: number; day: number }

/** One statement of a text about when something happens. */
export type Clause =
  | { kind: 'times'; times: readonly Time[] }
  // A part of the day; `habit` where the word says a habit: “mornings”, or may do so: “morgens”.
  | { kind: 'part'; part: number; habit?: 'sure' | 'maybe' }
  | { kind: 'weekdays'; days: readonly number[]; isRecurring: boolean }
  | { kind: 'daily' }
  // Days of the month as cron writes them: 15, L (the last), LW (the last that is a weekday).
  | { kind: 'monthdays'; days: readonly string[]; months?: readonly number[] }
  // Weekdays of the month as cron writes them: 2#1 (the first Tuesday), 5#L (the last Friday).
  | { kind: 'nth'; days: readonly string[]; months?: readonly number[] }
  | { kind: 'ordinals'; days: readonly number[] }
  | { kind: 'date'; date: NamedDate; isYearly?: boolean }
  | { kind: 'offset'; days: number }
  | { kind: 'near'; weekday: number; which: 'next' | 'this' | 'coming' | 'next week' }
  // Every week, month, quarter or year, to go with a day of it.
  | { kind: 'cycle'; unit: 'week' | 'month' | 'quarter' | 'year' }
  | { kind: 'every'; seconds: number }
  | { kind: 'in'; seconds: number }
  | { kind: 'except'; days: readonly number[] }
  | { kind: 'count'; times: number; unit: 'day' | 'week' | 'month' }
  // Hours of each day in minutes from midnight; `to` is beyond 1440 where they go into the next day.
  | { kind: 'window'; from: number; to: number }
  // Minutes past each hour; `isHourly` where the words say “each hour”.
  | { kind: 'phase'; minutes: readonly number[]; isHourly: boolean }
  // Every so many days or weeks; `isNth` where it may be the second or third of a month, too.
  | { kind: 'step'; unit: 'day' | 'week'; count: number; days?: readonly number[]; isNth?: boolean }
  | { kind: 'start'; day: Clause }
  | { kind: 'end'; end: End }
  | { kind: 'moment'; at: string }
  | ({ kind: 'open' } & Unplannable)

/** When something that comes again ends: with a day, after a length of time, or after so many times. */
export type End =
  | { by: 'day'; day: Clause }
  | { by: 'calendar'; unit: 'week' | 'month' | 'year'; month?: number }
  | { by: 'days'; days: number }
  | { by: 'months'; months: number }
  | { by: 'times'; times: number }

/** A clause and where it stands: from this token up to before that one. */
export type Placed = { clause: Clause; at: number; end: number }

export const HOUR = 3600
export const DAY = 86_400
export const WEEK = 604_800
