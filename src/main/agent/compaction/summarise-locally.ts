import type { Message } from '../../../shared/contract/messages.ts'
import { emptySummary, type Summary } from './summary.ts'

const MUST =
  /\b(must|never|always|don['’]t|do not|only|prefer|please use|instead of|make sure|avoid|muss|nie|immer|nur|bitte)\b/i
const DECIDED =
  /\b(let['’]s|we(['’]ll| will| should)|decided?|use|go with|choose|chose|agreed|wir nehmen|entschieden)\b/i
/** A name or a number is a fact that somebody may ask for later. */
const FACT = /\d|\b(is|are|am|my|our|called|named|heißt|ist|mein|meine)\b/i
const PATH =
  /(?:~|\.{1,2})?\/?[\w.-]+(?:\/[\w.-]+)+|\b[\w-]+\.(?:ts|tsx|js|py|md|txt|json|ya?ml|csv|html|css|sql|sh|go|rs|java|c|cpp|toml)\b/g
const LONGEST = 240
/** Lines of a part, characters of a message that are looked at, and sentences of it that are taken. */
const MOST = 40
const LOOKED_AT = 8_000
const MOST_SENTENCES = 30
const MOST_FAILURES = 5

/**
 * A summary without a model: what the person asked for, turn by turn, in their own words; sentences that demand or decide
 * something; files that were touched; what failed. Plain, but nothing in it is made up.
 */
export function summariseLocally(messages: readonly Message[]): Summary {
  const summary = emptySummary()
  const files = new Set<string>()
  const failures: string[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!message.ok) failures.push(short(`${message.name} failed: ${message.text.split('\n', 1)[0]}`))
      continue
    }
    if (message.role === 'user') takeUser(summary, message.text, answerTo(messages, index))
    else
      for (const { arguments: given } of message.calls)
        for (const value of [given['path'], given['file']]) if (typeof value === 'string') files.add(value)
    for (const path of message.text.slice(0, LOOKED_AT).match(PATH) ?? []) files.add(path)
  }
  // What comes first goes first when the summary becomes too long, and what the person said is worth more.
  summary.Gotchas.unshift(...failures.slice(-MOST_FAILURES))
  summary.Files.push(...[...files].slice(-MOST).map(short))
  for (const section of ['Constraints', 'Decisions', 'Done', 'Gotchas'] as const)
    summary[section] = [...new Set(summary[section])].slice(-MOST)
  return summary
}

function takeUser(summary: Summary, text: string, answer: string | undefined): void {
  const sentences = sentencesOf(text)
  const [asked] = sentences
  if (asked === undefined) return
  const said = answer === undefined ? undefined : sentencesOf(answer)[0]
  summary.Done.push(
    said === undefined
      ? `Asked: ${short(asked)}`
      : `Asked: ${short(asked, LONGEST / 2)} → ${short(said, LONGEST / 2)}`,
  )
  for (const sentence of sentences) {
    if (MUST.test(sentence)) summary.Constraints.push(short(sentence))
    else if (DECIDED.test(sentence)) summary.Decisions.push(short(sentence))
    else if (FACT.test(sentence) && !sentence.endsWith('?')) summary.Gotchas.push(short(sentence))
  }
}

/** The first words with which a question was answered, before the next one. */
function answerTo(messages: readonly Message[], index: number): string | undefined {
  for (let at = index + 1; at < messages.length; at++) {
    const message = messages[at]!
    if (message.role === 'user') return undefined
    if (message.role === 'assistant' && message.text.trim() !== '') return message.text
  }
  return undefined
}

const sentencesOf = (text: string): string[] =>
  text
    .slice(0, LOOKED_AT)
    .split(/(?<=[.!?…])\s+|\n+/, MOST_SENTENCES)
    .map(sentence => sentence.trim())
    .filter(sentence => /\p{L}/u.test(sentence))

const short = (text: string, most = LONGEST): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}
