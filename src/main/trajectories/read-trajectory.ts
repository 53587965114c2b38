import { isRefusal, parseJson, type Refusal } from '../lib/expected-errors.ts'
import { redactIn, redactText } from '../lib/redact.ts'
import { isRecord, type Conversation, type Form, type Turn } from './conversation.ts'
import { readOpenAi, writeOpenAi } from './openai-form.ts'
import { readTagged, writeTagged } from './tagged-form.ts'

/**
 * Read a line in whichever form it has. Keys and passwords are redacted in all of it; what Talaria knows of the user is left out of system
 * parts unless `withMemory`. A refusal is the end of a sentence.
 */
export function readTrajectory(
  line: string,
  { withMemory }: { withMemory: boolean },
): { conversation: Conversation; form: Form } | Refusal {
  const value = parseJson(line)
  if (!isRecord(value)) return { refused: value === undefined ? 'it is not JSON' : 'it is not a JSON object' }
  const read = 'messages' in value ? asOpenAi(value) : 'conversations' in value ? readTagged(value) : NO_FORM
  if (isRefusal(read)) return read
  const { turns, tools, rest } = read.conversation
  if (!turns.some(({ role }) => role === 'assistant')) return { refused: 'it has no answer of a model' }
  return {
    form: read.form,
    conversation: {
      turns: turns.map(turn => cleanTurn(turn, withMemory)),
      tools: redactIn(tools),
      rest: redactIn(rest),
    },
  }
}

const NO_FORM: Refusal = { refused: 'it has neither “conversations” nor “messages”' }

function asOpenAi(line: Record<string, unknown>): { conversation: Conversation; form: Form } | Refusal {
  const conversation = readOpenAi(line)
  return isRefusal(conversation) ? conversation : { conversation, form: 'openai' }
}

/** Write a trajectory as one line. */
export const writeTrajectory = (conversation: Conversation, form: Form): string =>
  JSON.stringify(form === 'openai' ? writeOpenAi(conversation) : writeTagged(conversation, form))

function cleanTurn(turn: Turn, withMemory: boolean): Turn {
  switch (turn.role) {
    case 'system': {
      const text = withMemory ? turn.text : turn.text.replaceAll(MEMORY, '').replace(/^\n\n/, '')
      return { ...turn, text: redactText(text) }
    }
    case 'user':
      return { ...turn, text: redactText(turn.text) }
    case 'assistant':
      return {
        ...turn,
        text: redactText(turn.text),
        reasoning: redactText(turn.reasoning),
        calls: turn.calls.map(call => ({ ...call, given: redactIn(call.given) })),
      }
    case 'tool':
      return { ...turn, results: turn.results.map(result => ({ ...result, text: redactText(result.text) })) }
  }
}

/** The sections of `memory/memory-block.ts`: a heading, and entries whose further lines are indented. */
const MEMORY =
  /(?:^|\n\n)## (?:(?:About the user|Your notes) \(\d+ % full\)|Your notes about this folder)(?:\n(?:- | {2}).*)*/g
