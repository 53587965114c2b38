import type { AssistantMessage, Message, ToolCall } from '../../../shared/contract/chats/messages.ts'
import type { SentCall } from '../../models/interface/engine.ts'
import { beginningNote, MAX_DEPTH } from './placeholders.ts'

/** Minimum length of texts to shorten, in characters: shorter ones would hardly get shorter. */
const MIN_BRIEF_CHARS = 320
/** How many characters stay of a longer text. */
const BEGINNING_CHARS = 100
/** How many items stay of a list that is too long to be sent again. */
const BEGINNING_ITEMS = 2

/** Replace the long texts of a call by their beginnings. A call without long texts is returned as is. */
function briefCall(call: ToolCall): SentCall {
  const brief = briefValue(call.arguments, 0)
  return brief === call.arguments
    ? call
    : { ...call, arguments: brief as ToolCall['arguments'], ran: call.arguments }
}

/** Shorten long texts and lists in a value, keeping all types. Returns the same object if unchanged. */
function briefValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return briefText(value)
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return briefList(value, depth)
  const entries = Object.entries(value).map(([key, item]) => [key, briefValue(item, depth + 1)] as const)
  const isSame = entries.every(([key, item]) => item === (value as Record<string, unknown>)[key])
  return isSame ? value : Object.fromEntries(entries)
}

const briefText = (text: string): string =>
  text.length <= MIN_BRIEF_CHARS ? text : begun(text, beginningNote(text.length, 'characters'))

const begun = (text: string, behind: string): string =>
  `${text.slice(0, BEGINNING_CHARS).toWellFormed()} … ${behind}`

/**
 * Shorten a long list and append a note to its last kept item. A list without texts, such as of numbers, has
 * no place for the note and stays.
 */
function briefList(list: readonly unknown[], depth: number): unknown {
  const items = list.map(item => briefValue(item, depth + 1))
  const same = items.every((item, at) => item === list[at])
  const whole = same ? list : items
  if (list.length <= BEGINNING_ITEMS || JSON.stringify(items).length <= MIN_BRIEF_CHARS) return whole
  const behind = beginningNote(list.length, 'items')
  const kept = items.slice(0, BEGINNING_ITEMS)
  const last = withNote(kept.at(-1), behind, depth)
  return last === undefined ? whole : [...kept.slice(0, -1), last]
}

/** Append a note to the first text in a value; undefined if there is no text. */
function withNote(value: unknown, behind: string, depth: number): unknown {
  if (typeof value === 'string') return begun(value, behind)
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined
  for (const [key, item] of Object.entries(value)) {
    const noted = withNote(item, behind, depth + 1)
    if (noted === undefined) continue
    return Array.isArray(value) ? value.with(Number(key), noted) : { ...value, [key]: noted }
  }
  return undefined
}

/**
 * Shorten an old reply. The long texts of successful calls become their beginnings, because the call has
 * already put their content somewhere, such as into a file. A failed call stays whole, so that the model can
 * fix it. The exact raw text and the thoughts are dropped.
 */
function briefReply(reply: AssistantMessage, results: readonly Message[]): AssistantMessage {
  if (reply.calls.length === 0) return reply
  const succeeded = new Set(
    results.flatMap(result => (result.role === 'tool' && result.ok ? [result.callId] : [])),
  )
  const calls = reply.calls.map(call => (succeeded.has(call.id) ? briefCall(call) : call))
  const isSame = calls.every((call, at) => call === reply.calls[at])
  const hasThoughts = reply.raw !== undefined && reply.reasoning !== ''
  if (isSame && !(hasThoughts && calls.every(call => succeeded.has(call.id)))) return reply
  const { raw: _raw, ...said } = reply
  return { ...said, calls }
}

/** Shorten the successful calls of all replies that `isOld` accepts. */
export function withBriefCalls(messages: readonly Message[], isOld: (reply: Message) => boolean): Message[] {
  return messages.map((message, at) => {
    if (message.role !== 'assistant' || message.calls.length === 0 || !isOld(message)) return message
    let end = at + 1
    while (messages[end]?.role === 'tool') end++
    return briefReply(message, messages.slice(at + 1, end))
  })
}
