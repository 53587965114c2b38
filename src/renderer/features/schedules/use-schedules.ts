import type { Schedule } from '../../../shared/contract/runs/schedules.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { useAnswer } from '../../rpc/use-answer.ts'

/** All schedules with the time zone of the host, reloaded on every change. */
export function useSchedules(): Outcome<{ schedules: Schedule[]; zone: string }> | undefined {
  return useAnswer('schedule.list', {})
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** A time in the zone of a schedule, in the host's format: `Monday 23 November 2026 at 08:00`. */
export function formatIn(zone: string, at: number): string {
  const key = zone
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'short' })
    formats.set(key, format)
  }
  return format.format(at)
}
