import { expect, test } from 'vitest'
import { datesIn } from './dates.ts'

const now = new Date(2026, 2, 10, 9).getTime()
const words = (question: string) => datesIn(question, now)?.words

test.for([
  ['on 2024-03-05', ['onday20240305', 'inmonth202403']],
  ['on 8 May 2023', ['onday20230508', 'inmonth202305']],
  ['the 8th of May, 2023', ['onday20230508', 'inmonth202305']],
  ['May 8, 2023', ['onday20230508', 'inmonth202305']],
  ['in july', ['inmonth07']],
  ['in Sept. 2023', ['inmonth202309']],
  ['during 2023', ['inyear2023']],
  ['yesterday', ['onday20260309', 'inmonth202603'].slice(0, 1)],
  ['last month', ['inmonth202602']],
  ['last year', ['inyear2025']],
  ['what may I march for', undefined],
  ['the marching of decent people', undefined],
  ['version 2024-99-99', undefined],
  ['nothing', undefined],
] as const)('%j asks about %j', ([question, expected]) => {
  expect(words(question)).toEqual(expected)
})

test('a message of that day, in local time, matches', () => {
  const dates = datesIn('on May 8, 2023', now)
  expect(
    [new Date(2023, 4, 8, 0, 1), new Date(2023, 4, 8, 23, 59)].map(at => dates?.matches(at.getTime())),
  ).toEqual([true, true])
  expect(dates?.matches(new Date(2023, 5, 8).getTime())).toBe(false)
})
