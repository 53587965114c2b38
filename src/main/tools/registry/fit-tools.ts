import type { ToolSpec } from './registry.ts'

/** Share of the context window that the tools may take in a prompt. */
const SHARE = 0.15

/** How far the descriptions of tools are shortened: not at all, to a sentence, or to what fits one line. */
export type ToolLength = 'whole' | 'short' | 'lines'

/** The steps in which tools are shortened, in order. After the last one whole toolsets are left out. */
const STEPS: readonly ToolLength[] = ['whole', 'short', 'lines']

/** The length of the tools in a prompt, given its key; undefined in a chat from before there were lengths. */
export const lengthIn = (key: string): ToolLength | undefined =>
  STEPS.find(length => key.includes(`,"${length} tools"`))

/** Tokens that the tools may take in a context window of this many tokens. */
export const toolTokenBudget = (contextTokens: number): number => Math.floor(contextTokens * SHARE)

type Options = {
  /** The toolset of each tool, and the order in which toolsets are kept. */
  toolsetOf(tool: string): string
  order: readonly string[]
  /** Tokens of the prompt's part about these tools. */
  count(tools: readonly ToolSpec[]): number
  /** Tokens that this part may take. */
  most: number
}

/** Tools that fit a prompt. `leftOut` names toolsets. */
export type FittedTools = { tools: ToolSpec[]; length: ToolLength; leftOut: string[] }

/**
 * Make the tools fit into their part of the prompt: shorter descriptions, then lines, then only the toolsets that fit, the
 * first ones first.
 */
export function fitTools(
  tools: readonly ToolSpec[],
  { toolsetOf, order, count, most }: Options,
): FittedTools {
  const fits = (some: readonly ToolSpec[]) => some.length === 0 || count(some) <= most
  for (const length of STEPS) {
    const shortened = tools.map(tool => shortenTool(tool, length))
    if (fits(shortened)) return { tools: shortened, length, leftOut: [] }
  }
  const lines = tools.map(tool => shortenTool(tool, 'lines'))
  const toolsets = [...new Set(tools.map(tool => toolsetOf(tool.name)))]
  const kept = new Set<string>()
  const withKept = () => lines.filter(tool => kept.has(toolsetOf(tool.name)))
  for (const toolset of toolsets.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))) {
    kept.add(toolset)
    if (!fits(withKept())) kept.delete(toolset)
  }
  return { tools: withKept(), length: 'lines', leftOut: toolsets.filter(each => !kept.has(each)) }
}

/** A tool with a shorter description. Its name, and what must be given to it, never change. */
export function shortenTool(tool: ToolSpec, length: ToolLength): ToolSpec {
  if (length === 'whole') return tool
  const { name, description, parameters } = tool
  const [sentence = description] = description.split(/(?<=[.!?])\s+(?=\p{Lu})/u)
  if (length === 'short') return { name, description: sentence, parameters: plainSchema(parameters) }
  const [clause] = sentence.split(/[;:(]|[.!?](?=\s|$)/) as [string]
  return { name, description: `${clause.trim()}.`, parameters: flatSchema(plainSchema(parameters)) }
}

type Schema = Record<string, unknown>

/** What only explains or limits a value. The registry checks the limits in any case. */
const EXPLAINS = new Set(
  'description pattern format minLength maxLength minimum maximum minItems maxItems default'.split(' '),
)

/** A schema with names, types and choices alone. */
function plainSchema(schema: Schema): Schema {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'properties') {
      const members = Object.entries(value as Schema).map(([name, each]) => [
        name,
        plainSchema(each as Schema),
      ])
      return [[key, Object.fromEntries(members)]]
    }
    if (EXPLAINS.has(key)) return []
    return [[key, isSchema(value) ? plainSchema(value) : value]]
  })
  return Object.fromEntries(entries)
}

/** A schema without optional lists and objects, which take most of the room and can be replaced by several calls. */
function flatSchema(schema: Schema): Schema {
  const { properties = {}, required = [] } = schema as { properties?: Schema; required?: string[] }
  const kept = Object.entries(properties).filter(([name, each]) => {
    const { type } = each as Schema
    return required.includes(name) || (type !== 'array' && type !== 'object')
  })
  return { ...schema, properties: Object.fromEntries(kept) }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
