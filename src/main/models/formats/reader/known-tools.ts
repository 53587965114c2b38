/** The part of a JSON Schema that describes one value. */
export type Schema = Record<string, unknown>

/** The part of a tool that the reader needs; `parameters` is a JSON Schema of an object. */
export type ToolShape = { name: string; parameters: object }

/** The existing tools. Nothing else is ever called. */
export type KnownTools = {
  names: readonly string[]
  /**
   * The tool that a written name refers to: `functions.x`, `x:0`, `x.call` and `x<|channel|>commentary` all
   * mean `x`, unless a tool has exactly that name.
   */
  find(written: string): Tool | undefined
  /** Whether more letters could turn these into the name of a tool. */
  mayBecome: (letters: string) => boolean
}

/** One tool with its parsed schema. */
export type Tool = {
  name: string
  properties: Record<string, Schema>
  required: readonly string[]
}

const PREFIX = /^(functions?|tools?|default_api)\./
const SUFFIX = /(:\d+|\.call|\(\))$/

/** Index the tools by name. */
export function indexTools(shapes: readonly ToolShape[]): KnownTools {
  const tools = new Map(shapes.map(shape => [shape.name, takeApart(shape)]))
  const names = [...tools.keys()]
  return {
    names,
    find(written) {
      const exact = tools.get(written.trim())
      if (exact) return exact
      const name = bareName(written)
      const plain = name.replace(SUFFIX, '')
      for (const candidate of [name, plain, name.replace(PREFIX, ''), plain.replace(PREFIX, '')]) {
        const tool = tools.get(candidate)
        if (tool) return tool
      }
      return undefined
    },
    mayBecome: letters => names.some(name => name.startsWith(letters)),
  }
}

/** Characters that may surround a name: quotes, and punctuation of a call. */
const BEFORE = /^["'`([{\s]+/
const BEHIND = /(?<!["'`)\]}({:,;\s])["'`)\]}({:,;\s]+$/

/**
 * Remove remains of the model's own marks from a written name, which a server's parser left there, such as
 * `<|channel|>commentary` after it or `to=` before it. If nothing would be left, the name stays.
 */
export function bareName(written: string): string {
  const addressed = /(?:^|[\s>])to=([^\s<]+)/.exec(written)?.[1] ?? written
  const from = /^\s*(?:<\|[^|<>]*\|>\s*)*/.exec(addressed)?.[0].length ?? 0
  const rest = addressed.slice(from)
  const mark = rest.search(/<[|/｜]|<(?:tool|function|channel|message|constrain)\w*>/i)
  const bare = (mark < 0 ? rest : rest.slice(0, mark)).replace(BEFORE, '').replace(BEHIND, '')
  return bare === '' ? written.trim() : bare
}

function takeApart({ name, parameters }: ToolShape): Tool {
  const { properties, required } = parameters as { properties?: unknown; required?: unknown }
  return {
    name,
    properties: isObject(properties) ? (properties as Record<string, Schema>) : {},
    required: Array.isArray(required) ? required.filter(each => typeof each === 'string') : [],
  }
}

/** The parameter names, for a message to the model about what it should have written. */
export function namesOf(tool: Tool): string {
  return Object.keys(tool.properties).join(', ')
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Set a key as an own property; plain assignment to `__proto__` would set the prototype instead. */
export function setOwnKey(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}
