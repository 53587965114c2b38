/** A value read from tokens, and the index of the token after it. */
export type Found<T> = { value: T; end: number }

/** A time of day on the 24-hour clock. `isBare`: a part of the day may still move it to the other half. */
export type Time = { hour: number; minute: number; isBare: boolean }

/** The reason why a text cannot be planned, often as a question to the user. */
export type Unplannable = { open: string }

/** Whether a value is such a reason. */
export const isUnplannable = (value: unknown): value is Unplannable =>
  typeof value === 'object' && value !== null && 'open' in value

/** All values, or the first reason among them. */
export function allOrUnplannable<T>(values: readonly (T | Unplannable)[]): T[] | Unplannable {
  const known: T[] = []
  for (const value of values) {
    if (isUnplannable(value)) return value
    known.push(value)
  }
  return known
}

/** A day without a time, with the year if the text names one. */
export type NamedDate = { year?: number; month: number; day: number }

/** One statement in a text about when a schedule runs. */
export type Clause =
  | { kind: 'times'; times: readonly Time[] }
  // A part of the day. `habit`: the word means every day, surely (“mornings”) or possibly (“morgens”).
  | { kind: 'part'; part: number; habit?: 'sure' | 'maybe' }
  | { kind: 'weekdays'; days: readonly number[]; isRecurring: boolean }
  | { kind: 'daily' }
  // Days of the month as cron writes them: 15, L (the last day), LW (the last weekday).
  | { kind: 'monthdays'; days: readonly string[]; months?: readonly number[] }
  // Weekdays of the month as cron writes them: 2#1 (the first Tuesday), 5#L (the last Friday).
  | { kind: 'nth'; days: readonly string[]; months?: readonly number[] }
  | { kind: 'ordinals'; days: readonly number[] }
  | { kind: 'date'; date: NamedDate; isYearly?: boolean }
  | { kind: 'offset'; days: number }
  | { kind: 'near'; weekday: number; which: 'next' | 'this' | 'coming' | 'next week' }
  // Every week, month, quarter or year, combined with a day in it.
  | { kind: 'cycle'; unit: 'week' | 'month' | 'quarter' | 'year' }
  | { kind: 'every'; seconds: number }
  | { kind: 'in'; seconds: number }
  | { kind: 'except'; days: readonly number[] }
  | { kind: 'count'; times: number; unit: 'day' | 'week' | 'month' }
  // Hours of each day, in minutes from midnight. `to` is above 1440 for hours of the next day.
  | { kind: 'window'; from: number; to: number }
  // Minutes past each hour. `isHourly`: the text says “each hour”.
  | { kind: 'phase'; minutes: readonly number[]; isHourly: boolean }
  // Every `count` days or weeks. `isNth`: it could also be the second or third in a month.
  | { kind: 'step'; unit: 'day' | 'week'; count: number; days?: readonly number[]; isNth?: boolean }
  | { kind: 'start'; day: Clause }
  | { kind: 'end'; end: End }
  | { kind: 'moment'; at: string }
  | ({ kind: 'open' } & Unplannable)

/** The end of a recurring schedule: on a day, after a period, or after a number of times. */
export type End =
  | { by: 'day'; day: Clause }
  | { by: 'calendar'; unit: 'week' | 'month' | 'year'; month?: number }
  | { by: 'days'; days: number }
  | { by: 'months'; months: number }
  | { by: 'times'; times: number }

/** A clause and its position: from token `at` up to before token `end`. */
export type Placed = { clause: Clause; at: number; end: number }

export const HOUR = 3600
export const DAY = 86_400
export const WEEK = 604_800
