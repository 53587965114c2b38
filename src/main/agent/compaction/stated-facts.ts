import { setImmediate as others } from 'node:timers/promises'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { saysOfSelf } from '../../lib/words/says-of-self.ts'
import { coversLine, parseLine } from './merge-summaries.ts'
import { shortenLine, splitSentences } from './summarise-by-rules.ts'
import { isSummary } from './apply-compaction.ts'
import { emptySummary, SECTIONS, trimSummary, type Summary } from './summary.ts'

/** Marks a line as the user's own words, through any number of passes. */
const LABEL = 'Said by the user: '
/** The section for such lines: its statements are binding. */
const SECTION = 'Constraints'
const MAX_STATED = 40
/** Maximum share of a summary for these lines; older lines can be found by search. */
const STATED_SHARE = 0.4
const MAX_STATED_CHARS = 240

/** Lasting wishes: always and never, in the languages of `saysOfSelf`. */
const LASTS =
  /(?<!\p{L})(?:never|always|don['’]t ever|do not ever|from now on|under no circumstances|niemals|nie wieder|nie|immer|stets|ab jetzt|jamais|toujours|désormais|nunca|siempre|de ahora en adelante|mai più|sempre|d['’]ora in poi|никогда|всегда)(?!\p{L})|绝不|永远不要|总是|必ず|決して/iu
/** “It always fails” and “you never said so” report what happened. */
const TELLS_WHAT_HAPPENED =
  /\b(?:it|he|she|they|we|you|that|this|which|who)(?:['’]\w+)? (?:\w+ )?(?:never|always)\b/i

/** Code, and quoted lines. */
const QUOTED = /```[^]*?(?:```|$(?![^]))|^>.*$/gm

/** How many messages to read before yielding to other work. */
const READ_AT_ONCE = 100

/** Find sentences in which the user states a constraint or something lasting, verbatim and once each. */
async function statedBy(messages: readonly Message[]): Promise<string[]> {
  const said = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await others()
    if (message.role !== 'user' || isSummary(message)) continue
    for (const sentence of splitSentences(message.text.replaceAll(QUOTED, ' ')))
      if (isStatement(sentence)) said.add(`${LABEL}${shortenLine(sentence)}`)
  }
  return [...said]
}

const isStatement = (sentence: string): boolean =>
  !/[?？]$/.test(sentence) &&
  sentence.length <= MAX_STATED_CHARS &&
  (saysOfSelf(sentence) || (LASTS.test(sentence) && !TELLS_WHAT_HAPPENED.test(sentence)))

const isStated = (item: string): boolean => item.startsWith(LABEL)

/** Remove lines of a model's summary that pass for the user's own words; rules add the real lines. */
export const withoutForged = (summary: Summary): Summary =>
  mapItems(summary, items => items.filter(item => !isStated(item)))

/**
 * Cut a summary to `room` tokens and add what the user stated in it or in these messages. Such lines outlive
 * all others except the goal, up to their share. A line that says no more than one of them is dropped.
 */
export async function withStated(
  summary: Summary,
  messages: readonly Message[],
  room: number,
  count: (text: string) => number,
): Promise<Summary> {
  const all = [...new Set([...summary[SECTION].filter(isStated), ...(await statedBy(messages))])].slice(
    -MAX_STATED,
  )
  let left = room * STATED_SHARE
  const from = all.findLastIndex(line => (left -= count(`- ${line}\n`)) < 0)
  const stated = all.slice(from + 1)
  const used = stated.reduce((sum, line) => sum + count(`- ${line}\n`), 0)
  const parsed = stated.map(line => parseLine(line.slice(LABEL.length)))
  const rest = mapItems(withoutForged(summary), items =>
    items.filter(item => {
      const line = parseLine(item)
      return !parsed.some(each => coversLine(each, line) && coversLine(line, each))
    }),
  )
  const trimmed = trimSummary(rest, room - used, count)
  return { ...trimmed, [SECTION]: [...stated, ...trimmed[SECTION]] }
}

function mapItems(summary: Summary, change: (items: string[]) => string[]): Summary {
  const changed = emptySummary()
  for (const section of SECTIONS) changed[section] = change(summary[section])
  return changed
}
