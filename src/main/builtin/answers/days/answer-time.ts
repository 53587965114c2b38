import { matchAny } from '../match-any.ts'
import { wallOf, type Wall } from '../../../schedules/wall-clock.ts'
import { fillSentence } from '../sentence-table.ts'
import { replaceNumberWords } from '../sums/number-words.ts'
import { findPlace } from './find-place.ts'
import { writeDay, writeTime } from './write-day.ts'

const NOW = matchAny`
      what(?: is the)?(?: current| local| exact)? time(?: (?:is it|it is|do we have|do you have|is|now|here|today|right now|at the moment|please))*
      what is the (?:time|clock)(?: (?:and date|now|here|right now))*
      (?:the )?(?:current )?(?:local )?time(?: (?:now|please))?|how late is it(?: now)?
      do you have the time|what hour is it|time and date|date and time|what is the date and time
      got the time|the time`
const THERE = matchAny`
      what(?: is the)?(?: current| local| exact)? (?:time|day|date)(?: (?:is it|it is|is|do they have))?(?: (?:now|right now|currently|today))?(?: over)? in (?<a>.+?)(?: (?:now|right now|currently|is it))?
      (?:the )?(?:current |local )?time (?:now )?in (?<b>.+?)(?: now)?
      how late is it(?: now)? in (?<c>.+?)(?: now)?|what is (?<d>[a-z ]+) time(?: now)?`
const LATER = matchAny`
      (?:what time|how late) (?:is it|will it be|was it|it will be|would it be|is|was)? ?(?:(?:in )?(?<count>an?|half an|\d{1,4}) (?<unit>hours?|minutes?|seconds?)(?<ago> ago| from now)?)`
const ZONE = matchAny`
      (?:what|which)(?: is)?(?: my| the)?(?: current| local)? time ?zone(?: (?:am i in|do i have|is it|is this|are we in|is set|do you use))?`

/** Answer a question for the time, here or elsewhere. */
export function answerTime(plain: string, now: Date, zone: string, today: Wall): string | undefined {
  if (NOW.test(plain)) return fillSentence('timeIs', { time: writeTime(today), day: writeDay(today) })
  if (ZONE.test(plain)) return fillSentence('zoneIs', { zone })
  const there = THERE.exec(plain)?.groups
  const place = there && findPlace(there['a'] ?? there['b'] ?? there['c'] ?? there['d'] ?? '')
  if (place) {
    const wall = wallOf(now, place.zone)
    return fillSentence('timeThere', { place: place.name, time: writeTime(wall), day: writeDay(wall) })
  }
  const later = LATER.exec(replaceNumberWords(plain))?.groups
  if (!later) return undefined
  const count =
    later['count'] === 'half an' ? 0.5 : later['count']!.startsWith('a') ? 1 : Number(later['count'])
  const unit = later['unit']!.startsWith('hour') ? 3600 : later['unit']!.startsWith('minute') ? 60 : 1
  const sign = later['ago'] === ' ago' ? -1 : 1
  const wall = wallOf(new Date(now.getTime() + sign * count * unit * 1000), zone)
  return fillSentence('timeThen', { time: writeTime(wall), day: writeDay(wall) })
}
