import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { expectedInstants } from './calendar.ts'
import { measureSchedule, Row } from './measure.ts'

const rows = readRows(fileURLToPath(new URL('phrases.jsonl', import.meta.url)), Row)

describe('labelled phrases', () => {
  test('each is planned as it is meant, or refused, and says the instants that are meant', () => {
    const { rows: judged, figures } = measureSchedule(rows)
    expect(judged.filter(({ right, nextRight }) => !right || nextRight === false)).toEqual([])
    expect(differences('schedule', figures)).toEqual([])
  })

  test('a wrong rule, a refusal and wrong instants are counted', () => {
    const [now, zone] = ['2026-11-24T10:00:00+01:00', 'Europe/Berlin']
    const row = { id: 'a', text: 'every day at 9', want: '0 9 * * *', now, zone }
    const next = ['2026-11-25T08:00:00Z', '2026-11-26T08:00:00Z', '2026-11-27T09:00:00Z']
    const wrong = [
      { ...row, want: '0 8 * * *' },
      { ...row, want: 'refused' },
      { ...row, text: 'sometime' },
      { ...row, next },
      row,
    ]
    expect(measureSchedule(wrong).figures).toEqual({
      rows: 5,
      right: 2,
      plannedWrongly: 2,
      refusedWrongly: 1,
      nextRight: 1,
      nextWrong: 3,
      noNext: 1,
    })
  })
})

describe('the calendar of the eval', () => {
  // Written by hand from printed calendars and the dates of clock changes.
  test.for([
    ['0 9 29 2 *', 'Europe/Berlin', ['2028-02-29T08:00', '2032-02-29T08:00', '2036-02-29T08:00']],
    ['30 2 * * 0', 'Europe/Berlin', ['2027-03-21T01:30', '2027-03-28T01:00', '2027-04-04T00:30']],
    ['0 8 * * 1#1', 'Europe/Berlin', ['2027-04-05T06:00', '2027-05-03T06:00', '2027-06-07T06:00']],
    ['0 8 * * 5#L', 'Europe/Berlin', ['2027-03-26T07:00', '2027-04-30T06:00', '2027-05-28T06:00']],
    ['0 8 LW * *', 'Europe/Berlin', ['2027-03-31T06:00', '2027-04-30T06:00', '2027-05-31T06:00']],
    ['0 8 L 2 *', 'Europe/Berlin', ['2028-02-29T07:00', '2029-02-28T07:00', '2030-02-28T07:00']],
    ['0 12 1 */6 *', 'Asia/Kolkata', ['2027-07-01T06:30', '2028-01-01T06:30', '2028-07-01T06:30']],
    ['0 7 13 * 5', 'Europe/Berlin', ['2027-03-19T06:00', '2027-03-26T06:00', '2027-04-02T05:00']],
    ['2027-11-07T01:30', 'America/New_York', ['2027-11-07T05:30']],
    ['~2h', 'Europe/Berlin', ['2027-03-17T13:00', '2027-03-17T15:00', '2027-03-17T17:00']],
  ] as const)('counts %s in %s', ([label, zone, instants]) => {
    const found = expectedInstants(label, { now: new Date('2027-03-17T11:00:00Z'), zone })
    expect(found?.map(each => each.toISOString().slice(0, 16))).toEqual(instants)
  })
})
