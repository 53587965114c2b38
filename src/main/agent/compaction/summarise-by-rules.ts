import { setImmediate as others } from 'node:timers/promises'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { emptySummary, type Summary } from './summary.ts'

const MUST =
  /\b(must|never|always|don['’]t|do not|only|prefer|please use|instead of|make sure|avoid|muss|nie|immer|nur|bitte)\b/i
const DECIDED =
  /\b(let['’]s|we(['’]ll| will| should)|decided?|use|go with|choose|chose|agreed|wir nehmen|entschieden)\b/i
/** A sentence with a name or a number is a fact that the user may ask for later. */
const FACT = /\d|\b(is|are|am|my|our|called|named|heißt|ist|mein|meine)\b/i
const PATH =
  /(?:~|\.{1,2})?\/?[\w.-]{1,255}(?:\/[\w.-]+)+|\b[\w-]{1,255}\.(?:ts|tsx|js|py|md|txt|json|ya?ml|csv|html|css|sql|sh|go|rs|java|c|cpp|toml)\b/g
const MAX_SENTENCE_CHARS = 240
/** Maximum lines per section, characters read per message, sentences taken per message, and failures. */
export const MAX_LINES = 40
const MAX_MESSAGE_CHARS = 8_000
const MAX_SENTENCES = 30
const MAX_FAILURES = 5
/** How many messages to read before yielding to other work. */
const READ_AT_ONCE = 200

/** Tools with an effect. A summary names their work; other tools only read. */
const DOES = new Set([
  'write_file',
  'patch_file',
  'terminal',
  'memory',
  'skill_manage',
  'schedule',
  'delegate',
  'use_tool',
])
const MAX_STEP_CHARS = 160

/**
 * Build a summary without a model. It has the user's requests turn by turn in their own words, and what was
 * done for them up to message `doneUpTo`. It also has sentences that demand or decide something, touched
 * files, failures, and unanswered questions. The result is plain but invents nothing. Yields to other work.
 */
export async function summariseByRules(messages: readonly Message[], doneUpTo = Infinity): Promise<Summary> {
  const summary = emptySummary()
  const files = new Set<string>()
  const failures: string[] = []
  // Messages before the first question answer a question that stays in view.
  const first = messages.findIndex(message => message.role === 'user')
  for (const [index, message] of messages.entries()) {
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await others()
    if (message.role === 'tool') {
      const { ok, name, title = name } = message
      if (!ok) failures.push(shortenLine(`${name} failed: ${message.text.split('\n', 1)[0]}`))
      else if (DOES.has(name) && message.id <= doneUpTo) summary.Done.push(shortenLine(title, MAX_STEP_CHARS))
      continue
    }
    if (message.role === 'user') takeUser(summary, message.text, answerTo(messages, index))
    else {
      const [answer] = index < first || first < 0 ? splitSentences(message.text) : []
      if (answer !== undefined && message.id <= doneUpTo) summary.Done.push(`Said: ${shortenLine(answer)}`)
      for (const { arguments: given } of message.calls)
        for (const value of [given['path'], given['file']]) if (typeof value === 'string') files.add(value)
    }
    for (const path of message.text.slice(0, MAX_MESSAGE_CHARS).match(PATH) ?? []) files.add(path)
  }
  // An overlong summary is cut from the start, so failures go before what the user said.
  summary.Gotchas.unshift(...failures.slice(-MAX_FAILURES))
  summary.Files.push(...[...files].slice(-MAX_LINES).map(each => shortenLine(each)))
  for (const section of ['Constraints', 'Decisions', 'Done', 'Open questions', 'Gotchas'] as const) {
    await others()
    summary[section] = [...new Set(summary[section])].slice(-MAX_LINES)
  }
  return summary
}

function takeUser(summary: Summary, text: string, { answer, isLeft }: Answered): void {
  const sentences = splitSentences(text)
  const [asked] = sentences
  if (asked === undefined) return
  const said = answer === undefined ? undefined : splitSentences(answer)[0]
  if (isLeft) summary['Open questions'].push(`Not answered: ${shortenLine(asked)}`)
  else
    summary.Done.push(
      said === undefined
        ? `Asked: ${shortenLine(asked)}`
        : `Asked: ${shortenLine(asked, MAX_SENTENCE_CHARS / 2)} → ${shortenLine(said, MAX_SENTENCE_CHARS / 2)}`,
    )
  for (const sentence of sentences) {
    if (MUST.test(sentence)) summary.Constraints.push(shortenLine(sentence))
    else if (DECIDED.test(sentence)) summary.Decisions.push(shortenLine(sentence))
    else if (FACT.test(sentence) && !sentence.endsWith('?')) summary.Gotchas.push(shortenLine(sentence))
  }
}

/** The outcome of a question. `isLeft`: it got no answer, and the user moved on. */
type Answered = { answer?: string; isLeft?: boolean }

/** The text that answers a question, if any. A successful call counts as an answer without a text. */
function answerTo(messages: readonly Message[], index: number): Answered {
  let isDone = false
  for (let at = index + 1; at < messages.length; at++) {
    const message = messages[at]!
    // Messages that the user wrote during a turn are answered with that turn.
    if (message.role === 'user' && message.steered) continue
    if (message.role === 'user') return { isLeft: !isDone }
    if (message.role === 'tool') isDone ||= message.ok
    else if (message.text.trim() !== '' && !message.void) return { answer: message.text }
  }
  return {}
}

/** Split a text into sentences with at least one letter, within the limits above. */
export const splitSentences = (text: string): string[] =>
  text
    .slice(0, MAX_MESSAGE_CHARS)
    .split(/(?<=[.!?…])\s+|\n+/, MAX_SENTENCES)
    .map(sentence => sentence.trim())
    .filter(sentence => /\p{L}/u.test(sentence))

/** Put a text on one line, cut to a number of characters. */
export const shortenLine = (text: string, most = MAX_SENTENCE_CHARS): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}
