import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseSchedule } from '../../src/main/schedules/parse-schedule.ts'
import { comparable, wanted } from './compare-rules.ts'

/** A labelled phrase. `want` is written as in `compare-rules.ts`; without `now` and `zone` it is a Tuesday morning in Berlin. */
type Row = { id: string; text: string; want: string; now?: string; zone?: string }

const rows = readFileSync(new URL('phrases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as Row)

describe('labelled phrases', () => {
  test('each is planned as it is meant, or refused', () => {
    const judged = rows.map(
      ({ id, text, want, now = '2026-11-24T10:00:00+01:00', zone = 'Europe/Berlin' }) => {
        const reading = parseSchedule(text, { now: new Date(now), zone })
        return { id, text, is: comparable(reading), want: wanted(want, new Date(now)) }
      },
    )
    expect(judged.length).toBeGreaterThan(300)
    expect(judged.filter(({ is, want }) => is !== want)).toEqual([])
  })
})
