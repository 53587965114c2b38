import { parseJson, type Refusal } from '../lib/expected-errors.ts'
import { furtherOf, readTools, type Conversation, type Turn } from './conversation.ts'
import { isRecord } from '../lib/json-fields.ts'

// Lines for trainers that follow OpenAI's API: `messages`, and beside them `tools`.

/** The field for a batch's counts of tools, because this form uses `tools` for the list of tools. */
const COUNTS = 'tool_counts'

/** Read a line with `messages`. */
export function readOpenAi(line: Record<string, unknown>): Conversation | Refusal {
  const { messages } = line
  // The placeholder keeps the field's position among the others.
  const { tools, [COUNTS]: counts, ...rest }: Record<string, unknown> = { ...line, messages: undefined }
  if (!Array.isArray(messages)) return { refused: '“messages” is not a list' }
  const list = tools == null ? [] : readTools(tools)
  if (!list) return { refused: '“tools” is not a list of tools' }
  const turns: Turn[] = []
  let pictures = 0
  for (const [at, message] of messages.entries()) {
    if (!isRecord(message)) return { refused: `message ${at + 1} is not an object` }
    const content = readContent(message['content'])
    const turn = content && readMessage(message, content.text)
    if (!turn) return { refused: `message ${at + 1} cannot be read` }
    pictures += content.pictures
    const last = turns.at(-1)
    if (turn.role === 'tool' && last?.role === 'tool') last.results.push(...turn.results)
    else turns.push(turn)
  }
  nameResults(turns)
  return {
    turns,
    tools: list,
    rest: counts === undefined ? rest : { ...rest, tools: counts },
    ...(pictures > 0 && { pictures }),
    // Data sets with typed columns store the tools as text.
    ...(typeof tools === 'string' && { wording: { form: 'openai', toolsField: tools } }),
  }
}

function readMessage(message: Record<string, unknown>, text: string): Turn | undefined {
  const { role, content: _content, ...others } = message
  if (role === 'system' || role === 'developer') return { role: 'system', text, ...furtherOf(others) }
  if (role === 'user') return { role, text, ...furtherOf(others) }
  if (role === 'tool') {
    const { tool_call_id: callId, name, ...further } = others
    return {
      role,
      results: [{ callId: stringOf(callId), name: stringOf(name), text, ...furtherOf(further) }],
    }
  }
  const { tool_calls: calls, reasoning_content: thought, reasoning, ...further } = others
  if (role !== 'assistant' || (calls != null && !Array.isArray(calls))) return undefined
  const read = (calls ?? []).map(readCall)
  if (!read.every(call => call !== undefined)) return undefined
  return { role, text, reasoning: stringOf(thought ?? reasoning), calls: read, ...furtherOf(further) }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function readCall(call: unknown) {
  const asked = isRecord(call) && isRecord(call['function']) ? call['function'] : undefined
  if (!isRecord(call) || typeof asked?.['name'] !== 'string') return undefined
  const { name, arguments: given = {} } = asked
  const parsed = typeof given === 'string' ? parseJson(given) : given
  return {
    id: typeof call['id'] === 'string' ? call['id'] : '',
    name,
    given: isRecord(parsed) ? parsed : given,
  }
}

/** The text of a message, from a string, nothing, or parts, of which files are only mentioned. */
function readContent(content: unknown): { text: string; pictures: number } | undefined {
  if (content == null) return { text: '', pictures: 0 }
  if (typeof content === 'string') return { text: content, pictures: 0 }
  if (!Array.isArray(content) || !content.every(isRecord)) return undefined
  const texts = content.map(part => part['text'])
  return {
    text: texts.map(text => (typeof text === 'string' ? text : '[Picture]')).join('\n'),
    pictures: texts.filter(text => typeof text !== 'string').length,
  }
}

/** Name the tools of results, which refer to their call only by id. */
function nameResults(turns: readonly Turn[]): void {
  const names = new Map<string, string>()
  for (const turn of turns) {
    if (turn.role === 'assistant') for (const { id, name } of turn.calls) names.set(id, name)
    if (turn.role === 'tool')
      for (const result of turn.results) result.name ||= names.get(result.callId) ?? ''
  }
}

/** Write `messages`, with `tools` if there are any. Thoughts become `reasoning_content`. */
export function writeOpenAi({ turns, tools, rest, wording }: Conversation): Record<string, unknown> {
  const asText = wording?.form === 'openai' ? wording.toolsField : undefined
  const { tools: counts, ...others } = rest
  return {
    ...others,
    ...(counts !== undefined && { [COUNTS]: counts }),
    messages: turns.flatMap(messagesOf),
    ...(tools.length > 0 && { tools: asText ?? tools }),
  }
}

function messagesOf(turn: Turn): Record<string, unknown>[] {
  if (turn.role === 'tool')
    return turn.results.map(({ callId, name, text, further }) => ({
      role: 'tool',
      tool_call_id: callId,
      name,
      content: text,
      ...further,
    }))
  if (turn.role !== 'assistant') return [{ role: turn.role, content: turn.text, ...turn.further }]
  const { text, reasoning, calls, further } = turn
  const asked = calls.map(({ id, name, given }) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }))
  return [
    {
      role: 'assistant',
      content: text,
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(asked.length > 0 && { tool_calls: asked }),
      ...further,
    },
  ]
}
