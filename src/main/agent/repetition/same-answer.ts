import type { Message } from '../../../shared/contract/chats/messages.ts'
import { contentIn, countKnown, runsIn, wordsIn } from '../compaction/summary-words.ts'

/** Minimum length in words. Shorter answers, such as “Done.” or “You are welcome.”, may recur. */
const FEWEST_WORDS = 20
/** Minimum share of three-word runs in common for two answers to count as the same. */
const SAME_ANSWER = 0.75
/** Minimum share of an answer's runs that must be in a longer answer to count as a piece of it. */
const PIECE = 0.85
/** Minimum share of words in common for two questions to count as the same. */
const SAME_QUESTION = 0.6
/** Maximum number of answers to compare, newest first. */
const MOST_COMPARED = 40

/** A word; in scripts without blanks between words, one character. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu

/**
 * Questions about earlier text: the user wants a text again, in another form, changed or unchanged. Nearly
 * the same answer is then right.
 */
const REFERS_BACK = [
  /\b(?:again|once more|repeat|same|it|that|this|these|those|them|above|earlier|before|previous|last|said|say|go on|continue|more|instead|shorter|longer|simpler|better|chang\w*|replac\w*|add|remov\w*|correct\w*|fix\w*|rewrit\w*|rephras\w*|translat\w*|summar\w*|quote|shorten|improve|update|version|answer|conversation|chat)\b/iu,
  /(?<!\p{L})(?:noch ?mal\p{L}*|nochmals|wieder\p{L}*|es|das|dies\p{L}*|oben|vorher|zuvor|weiter|kürz\p{L}*|länger|änder\p{L}*|ersetz\p{L}*|ergänz\p{L}*|korrigier\p{L}*|übersetz\p{L}*|fass\p{L}*|antwort)(?!\p{L})/iu,
  /(?<!\p{L})(?:encore|répèt\p{L}*|ça|cela|ceci|ce|plus|continue|change\p{L}*|remplace\p{L}*|corrige\p{L}*|tradui\p{L}*|résum\p{L}*|otra vez|eso|esto|más|repit\p{L}*|cambi\p{L}*|corrig\p{L}*|traduc\p{L}*|resum\p{L}*|anterior)(?!\p{L})/iu,
  /再|重复|上面|之前|继续|改|这|那|もう一度|繰り返|それ|これ|続|ещё|еще|повтор|это|измени|продолж/iu,
]

/** A correction: the earlier answer was wrong, so it is not wanted again. */
const CORRECTS =
  /^\s*(?:no|nope|wrong|(?:that|this|it)(?: i|'|’)s (?:not|wrong)|nein|falsch|das (?:ist|stimmt)|non|faux|no es|нет)(?!\p{L})(?!.*(?:again|same|repeat|nochmal|wieder))/iu

/**
 * Whether an answer is nearly the same as an earlier answer to another question. Small models do this
 * whatever is asked. `history` ends with the question. Never the same: answers based on tools, code, and
 * answers that use a word of the question which the earlier answer lacked.
 */
export function isSameAnswer(answer: string, history: readonly Message[]): boolean {
  const at = history.findLastIndex(message => message.role === 'user')
  const asked = history[at]
  if (asked?.role !== 'user' || at < history.length - 1) return false
  const before = answersIn(history.slice(0, at))
  if (before.length === 0 || answer.includes('```')) return false
  if (!CORRECTS.test(asked.text) && REFERS_BACK.some(refers => refers.test(asked.text))) return false
  const words = wordsOf(answer)
  if (words.length < FEWEST_WORDS) return false
  const question = new Set(wordsOf(asked.text))
  const runs = runsOf(words)
  const inAnswer = contentIn(answer)
  // A question about a part of an earlier answer may well be answered with that part.
  const isBesideIt = ![...contentIn(asked.text)].some(word => inAnswer.has(word))
  return before.some(earlier => {
    if (shareOf(question, new Set(wordsOf(earlier.question))) >= SAME_QUESTION) return false
    const said = wordsOf(earlier.answer)
    const theirs = runsOf(said)
    if (shareOf(runs, theirs) < SAME_ANSWER) return isPiece(runs, theirs) && isBesideIt
    const known = new Set(said)
    return !words.some(word => question.has(word) && !known.has(word))
  })
}

/** The answers of a chat with the question of each, without answers for which a tool ran. */
function answersIn(history: readonly Message[]): { question: string; answer: string }[] {
  const found: { question: string; answer: string }[] = []
  let question = ''
  let isPlain = false
  for (const message of history) {
    if (message.role === 'user') {
      question = message.text
      isPlain = true
    } else if (message.role === 'tool' || message.calls.length > 0) isPlain = false
    else if (isPlain) found.push({ question, answer: message.text })
  }
  return found.slice(-MOST_COMPARED)
}

const wordsOf = (text: string): string[] => [...text.matchAll(WORD)].map(([word]) => word.toLowerCase())

/** All runs of three words. */
const runsOf = (words: readonly string[]): Set<string> =>
  new Set(words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`))

/** Whether nearly all of an answer is in an earlier one. */
const isPiece = (runs: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean =>
  runs.intersection(theirs).size >= PIECE * runs.size

/** The share of two sets that is in both. */
function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = one.union(other).size
  return all === 0 ? 1 : one.intersection(other).size / all
}

/** Minimum length in words: shorter answers may use our words by chance. */
const FEWEST_WORDS_OF_OURS = 6
/** Maximum length in characters. Our own texts are shorter, so a longer answer cannot be a copy. */
const LONGEST = 50_000
/** Minimum share of words that are in our texts. An answer about our texts has words of its own. */
const SHARE = 0.85

/** Questions that may be answered with the content of the instructions. */
const ASKS_FOR_THEM =
  /(?<!\p{L})(?:date|day|today|time|when|year|month|folder|directory|path|where|instruct\p{L}*|prompt|rules?|told|tools?|who|datum|tag|heute|uhr|zeit|wann|jahr|monat|ordner|verzeichnis|wo|anweisung\p{L}*|regeln?|wer|date|jour|heure|où|quand|dossier|qui|fecha|día|hora|dónde|cuándo|carpeta|quién)(?!\p{L})|日|时|時|哪|今|день|дата|час|где|когда|папк/iu

/**
 * Whether an answer consists only of sentences of `ours`, which the model got before the chat. Small models
 * reply like this to a greeting. `history` ends with the question.
 */
export function isEchoOf(ours: string, answer: string, history: readonly Message[]): boolean {
  if (answer.length > LONGEST) return false
  const words = wordsIn(answer)
  if (words.length < FEWEST_WORDS_OF_OURS) return false
  const known = new Set(runsIn(wordsIn(ours)))
  if (countKnown(words, known) < SHARE * words.length) return false
  const asked = history.at(-1)
  if (asked?.role !== 'user' || ASKS_FOR_THEM.test(asked.text)) return false
  const content = contentIn(answer)
  return ![...contentIn(asked.text)].some(word => content.has(word))
}
