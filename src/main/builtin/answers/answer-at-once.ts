import type { Known } from './known.ts'

/**
 * Answer a question that needs no model: sums, days and times, what is known of the person, greetings, and what can be done here.
 * Undefined where the question is about something else.
 */
export function answerAtOnce(_question: string, _known: Known): string | undefined {
  return undefined
}
