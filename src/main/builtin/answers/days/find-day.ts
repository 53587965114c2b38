import type { Wall } from '../../../schedules/wall-clock.ts'
import { findDateFlaw, readDay, type Day, type Direction } from './read-day.ts'

/** A day that a question names, or why what it names is none, and the words around it. */
export type FoundDay = { around: string } & ({ day: Day } | { flaw: 'noSuchDay' | 'twoWays' })

/** More words make no question for a day. */
const MOST_WORDS = 16
/** A day takes as many words at most: “10 days before the first of december 2027”. */
const MOST_OF_DAY = 9

/**
 * The day in a question whose other words all belong to a set, in whatever order they stand: so “what day is X”, “X is what day” and
 * “what will the date be X” are one question, and any word that is not understood makes it none. The longest day is taken.
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
