import type { Wall } from '../../../schedules/wall-clock.ts'
import { findDateFlaw, readDay, type Day, type Direction } from './read-day.ts'

/** A day that a question names, or the flaw in its date, and the words around it. */
export type FoundDay = { around: string } & ({ day: Day } | { flaw: 'noSuchDay' | 'twoWays' })

/** Maximum number of words in a question for a day. */
const MOST_WORDS = 16
/** Maximum number of words in the name of a day: “10 days before the first of december 2027”. */
const MOST_OF_DAY = 9

/**
 * Find the day in a question whose other words all belong to a set, in any order. So “what day is X” and “X
 * is what day” are one question. Any unknown word gives undefined. The longest name of a day wins.
 */
export function findDay(
  question: string,
  frame: ReadonlySet<string>,
  today: Wall,
  direction: Direction,
): FoundDay | undefined {
  const words = question.split(' ')
  if (words.length > MOST_WORDS) return undefined
  for (let length = Math.min(words.length, MOST_OF_DAY); length > 0; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const around = [...words.slice(0, from), ...words.slice(from + length)]
      if (!around.every(word => frame.has(word))) continue
      const named = words.slice(from, from + length).join(' ')
      const read = readDay(named, today, direction)
      if (read) return { around: around.join(' '), day: read.day }
      const flaw = /\d/.test(named) ? findDateFlaw(named) : undefined
      if (flaw) return { around: around.join(' '), flaw }
    }
  }
  return undefined
}

/** A set of the words of a text. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))
