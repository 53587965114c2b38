import { isRefusal, parseJson, type Refusal } from '../lib/expected-errors.ts'
import { redactIn, redactText } from '../untrusted/redact.ts'
import { type Conversation, type Form, type Turn } from './conversation.ts'
import { isRecord } from '../lib/json-fields.ts'
import { readOpenAi, writeOpenAi } from './openai-form.ts'
import { readTagged, writeTagged } from './tagged-form.ts'

/**
 * Read a line in any form. Keys and passwords are redacted everywhere. Memory about the user is removed from
 * system parts unless `withMemory`. A refusal is the end of a sentence.
 */
export function readTrajectory(
  line: string,
  { withMemory }: { withMemory: boolean },
): { conversation: Conversation; form: Form } | Refusal {
  try {
    const value = parseJson(line)
    if (!isRecord(value))
      return { refused: value === undefined ? 'it is not JSON' : 'it is not a JSON object' }
    const read =
      'messages' in value ? asOpenAi(value) : 'conversations' in value ? readTagged(value) : NO_FORM
    if (isRefusal(read)) return read
    if (!read.conversation.turns.some(({ role }) => role === 'assistant'))
      return { refused: 'it has no answer of a model' }
    return { form: read.form, conversation: clean(read.conversation, withMemory) }
  } catch (error) {
    // Walking a value may need more stack than V8 needed for parsing it.
    if (error instanceof RangeError) return { refused: 'it is nested too deeply' }
    throw error
  }
}

const NO_FORM: Refusal = { refused: 'it has neither “conversations” nor “messages”' }

function asOpenAi(line: Record<string, unknown>): { conversation: Conversation; form: Form } | Refusal {
  const conversation = readOpenAi(line)
  return isRefusal(conversation) ? conversation : { conversation, form: 'openai' }
}

/** Write a trajectory as one line. */
export function writeTrajectory(conversation: Conversation, form: Form): string {
  const value = form === 'openai' ? writeOpenAi(conversation) : writeTagged(conversation, form)
  const line = JSON.stringify(value)
  // Half a surrogate pair is written as an escape that UTF-8 readers refuse.
  return /\\ud[89a-f]/.test(line) ? JSON.stringify(value, wellFormed) : line
}

const wellFormed = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value

/** Redact everything, turn by turn, so that redaction never removes the markup around a text. */
function clean(conversation: Conversation, withMemory: boolean): Conversation {
  const { turns, tools, rest, wording } = conversation
  return {
    ...conversation,
    turns: turns.map(turn => cleanTurn(turn, withMemory)),
    tools: redactIn(tools),
    rest: { ...redactIn(rest), ...(isRowKey(rest['key']) && { key: rest['key'] }) },
    ...(wording && { wording: redactIn(wording) }),
  }
}

/** Whether it is a row's key in a batch (`batch/row.ts`), which is no secret despite its field's name. */
const isRowKey = (key: unknown): key is string => typeof key === 'string' && /^[\da-f]{20}-\d{1,9}$/.test(key)

function cleanTurn(turn: Turn, withMemory: boolean): Turn {
  if (turn.role === 'tool')
    return { ...turn, results: turn.results.map(each => ({ ...each, ...cleanPart(each) })) }
  const text = turn.role === 'system' && !withMemory ? withoutMemory(turn.text) : turn.text
  const cleaned = { ...turn, ...cleanPart({ ...turn, text }) }
  if (cleaned.role !== 'assistant') return cleaned
  const { reasoning, calls } = cleaned
  return {
    ...cleaned,
    reasoning: redactText(reasoning),
    calls: calls.map(call => ({ ...call, given: redactIn(call.given) })),
  }
}

const cleanPart = ({ text, further }: { text: string; further?: Record<string, unknown> }) => ({
  text: redactText(text),
  ...(further && { further: redactIn(further) }),
})

const withoutMemory = (system: string) => system.replaceAll(MEMORY, '').replace(/^\n\n/, '')

/** The sections written by `memory/memory-block.ts`: a heading, and entries with indented further lines. */
const MEMORY =
  /(?:^|\n\n)## (?:(?:About the user|Your notes) \(\d+ % full\)|Your notes about this folder)(?:\n(?:- | {2}).*)*/g
