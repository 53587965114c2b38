import type { Message } from '../../../shared/contract/chats/messages.ts'
import { contentIn, countKnown, runsIn, wordsIn } from '../compaction/summary-words.ts'

/** An answer with fewer words may well come again, such as “Done.” or “You are welcome, tell me if you need more.” */
const FEWEST_WORDS = 20
/** Share of runs of three words that two answers have in common before they count as the same. */
const SAME_ANSWER = 0.75
/** Share of its runs that an answer takes from a longer one before it counts as a piece of that. */
const PIECE = 0.85
/** Share of words that two questions have in common before they count as the same. */
const SAME_QUESTION = 0.6
/** Answers that are compared, the newest first. */
const MOST_COMPARED = 40

/** A word; in scripts that write no blanks between words, one character. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu

/**
 * Questions about what was said before: a text is wanted again, in another form, with a change or as it was. Then nearly the same
 * answer is right.
 */
const REFERS_BACK = [
  /\b(?:again|once more|repeat|same|it|that|this|these|those|them|above|earlier|before|previous|last|said|say|go on|continue|more|instead|shorter|longer|simpler|better|chang\w*|replac\w*|add|remov\w*|correct\w*|fix\w*|rewrit\w*|rephras\w*|translat\w*|summar\w*|quote|shorten|improve|update|version|answer|conversation|chat)\b/iu,
  /(?<!\p{L})(?:noch ?mal\p{L}*|nochmals|wieder\p{L}*|es|das|dies\p{L}*|oben|vorher|zuvor|weiter|kürz\p{L}*|länger|änder\p{L}*|ersetz\p{L}*|ergänz\p{L}*|korrigier\p{L}*|übersetz\p{L}*|fass\p{L}*|antwort)(?!\p{L})/iu,
  /(?<!\p{L})(?:encore|répèt\p{L}*|ça|cela|ceci|ce|plus|continue|change\p{L}*|remplace\p{L}*|corrige\p{L}*|tradui\p{L}*|résum\p{L}*|otra vez|eso|esto|más|repit\p{L}*|cambi\p{L}*|corrig\p{L}*|traduc\p{L}*|resum\p{L}*|anterior)(?!\p{L})/iu,
  /再|重复|上面|之前|继续|改|这|那|もう一度|繰り返|それ|これ|続|ещё|еще|повтор|это|измени|продолж/iu,
]

/** A correction: the answer of before was wrong, so it is not wanted again. */
const CORRECTS =
  /^\s*(?:no|nope|wrong|(?:that|this|it)(?: i|'|’)s (?:not|wrong)|nein|falsch|das (?:ist|stimmt)|non|faux|no es|нет)(?!\p{L})(?!.*(?:again|same|repeat|nochmal|wieder))/iu

/**
 * Whether an answer is the same, or nearly, as an earlier one of the chat to another question, as small models write it to whatever
 * is asked. `history` ends with the question. What tools found, code, and what takes a word of the question that the earlier
 * answer did not have, are never the same.
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
  // Who asks about a part of what was said may well be given that part.
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

/** The answers of a chat with the question of each, without those for which a tool ran. */
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

/** Whether nearly all of an answer stands in an earlier one. */
const isPiece = (runs: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean =>
  runs.intersection(theirs).size >= PIECE * runs.size

/** How much of two sets is in both. */
function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = one.union(other).size
  return all === 0 ? 1 : one.intersection(other).size / all
}

/** Shorter answers may use words of ours by chance. */
const FEWEST_WORDS_OF_OURS = 6
/** Our own texts are shorter than this, so a longer answer cannot be a copy of one. In letters. */
const LONGEST = 50_000
/** Share of the words of an answer that stand in our texts. An answer that speaks of them has words of its own. */
const SHARE = 0.85

/** Who asks for these may well be given what the instructions say. */
const ASKS_FOR_THEM =
  /(?<!\p{L})(?:date|day|today|time|when|year|month|folder|directory|path|where|instruct\p{L}*|prompt|rules?|told|tools?|who|datum|tag|heute|uhr|zeit|wann|jahr|monat|ordner|verzeichnis|wo|anweisung\p{L}*|regeln?|wer|date|jour|heure|où|quand|dossier|qui|fecha|día|hora|dónde|cuándo|carpeta|quién)(?!\p{L})|日|时|時|哪|今|день|дата|час|где|когда|папк/iu

/**
 * Whether an answer is nothing but sentences of `ours`, which the model was given before the chat, as small models say them to a
 * greeting. `history` ends with the question.
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
