import { parseJson, type Refusal } from '../lib/expected-errors.ts'
import { isRecord, type Conversation, type Turn } from './conversation.ts'

// Lines as trainers read that follow OpenAI's API: `messages`, and `tools` beside them.

/** Where the counts of tools stand that a batch has in `tools`, which is the list of them in this form. */
const COUNTS = 'tool_counts'

/** Read `messages`. */
export function readOpenAi(line: Record<string, unknown>): Conversation | Refusal {
  const { messages, tools, [COUNTS]: counts, ...rest } = line
  if (!Array.isArray(messages)) return { refused: '“messages” is not a list' }
  if (tools != null && !(Array.isArray(tools) && tools.every(isRecord)))
    return { refused: '“tools” is not a list of tools' }
  const turns: Turn[] = []
  for (const [at, message] of messages.entries()) {
    const turn = isRecord(message) ? readMessage(message) : undefined
    if (!turn) return { refused: `message ${at + 1} cannot be read` }
    const last = turns.at(-1)
    if (turn.role === 'tool' && last?.role === 'tool') last.results.push(...turn.results)
    else turns.push(turn)
  }
  nameResults(turns)
  return {
    turns,
    tools: (tools as unknown[] | null | undefined) ?? [],
    rest: counts === undefined ? rest : { ...rest, tools: counts },
  }
}

function readMessage(message: Record<string, unknown>): Turn | undefined {
  const { role, tool_calls: calls, tool_call_id: callId, name } = message
  const text = textOf(message['content'])
  if (text === undefined) return undefined
  if (role === 'system' || role === 'developer') return { role: 'system', text }
  if (role === 'user') return { role, text }
  if (role === 'tool')
    return {
      role,
      results: [
        {
          callId: typeof callId === 'string' ? callId : '',
          name: typeof name === 'string' ? name : '',
          text,
        },
      ],
    }
  if (role !== 'assistant' || (calls != null && !Array.isArray(calls))) return undefined
  const thought = message['reasoning_content'] ?? message['reasoning']
  const turn = { role, text, reasoning: typeof thought === 'string' ? thought : '' } as const
  const read = (calls ?? []).map(readCall)
  return read.every(call => call !== undefined) ? { ...turn, calls: read } : undefined
}

function readCall(call: unknown) {
  const asked = isRecord(call) && isRecord(call['function']) ? call['function'] : undefined
  if (!isRecord(call) || typeof asked?.['name'] !== 'string') return undefined
  const { name, arguments: given = {} } = asked
  return {
    id: typeof call['id'] === 'string' ? call['id'] : '',
    name,
    given: typeof given === 'string' ? (parseJson(given) ?? given) : given,
  }
}

/** The text of a message: a text, nothing, or parts, of which pictures are only named. */
function textOf(content: unknown): string | undefined {
  if (content == null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content) || !content.every(isRecord)) return undefined
  return content.map(part => (typeof part['text'] === 'string' ? part['text'] : '[Picture]')).join('\n')
}

/** Results name their call by its id alone. */
function nameResults(turns: readonly Turn[]): void {
  const names = new Map<string, string>()
  for (const turn of turns) {
    if (turn.role === 'assistant') for (const { id, name } of turn.calls) names.set(id, name)
    if (turn.role === 'tool')
      for (const result of turn.results) result.name ||= names.get(result.callId) ?? ''
  }
}

/** Write `messages`, with `tools` where there are some. Thoughts are `reasoning_content`. */
export function writeOpenAi({ turns, tools, rest }: Conversation): Record<string, unknown> {
  const { tools: counts, ...others } = rest
  return {
    ...others,
    ...(counts !== undefined && { [COUNTS]: counts }),
    messages: turns.flatMap(messagesOf),
    ...(tools.length > 0 && { tools }),
  }
}

function messagesOf(turn: Turn): Record<string, unknown>[] {
  if (turn.role === 'tool')
    return turn.results.map(({ callId, name, text }) => ({
      role: 'tool',
      tool_call_id: callId,
      name,
      content: text,
    }))
  if (turn.role !== 'assistant') return [{ role: turn.role, content: turn.text }]
  const { text, reasoning, calls } = turn
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
    },
  ]
}
