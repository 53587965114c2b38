import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSchedule } from './parse-schedule.ts'

const now = new Date('2026-11-24T10:00:00+01:00')
const read = (text: string, zone = 'Europe/Berlin') => parseSchedule(text, { now, zone })

describe('reading a schedule', () => {
  test.each([
    ['every weekday at 8 summarise my notes', 'summarise my notes'],
    ['remind me tomorrow at 9 to call Anna', 'remind me to call Anna'],
    ['fasse jeden Montag um 9 die letzte Woche zusammen', 'fasse die letzte Woche zusammen'],
    ['every Friday at 16: write the weekly report', 'write the weekly report'],
    ['0 8 * * 1-5 check the mail', 'check the mail'],
    ['jeden Tag um 8 nach neuen Mails schauen', 'nach neuen Mails schauen'],
    ['0 8 * * 1 weekly tidy up', 'weekly tidy up'],
    ['0 9 * * 5L tidy up', 'tidy up'],
    ['summarise the last 24 hours every day at 18:00', 'summarise the last 24 hours'],
    ['every minute !say each minute', '!say each minute'],
    ['every minute say each minute', 'say each minute'],
    ['every hour !say tomorrow at 8', '!say tomorrow at 8'],
    ['every day at 8 /tidy what is due every Friday at 17', '/tidy what is due every Friday at 17'],
    ['every day at 8: list the files that change every hour', 'list the files that change every hour'],
    ['jeden Tag um 8: schreibe jede Stunde auf', 'schreibe jede Stunde auf'],
    ['every day at 8 write what happens every day', 'write what happens every day'],
    ['every day at 8 "say what is due every Friday at 17"', '"say what is due every Friday at 17"'],
    ['every day at 8: "drink water for two weeks"', '"drink water for two weeks"'],
    ['0 8 * * 1: say good morning each minute', 'say good morning each minute'],
    ['every day at 8 "Anna" call me tomorrow', '"Anna" call me tomorrow'],
    ['every hour: ping the server from 9 to 17', 'ping the server'],
    ['every Monday: tidy up at 9', 'tidy up'],
    ['every day at 8!', ''],
  ])('“%s” leaves the task “%s”', (text, task) => {
    expect(read(text)).toMatchObject({ task })
  })

  test.each([
    ['every day', 'At what time'],
    ['next Friday at 9', 'the same day next week'],
    ['every Monday at 9 and every Friday at 17', 'two schedules'],
    ['every Monday at 9 write it and every Friday at 17', 'Is “every Friday” a second schedule'],
    ['every day at 8 say good morning every hour', 'put a colon before the task: “every day at 8: say …”'],
    ['say it each minute every minute', 'two schedules'],
    ['0 8 * * 1 say good morning each minute', 'put a colon before them'],
    ['every day at 8 UTC', 'UTC'],
    ['every 30 seconds', 'minute'],
    ['today at 8', 'past'],
    ['0 0 31 2 *', 'no such day'],
    ['0 9 L-3 * * tidy up', '“L-3” is not a cron field'],
    ['H 9 * * * tidy up', '“H” is not a cron field'],
    ['15 10 ? * 6L tidy up', 'in two ways'],
    ['0 9 * * 8L tidy up', '“8L” is not a cron field'],
    ['0 9 * *', 'five fields'],
    ['every day at 8 until Christmas', 'until'],
    ['every day at 8 if it is dry', 'if'],
    ['every Saturday at 9 in Lent', 'in'],
    ['jeden Tag um 8, sofern ich da bin', 'sofern'],
    ['at 8 pm set the alarm for tomorrow', 'or of the task?'],
    ['um 9 Uhr 20 Mails sortieren', 'how many'],
    ['what runs every day at 8?', 'asks about a schedule'],
    ['cancel the job that runs every day at 8', 'ends one'],
  ])('“%s” is refused with the reason: %s', (text, reason) => {
    expect(read(text)).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) })
  })

  test.each(['5L', '5#L', 'fril', 'FRI#L', '5l'])('the last Friday of a month may be written “%s”', day => {
    expect(read(`0 9 * * ${day} tidy up`)).toMatchObject({
      rule: { kind: 'calendar', patterns: ['0 9 * * 5#L'] },
      task: 'tidy up',
    })
  })

  test('an unknown zone is refused', () => {
    expect(read('every day at 8', 'Mars/Olympus')).toMatchObject({
      reason: expect.stringContaining('time zone'),
    })
  })

  test('both languages are read alike', () => {
    const days = [
      ['Monday', 'Montag'],
      ['Wednesday', 'Mittwoch'],
      ['Sunday', 'Sonntag'],
    ] as const
    fc.assert(
      fc.property(
        fc.constantFrom(...days),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 1, max: 90 }),
        (day, hour, count) => {
          const pairs = [
            [`every ${day[0]} at ${hour}`, `jeden ${day[1]} um ${hour} Uhr`],
            [`every day at ${hour}:05`, `täglich um ${hour}:05 Uhr`],
            [`in ${count} minutes`, `in ${count} Minuten`],
            [`every ${count} hours`, `alle ${count} Stunden`],
            [
              `on the first ${day[0]} of the month at ${hour}`,
              `am ersten ${day[1]} des Monats um ${hour} Uhr`,
            ],
          ]
          for (const [english, german] of pairs) expect(read(german!)).toEqual(read(english!))
        },
      ),
      { numRuns: 40 },
    )
  })

  test('whatever is written, what is planned lies strictly after now', () => {
    const words =
      'every day at 8 9:30 on Monday next last 15th of the month in 20 minutes jeden Montag um halb neun 24.12. bis and , not 0 8 * * 1-5 @daily'
    const aText = fc.array(fc.oneof(fc.constantFrom(...words.split(' ')), fc.string({ maxLength: 6 })), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(aText, parts => {
        const reading = read(parts.join(' '))
        const next = reading.kind === 'refused' ? [] : reading.next
        for (const each of next) expect(each.getTime()).toBeGreaterThan(now.getTime())
      }),
      { numRuns: 400 },
    )
  })

  test.each([
    ['words', `every day at 8 ${'write the long report '.repeat(220)}`, 'recurring'],
    ['numbers', '9 and '.repeat(800), 'refused'],
    ['days', `${'every Monday, '.repeat(350)}at 9`, 'recurring'],
    ['signs', '"'.repeat(5_000), 'refused'],
    ['stars', '* '.repeat(2_500), 'refused'],
    ['opened quotes', `every day at 8 ${'"- '.repeat(1_600)}`, 'recurring'],
    ['spans', `in ${'1 hour and '.repeat(450)}`, 'refused'],
  ])('5,000 characters of %s are read', (_, text, kind) => {
    expect(read(text)).toMatchObject({ kind })
  })
})
