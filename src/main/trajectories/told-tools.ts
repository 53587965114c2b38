import { parseJson } from '../lib/expected-errors.ts'
import { readTools, type Wording } from './conversation.ts'
import { isRecord } from '../lib/json-fields.ts'

// Our description of the tools in a system part: at its end, between <tools> and </tools>.

const OURS = { before: '## Tools\n<tools>\n', after: '\n</tools>' }
/** A description in words that Hermes models know, similar to but not identical with Hermes Agent's. */
const HERMES = {
  before:
    'You are a function calling AI model. You are provided with function signatures within <tools></tools> XML tags. You may call one or more functions to assist with the user query. Here are the available tools:\n<tools>\n',
  after:
    '\n</tools>\nFor each function call return a JSON object with function name and arguments within <tool_call></tool_call> XML tags as follows:\n<tool_call>\n{"name": <function-name>, "arguments": <args-dict>}\n</tool_call>',
}
/** Beginning and end of the prompt for function calls that Nous Research gave its models. */
const NOUS = { before: 'You are a function calling AI model.', after: '</tool_call>' }

/** A system part without its tools. `told`: the section about the tools, if its words differ from ours. */
type Split = { form: 'sharegpt' | 'hermes'; tools: unknown[]; text: string; told?: string }

/** Split off the tools at the end of a system part if the section has known words; else it stays text. */
export function splitTools(value: string): Split | undefined {
  const ours = sectionIn(value, OURS)
  const tools = ours && toolsOf(ours.section.slice(OURS.before.length, -OURS.after.length))
  if (tools) return { form: 'sharegpt', tools, text: ours.text }
  const hermes = sectionIn(value.trimEnd(), NOUS)
  const list = hermes && listIn(hermes.section)
  if (!list) return undefined
  const split = { form: 'hermes', tools: list, text: hermes.text } as const
  return hermes.section === tellTools(list, 'hermes') ? split : { ...split, told: hermes.section }
}

/** The section of a text that starts at a paragraph and extends to the end. */
function sectionIn(value: string, { before, after }: { before: string; after: string }) {
  const at = value.lastIndexOf(before)
  if (at < 0 || !value.endsWith(after) || (at > 0 && !value.startsWith('\n\n', at - 2))) return undefined
  return { text: value.slice(0, Math.max(0, at - 2)), section: value.slice(at) }
}

/** The list in the first tags that contain tools: the prompt mentions the tags before. */
function listIn(section: string): unknown[] | undefined {
  for (const [, inside = ''] of section.matchAll(/<tools>([^]*?)<\/tools>/g)) {
    const tools = inside.trim() === '' ? undefined : toolsOf(inside)
    if (tools) return tools.map(fromFlat)
  }
  return undefined
}

/** The tools in a text, as one list or with one tool per line. */
function toolsOf(inside: string): Record<string, unknown>[] | undefined {
  const tools = readTools(inside) ?? inside.trim().split('\n').map(parseJson)
  return tools.every(isRecord) ? tools : undefined
}

/** The description of the tools for the end of a system part. */
const tellTools = (tools: readonly unknown[], form: 'sharegpt' | 'hermes'): string =>
  form === 'sharegpt'
    ? `${OURS.before}${tools.map(tool => JSON.stringify(tool)).join('\n')}${OURS.after}`
    : `${HERMES.before}${JSON.stringify(tools.map(toFlat))}${HERMES.after}`

/** A tool in Hermes Agent's list: only the function, and `required: null`. Tools with other fields stay. */
function toFlat(tool: unknown): unknown {
  if (!isRecord(tool) || !isRecord(tool['function'])) return tool
  const { name, description = '', parameters = {}, ...others } = tool['function']
  const isPlain = Object.keys(tool).length === 2 && Object.keys(others).length === 0
  return isPlain && tool['type'] === 'function' ? { name, description, parameters, required: null } : tool
}

/** A tool in the format of OpenAI's API, made from the bare function if necessary. */
export function fromFlat(tool: unknown): unknown {
  if (!isRecord(tool) || typeof tool['name'] !== 'string' || 'function' in tool) return tool
  const { description, parameters, required, ...others } = tool
  return {
    type: 'function',
    function: {
      ...others,
      ...(description !== '' && description !== undefined && { description }),
      ...(isRecord(parameters) && Object.keys(parameters).length > 0 && { parameters }),
      ...(required != null && { required }),
    },
  }
}

/** The section about the tools for a form. A line read in the same form keeps its own words. */
export const sectionFor = (tools: readonly unknown[], form: 'sharegpt' | 'hermes', wording?: Wording) =>
  (wording?.form === form ? wording.toldTools : undefined) ?? tellTools(tools, form)
