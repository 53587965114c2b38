import type { Message } from '../../../shared/contract/messages.ts'
import { contentIn, countKnown, runsIn, wordsIn } from '../compaction/summary-words.ts'

/** Shorter answers may use words of ours by chance. */
const FEWEST_WORDS = 6
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
  if (words.length < FEWEST_WORDS) return false
  const known = new Set(runsIn(wordsIn(ours)))
  if (countKnown(words, known) < SHARE * words.length) return false
  const asked = history.at(-1)
  if (asked?.role !== 'user' || ASKS_FOR_THEM.test(asked.text)) return false
  const content = contentIn(answer)
  return ![...contentIn(asked.text)].some(word => content.has(word))
}
