import type { ToolSpec } from './registry.ts'

/** Share of the context window that the tools may take in a prompt. */
const SHARE = 0.15

/** How much the descriptions of tools are shortened: not at all, to a sentence, or to one line. */
export type ToolLength = 'whole' | 'short' | 'lines'

/** The lengths to try, in order. After the last one, whole toolsets are left out. */
const STEPS: readonly ToolLength[] = ['whole', 'short', 'lines']

/** The length of descriptions in a prompt, from its key; undefined for chats older than this feature. */
export const lengthIn = (key: string): ToolLength | undefined =>
  STEPS.find(length => key.includes(`,"${length} tools"`))

/** How many tokens the tools may take in a context window of this size. */
export const toolTokenBudget = (contextTokens: number): number => Math.floor(contextTokens * SHARE)

type Options = {
  /** The toolset of each tool, and the order in which toolsets are kept. */
  toolsetOf(tool: string): string
  order: readonly string[]
  /** Count the tokens of the prompt's section about these tools. */
  count(tools: readonly ToolSpec[]): number
  /** Maximum number of tokens for that section. */
  most: number
}

/** The tools that fit a prompt. `leftOut` names toolsets. */
export type FittedTools = { tools: ToolSpec[]; length: ToolLength; leftOut: string[] }

/**
 * Make the tools fit their share of the prompt: first shorter descriptions, then single lines, then only as
 * many toolsets as fit, in order.
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

/** Shorten the description of a tool. Its name and its required arguments never change. */
export function shortenTool(tool: ToolSpec, length: ToolLength): ToolSpec {
  if (length === 'whole') return tool
  const { name, description, parameters } = tool
  const [sentence = description] = description.split(/(?<=[.!?])\s+(?=\p{Lu})/u)
  if (length === 'short') return { name, description: sentence, parameters: plainSchema(parameters) }
  const [clause] = sentence.split(/[;:(]|[.!?](?=\s|$)/) as [string]
  return { name, description: `${clause.trim()}.`, parameters: flatSchema(plainSchema(parameters)) }
}

type Schema = Record<string, unknown>

/** Keywords that only explain or limit a value. The registry checks the limits in any case. */
const EXPLAINS = new Set(
  'description pattern format minLength maxLength minimum maximum minItems maxItems default'.split(' '),
)

/** Reduce a schema to names, types and choices. */
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

/** Drop optional lists and objects, which take most of the space and can be replaced by several calls. */
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
