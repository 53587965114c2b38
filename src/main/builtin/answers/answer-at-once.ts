import { answerForeign, withoutForeignGreeting } from './answer-foreign.ts'
import { answerSocial } from './answer-social.ts'
import { answerDay } from './days/answer-day.ts'
import type { Known } from './known-facts.ts'
import { answerPerson } from './person/answer-person.ts'
import { readPlainQuestion } from './plain-question.ts'
import { answerMeasure } from './sums/answer-measure.ts'
import { answerSum } from './sums/answer-sum.ts'

/** Maximum length in characters. Longer messages contain more than a question. */
const LONGEST = 400

/**
 * Answer a question that needs no model: sums, days and times, known facts about the user, greetings, and
 * what can be done here. Undefined if the question is about something else.
 */
export function answerAtOnce(question: string, known: Known): string | undefined {
  const own = withoutForeignGreeting(question)
  const foreign = answerForeign(own)
  if (foreign !== undefined) return foreign
  if (question.length > LONGEST) return undefined
  const plain = readPlainQuestion(own)
  const social = answerSocial(own, known)
  if (social !== undefined) return social
  return (
    answerSum(plain) ??
    answerMeasure(plain) ??
    answerDay(plain, known) ??
    answerPerson(plain, known) ??
    // “Hi! Could you tell me who you are?”
    answerSocial(plain, known)
  )
}
