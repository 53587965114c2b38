import { parseJson, type Refusal } from '../lib/expected-errors.ts'
import {
  furtherOf,
  readTools,
  type Conversation,
  type ToolCall,
  type ToolResult,
  type Turn,
  type Wording,
} from './conversation.ts'
import { isRecord } from '../lib/json-fields.ts'
import { fromFlat, sectionFor, splitTools } from './told-tools.ts'

// ShareGPT lines: `conversations` of `from` and `value`, with thoughts, calls and results in tags. Talaria
// and Hermes Agent write the same turns, but describe the tools in different words.

const tagged = (tag: string, text: string) =>
  [`<${tag}>`, ...(text === '' ? [] : [text]), `</${tag}>`].join('\n')

/** Read `conversations`. Tools come from the system part or `tools`, a missing system part from `system`. */
export function readTagged(
  line: Record<string, unknown>,
): { conversation: Conversation; form: 'sharegpt' | 'hermes' } | Refusal {
  const { conversations } = line
  // The placeholder keeps the field's position among the others.
  const all: Record<string, unknown> = { ...line, conversations: undefined }
  const { tools: given, ...others } = all
  if (!Array.isArray(conversations)) return { refused: '“conversations” is not a list' }
  const turns: Turn[] = []
  let tools = readTools(given)?.map(fromFlat)
  // In a batch, this field has the counts of tools.
  let rest = tools ? others : all
  let form: 'sharegpt' | 'hermes' = 'sharegpt'
  const wording: Omit<Wording, 'form'> = { ...(tools && { toolsField: given }) }
  let thoughts = 0
  for (const [at, part] of conversations.entries()) {
    if (!isRecord(part) || typeof part['value'] !== 'string')
      return { refused: `turn ${at + 1} has no text in “value”` }
    const { from, value, ...others } = part as { from: unknown; value: string }
    const further = furtherOf(others)
    if (from === 'system') {
      const found = splitTools(value)
      if (found) tools ??= found.tools
      if (found?.told !== undefined) wording.toldTools = found.told
      if (found?.form === 'hermes') form = 'hermes'
      turns.push({ role: 'system', text: found?.text ?? value, ...further })
    } else if (from === 'human' || from === 'user') turns.push({ role: 'user', text: value, ...further })
    else if (from === 'gpt' || from === 'assistant') {
      if (value.startsWith('<think>')) thoughts++
      turns.push({ ...readReply(value), ...further })
    } else if (from === 'tool') {
      const [first, ...results] = readResults(value)
      turns.push({ role: 'tool', results: [{ ...first, ...further }, ...results] })
    } else return { refused: `turn ${at + 1} is from none of system, human, gpt and tool` }
  }
  const { system, ...without } = rest
  if (typeof system === 'string' && system !== '' && !turns.some(({ role }) => role === 'system')) {
    turns.unshift({ role: 'system', text: system })
    rest = without
    wording.systemField = true
  }
  if (thoughts === 0) wording.withoutThoughts = true
  nameCalls(turns)
  return {
    conversation: {
      turns: dropEmptySystem(turns),
      tools: tools ?? [],
      rest,
      ...(Object.keys(wording).length > 0 && { wording: { form, ...wording } }),
    },
    form,
  }
}

/** Drop a system part that was written only for the tools and is otherwise empty. */
const dropEmptySystem = (turns: Turn[]) =>
  turns[0]?.role === 'system' && turns[0].text === '' && !turns[0].further ? turns.slice(1) : turns

function readReply(value: string): Extract<Turn, { role: 'assistant' }> {
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

function readResults(value: string): [ToolResult, ...ToolResult[]] {
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
  const [first, ...others] = read
  return first ? [first, ...others] : [{ callId: '', name: '', text: value }]
}

/** Give ids to calls in tags, which have none: those of their results, in order, or counted ones. */
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

/** Write `conversations`. Each reply has its thoughts, even if empty, as readers of this format expect. */
export function writeTagged(
  { turns, tools, rest, wording }: Conversation,
  form: 'sharegpt' | 'hermes',
): Record<string, unknown> {
  const own = wording?.form === form ? wording : undefined
  const [first] = turns
  const system = first?.role === 'system' ? first : undefined
  const text = system?.text ?? ''
  // Another program's description of the tools stays unchanged and is not repeated.
  const isTold = tools.length === 0 || own?.toolsField !== undefined || text.includes('<tools>')
  const told = isTold ? text : [text, sectionFor(tools, form, wording)].filter(Boolean).join('\n\n')
  const isField = told === '' || own?.systemField === true
  const body = (system ? turns.slice(1) : turns).map(turn => partOf(turn, form, own?.withoutThoughts))
  return {
    ...rest,
    ...(own?.toolsField !== undefined && { tools: own.toolsField }),
    ...(own?.systemField && { system: told }),
    conversations: [...(isField ? [] : [{ from: 'system', value: told, ...system?.further }]), ...body],
  }
}

type Part = { from: string; value: string }

function partOf(turn: Turn, form: 'sharegpt' | 'hermes', withoutThoughts = false): Part {
  switch (turn.role) {
    case 'system':
      return { from: 'system', value: turn.text, ...turn.further }
    case 'user':
      return { from: 'human', value: turn.text, ...turn.further }
    case 'assistant': {
      const calls = turn.calls.map(({ name, given }) =>
        tagged('tool_call', JSON.stringify({ name, arguments: given })),
      )
      const thought = withoutThoughts && turn.reasoning === '' ? '' : tagged('think', turn.reasoning)
      const parts = [thought, turn.text, ...calls]
      return { from: 'gpt', value: parts.filter(part => part !== '').join('\n'), ...turn.further }
    }
    case 'tool': {
      const results = turn.results.map(({ callId, name, text }) => {
        const content = form === 'hermes' ? valueOf(text) : text
        return tagged('tool_response', JSON.stringify({ tool_call_id: callId, name, content }))
      })
      return { from: 'tool', value: results.join('\n'), ...turn.results[0]?.further }
    }
  }
}

/** Write a JSON result as a value, as Hermes Agent does, if its text can be restored exactly. */
function valueOf(text: string): unknown {
  const value = /^[[{]/.test(text) ? parseJson(text) : undefined
  return value !== undefined && JSON.stringify(value) === text ? value : text
}
