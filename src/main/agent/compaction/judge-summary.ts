import type { SummaryRefusal } from '../../../shared/contract/chats/session.ts'
import { createRepetitionDetector } from '../repetition/detect-repetition.ts'
import { summaryPrompt } from './ask-summary.ts'
import { SUMMARY_FRAME, isEmpty, readSummary, SECTIONS } from './summary.ts'
import { anchorsIn, contentIn, countKnown, languageOf, runsIn, wordsIn } from './summary-words.ts'

// The thresholds come from `evals/summaries/`: 35 good and 39 useless summaries, all written for this set
// except the one from the review.

/** Minimum share of an item's words that occur in our texts for a repetition. A short quote has less. */
const OURS = 0.5
/** Maximum share of words that repeat our texts. Echoes in the set have 0.9 to 1, good summaries 0. */
const MOST_OURS = 0.3
/** Maximum share of words that repeat earlier items. A goal repeated as the next step stays below this. */
const MOST_REPEATED = 0.4
/** Minimum distinct content words of a summary, if its chat has at least `MUCH`. */
const LEAST_CONTENT = 3
const MUCH = 40
/**
 * Minimum share of content words that must occur in the messages. Good summaries in the language of the chat
 * have 0.63 and more, those of another chat 0.06 and less, echoes of our texts up to 0.31. A translation has
 * 0.24 and more, so names decide instead.
 */
const LEAST_SHARED = 0.35
/** Minimum content words for a share to count; with fewer, one match is enough. */
const FEW = 8
/** Minimum names, numbers and files that a summary in another language shares with the messages. */
const LEAST_ANCHORS = 3

/** Marks that chat templates put around messages. A real summary never contains them. */
const TEMPLATE_MARK =
  /<\|[^|>\n]{1,40}\|>|<\/?s>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:start|end)_of_turn>|<(?:unk|pad|bos|eos)>|###\s*(?:Instruction|Response|Assistant|Human)\b|\{\{[^}\n]{1,40}\}\}/i

/** Our own texts around a summary, without the user's focus, which a summary may well repeat. */
const OUR_TEXTS = [
  summaryPrompt({ words: 0, focus: '', hasEarlier: true }),
  SUMMARY_FRAME.opening,
  SUMMARY_FRAME.ending,
]
const OUR_RUNS = new Set(OUR_TEXTS.flatMap(text => runsIn(wordsIn(text))))

/**
 * Why a model's summary is useless; undefined if it is acceptable. `messages` are its sources: what was said,
 * what tools returned, and the previous summary.
 */
export function judgeSummary(text: string, messages: readonly string[]): SummaryRefusal | undefined {
  const summary = readSummary(text)
  if (isEmpty(summary)) return text.trim() === '' ? undefined : 'nothing'
  const items = SECTIONS.flatMap(section => summary[section])
  const whole = messages.join('\n')
  if (items.some(item => TEMPLATE_MARK.test(item)) && !TEMPLATE_MARK.test(whole)) return 'marks'
  const words = items.map(wordsIn)
  // A chat may be about our texts, so a summary may repeat what the messages say.
  const theirs = new Set(words.some(isOurs) ? runsIn(wordsIn(whole)) : [])
  const isEcho = (item: readonly string[]) => isOurs(item) && countKnown(item, theirs) <= item.length * OURS
  if (shareOf(words, isEcho) > MOST_OURS) return 'instructions'
  if (createRepetitionDetector().push(text) || isRepeating(words)) return 'repeats'
  const content = contentIn(items.join('\n'))
  const known = contentIn(whole)
  if (content.size < LEAST_CONTENT && known.size >= MUCH) return 'nothing'
  if (known.size >= MUCH && isOneQuestion(items, messages)) return 'echo'
  return isAboutThem(items.join('\n'), content, whole, known) ? undefined : 'unrelated'
}

/** The share of all words that is in the matching items. */
function shareOf(
  items: readonly (readonly string[])[],
  isMeant: (words: readonly string[], at: number) => boolean,
): number {
  const sum = (these: readonly (readonly string[])[]) => these.reduce((all, words) => all + words.length, 0)
  return sum(items.filter(isMeant)) / (sum(items) || 1)
}

/** Whether an item repeats our texts. */
const isOurs = (words: readonly string[]): boolean =>
  words.length >= 4 && countKnown(words, OUR_RUNS) > words.length * OURS

/** Whether much of a summary repeats an earlier item, or an item repeats itself. */
function isRepeating(items: readonly (readonly string[])[]): boolean {
  const said = items.map(words => words.join(' '))
  const again = items.map((words, at) => {
    const runs = runsIn(words)
    if (words.length >= 12 && new Set(runs).size < runs.length / 2) return true
    return said
      .slice(0, at)
      .some(before => before === said[at] || (words.length >= 5 && ` ${before} `.includes(` ${said[at]} `)))
  })
  const inside = items.filter((words, at) => again[at] && !said.slice(0, at).includes(said[at]!))
  const isMuch = again.filter(Boolean).length >= 2 || inside.some(words => words.length >= 12)
  return isMuch && shareOf(items, (_, at) => again[at]!) >= MOST_REPEATED
}

/** Whether a summary of many messages consists only of verbatim questions. */
function isOneQuestion(items: readonly string[], messages: readonly string[]): boolean {
  const questions = messages.map(message => message.trim()).filter(message => message.endsWith('?'))
  const asked = new Set(questions.map(question => wordsIn(question).join(' ')))
  return items.every(item => asked.has(wordsIn(item).join(' ')))
}

/** Whether a summary is about the same things as the messages; in another language, names decide. */
function isAboutThem(
  summary: string,
  content: ReadonlySet<string>,
  whole: string,
  known: ReadonlySet<string>,
): boolean {
  const shared = [...content].filter(word => known.has(word)).length
  if (shared >= (content.size < FEW ? 1 : content.size * LEAST_SHARED)) return true
  const [language, theirs] = [languageOf(summary), languageOf(whole)]
  if (language !== undefined && language === theirs) return false
  const inSummary = new Set([...wordsIn(summary), ...anchorsIn(summary)])
  return [...anchorsIn(whole)].filter(anchor => inSummary.has(anchor)).length >= LEAST_ANCHORS
}
