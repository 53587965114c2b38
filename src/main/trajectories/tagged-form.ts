import { parseJson, type Refusal } from '../lib/expected-errors.ts'
import { isRecord, type Conversation, type ToolCall, type Turn } from './conversation.ts'

// ShareGPT lines: `conversations` of `from` and `value`, with thoughts, calls and results in tags. Talaria and Hermes Agent write the same
// turns, and tell of the tools in other words.

const tagged = (tag: string, text: string) =>
  [`<${tag}>`, ...(text === '' ? [] : [text]), `</${tag}>`].join('\n')

/** How Hermes models are told of tools, after the function calling format of Nous Research. */
const HERMES_BEFORE =
  'You are a function calling AI model. You are provided with function signatures within <tools></tools> XML tags. You may call one or more functions to assist with the user query. Here are the available tools:\n<tools>\n'
const HERMES_AFTER =
  '\n</tools>\nFor each function call return a JSON object with function name and arguments within <tool_call></tool_call> XML tags as follows:\n<tool_call>\n{"name": <function-name>, "arguments": <args-dict>}\n</tool_call>'
const OURS_BEFORE = '## Tools\n<tools>\n'
const OURS_AFTER = '\n</tools>'

/** Read `conversations`. Tools come from the system part or from the field `tools`. */
export function readTagged(
  line: Record<string, unknown>,
): { conversation: Conversation; form: 'sharegpt' | 'hermes' } | Refusal {
  const { conversations, tools: given, ...others } = line
  if (!Array.isArray(conversations)) return { refused: '“conversations” is not a list' }
  const turns: Turn[] = []
  let tools = toolsIn(given)
  const rest = given === undefined || tools ? others : { ...others, tools: given }
  let form: 'sharegpt' | 'hermes' = 'sharegpt'
  for (const [at, part] of conversations.entries()) {
    if (!isRecord(part) || typeof part['value'] !== 'string')
      return { refused: `turn ${at + 1} has no text in “value”` }
    const { from, value } = part as { from: unknown; value: string }
    if (from === 'system') {
      const found = splitTools(value)
      if (found) tools ??= found.tools
      if (found?.form === 'hermes') form = 'hermes'
      turns.push({ role: 'system', text: found?.text ?? value })
    } else if (from === 'human' || from === 'user') turns.push({ role: 'user', text: value })
    else if (from === 'gpt' || from === 'assistant') turns.push(readReply(value))
    else if (from === 'tool') turns.push({ role: 'tool', results: readResults(value) })
    else return { refused: `turn ${at + 1} is from none of system, human, gpt and tool` }
  }
  nameCalls(turns)
  return { conversation: { turns: dropEmptySystem(turns), tools: tools ?? [], rest }, form }
}

/** Tools alone are written as a system part, which is none without them. */
const dropEmptySystem = (turns: Turn[]) =>
  turns[0]?.role === 'system' && turns[0].text === '' ? turns.slice(1) : turns

function toolsIn(given: unknown): unknown[] | undefined {
  const value = typeof given === 'string' ? parseJson(given) : given
  return Array.isArray(value) && value.every(isRecord) ? value : undefined
}

/** A system part without its tools, where they stand at its end in words that are known; other words stay part of the text. */
function splitTools(value: string) {
  for (const [form, before, after] of [
    ['hermes', HERMES_BEFORE, HERMES_AFTER],
    ['sharegpt', OURS_BEFORE, OURS_AFTER],
  ] as const) {
    const at = value.lastIndexOf(before)
    const isSection = at === 0 || value.slice(0, Math.max(0, at)).endsWith('\n\n')
    if (at < 0 || !isSection || !value.endsWith(after)) continue
    const inside = value.slice(at + before.length, -after.length)
    const tools = toolsIn(parseJson(inside)) ?? inside.split('\n').map(parseJson)
    if (tools.every(isRecord)) return { form, tools, text: value.slice(0, Math.max(0, at - 2)) }
  }
  return undefined
}

function readReply(value: string): Turn {
  const [thought = '', reasoning = ''] = /^<think>\n?([^]*?)\n?<\/think>\n?/.exec(value) ?? []
  let text = value.slice(thought.length)
  const calls: ToolCall[] = []
  for (;;) {
    const at = text.lastIndexOf('<tool_call>')
    const end = text.trimEnd()
    if (at < 0 || !end.endsWith('</tool_call>')) break
    const call = parseJson(end.slice(at + '<tool_call>'.length, -'</tool_call>'.length))
    if (!isRecord(call) || typeof call['name'] !== 'string') break
    calls.unshift({ id: '', name: call['name'], given: call['arguments'] ?? {} })
    text = text.slice(0, at).replace(/\n$/, '')
  }
  return { role: 'assistant', text, reasoning, calls }
}

function readResults(value: string): Extract<Turn, { role: 'tool' }>['results'] {
  const parts = [
    ...value.matchAll(/<tool_response>\n?([^]*?)\n?<\/tool_response>(?=\s*(?:$|<tool_response>))/g),
  ]
  const read = parts.map(([, inside = '']) => {
    const result = parseJson(inside)
    if (!isRecord(result) || !('content' in result)) return { callId: '', name: '', text: inside }
    const { tool_call_id: callId, name, content } = result
    return {
      callId: typeof callId === 'string' ? callId : '',
      name: typeof name === 'string' ? name : '',
      text: typeof content === 'string' ? content : JSON.stringify(content),
    }
  })
  return read.length > 0 ? read : [{ callId: '', name: '', text: value }]
}

/** Calls in tags have no ids: those of their results, in order, or counted ones. */
function nameCalls(turns: readonly Turn[]): void {
  let count = 0
  for (const [at, turn] of turns.entries()) {
    if (turn.role !== 'assistant') continue
    const next = turns[at + 1]
    const results = next?.role === 'tool' ? next.results : []
    for (const [index, call] of turn.calls.entries()) {
      const result = results[index]
      const id = `call_${++count}`
      call.id = result?.callId || id
      if (!result) continue
      result.callId ||= id
      result.name ||= call.name
    }
  }
}

/** Write `conversations`, each reply with its thoughts, even empty ones, as readers of this format expect. */
export function writeTagged(
  { turns, tools, rest }: Conversation,
  form: 'sharegpt' | 'hermes',
): Record<string, unknown> {
  const list =
    form === 'hermes'
      ? `${HERMES_BEFORE}${JSON.stringify(tools)}${HERMES_AFTER}`
      : `${OURS_BEFORE}${tools.map(tool => JSON.stringify(tool)).join('\n')}${OURS_AFTER}`
  const [first] = turns
  const system = first?.role === 'system' ? first.text : ''
  // Foreign words for the tools stay as they are, and tell of them already.
  const isTold = tools.length === 0 || system.includes('<tools>')
  const told = isTold ? system : [system, list].filter(Boolean).join('\n\n')
  const body = first?.role === 'system' ? turns.slice(1) : turns
  return {
    ...rest,
    conversations: [...(told === '' ? [] : [{ from: 'system', value: told }]), ...body.map(partOf)],
  }
}

function partOf(turn: Turn): { from: string; value: string } {
  switch (turn.role) {
    case 'system':
      return { from: 'system', value: turn.text }
    case 'user':
      return { from: 'human', value: turn.text }
    case 'assistant': {
      const calls = turn.calls.map(({ name, given }) =>
        tagged('tool_call', JSON.stringify({ name, arguments: given })),
      )
      const parts = [tagged('think', turn.reasoning), turn.text, ...calls]
      return { from: 'gpt', value: parts.filter(part => part !== '').join('\n') }
    }
    case 'tool': {
      const results = turn.results.map(({ callId, name, text }) =>
        tagged('tool_response', JSON.stringify({ tool_call_id: callId, name, content: text })),
      )
      return { from: 'tool', value: results.join('\n') }
    }
  }
}
