import { describeCall, labelOf } from './describe-call.ts'
import type { Choice, WantedCall } from './guide-scene.ts'
import { GUIDE_SAYS } from './guide-sentences.ts'

/** Maximum number of choices, and characters of a label, of the tool that asks. */
const MOST_CHOICES = 6
const LONGEST_LABEL = 200
/** The tool's wordings for an answer. */
const ANSWERED = /^The user answers: ([^]*)$/
const REFUSED = /The user does not choose, and says: “([^]*)”/

const NEITHER: Record<'one' | 'two' | 'more', string> = { one: 'No', two: 'Neither', more: 'None of these' }

/** The call that asks the user, with a choice to do nothing, and the meaning of each choice. */
export function questionOf(
  question: string,
  given: readonly Choice[],
): { call: WantedCall; choices: readonly Choice[] } {
  const some = given.slice(0, MOST_CHOICES - 1).map(each => ({ ...each, label: tidyLabel(each.label) }))
  const none = NEITHER[some.length < 2 ? 'one' : some.length === 2 ? 'two' : 'more']
  const choices: Choice[] = [...some, { label: none }]
  return {
    call: { name: 'ask_user', arguments: { question, choices: choices.map(({ label }) => label) } },
    choices,
  }
}

/** The tool writes labels on one line. */
const tidyLabel = (label: string): string =>
  label.trim().replaceAll(/\s+/g, ' ').slice(0, LONGEST_LABEL).toWellFormed()

/** Read the result of a question: the user's words, no wish to answer, or nobody to answer. */
export function readAnswer(ok: boolean, result: string): { words: string } | 'nothing' | 'nobody' {
  const answered = ANSWERED.exec(result)?.[1] ?? REFUSED.exec(result)?.[1]
  if (answered !== undefined) return { words: answered.trim() }
  if (ok) return { words: result.trim() }
  return /The user does not want to answer|Stopped by the user/.test(result) ? 'nothing' : 'nobody'
}

/** Match an answer to a choice; otherwise keep the user's own words. */
export function chooseAnswer(words: string, choices: readonly Choice[]): { choice?: Choice; words: string } {
  const loose = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  const same = choices.find(({ label }) => loose(label) === loose(words))
  if (same) return { choice: same, words }
  const acts = choices.filter(each => each.call)
  if (/^(?:yes|yep|yeah|sure|ok|okay|do it|please|go ahead)\b/i.test(words) && acts.length === 1)
    return { choice: acts[0]!, words }
  if (/^(?:no|nope|neither|none|nothing|never ?mind|cancel)\b/i.test(words))
    return { choice: { label: words }, words }
  const number = /^(?:the )?(first|second|third|\d)\b/i.exec(words)?.[1]?.toLowerCase()
  const at = number === undefined ? -1 : ['first', 'second', 'third'].indexOf(number) + 1 || Number(number)
  // “Landlord” counts as an answer if exactly one choice contains it.
  const said = loose(words)
  const near = said === '' ? [] : acts.filter(({ label }) => ` ${loose(label)} `.includes(` ${said} `))
  const chosen = choices[at - 1] ?? (near.length === 1 ? near[0] : undefined)
  return { ...(chosen && { choice: chosen }), words }
}

/** A question whether to make a call, or which of several. */
export function askWhich(calls: readonly WantedCall[]): { question: string; choices: readonly Choice[] } {
  const [only, ...others] = calls
  const question = only && others.length === 0 ? GUIDE_SAYS.shallI(describeCall(only)) : GUIDE_SAYS.whatToDo()
  return { question, choices: calls.map(call => ({ label: labelOf(call), call })) }
}
