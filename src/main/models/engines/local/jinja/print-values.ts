import { Dict, Float, List, Namespace, isTrue, nameType, type Value } from './values.ts'

/** Write a value into a prompt, as Python's `str` does. */
export function printValue(value: Value): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : describeValue(value)
}

/** Write a value as Python writes it inside a list. */
export function describeValue(value: Value): string {
  if (typeof value === 'string') return quoteText(value)
  if (typeof value === 'number') return String(value)
  if (value === undefined) return 'Undefined'
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value instanceof Float) return printFloat(value.value)
  if (value instanceof List) {
    const items = value.items.map(describeValue).join(', ')
    if (!value.isTuple) return `[${items}]`
    // Python writes a comma after the only item of a tuple.
    const isSingle = value.items.length === 1
    return isSingle ? `(${items},)` : `(${items})`
  }
  if (value instanceof Dict)
    return `{${[...value.entries].map(([key, item]) => `${describeValue(key)}: ${describeValue(item)}`).join(', ')}}`
  if (value instanceof Namespace) return `<Namespace ${describeValue(new Dict(new Map(value.values)))}>`
  return '<function>'
}

/** Write a float as Python does. */
export function printFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e16 || size < 1e-4))
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  const text = Object.is(value, -0) ? '-0' : String(value)
  return text.includes('.') ? text : `${text}.0`
}

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }

function quoteText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replaceAll(/[\p{Cc}\u00A0\u00AD\\'"]/gu, char => {
    if (char === '"' || char === "'") return char === quote ? `\\${char}` : char
    return escapes[char] ?? `\\x${(char.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`
  })
  return quote + body + quote
}

/** The layout of JSON. */
export type JsonStyle = {
  indent: string | undefined
  separators: readonly [string, string]
  sortsKeys: boolean
  asciiOnly: boolean
}

/** Write a value as JSON, in the form of Python's `json.dumps`. */
export function writeJson(value: Value, style: JsonStyle, depth = 0): string {
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'string') return writeText(value, style)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Float) return printFloat(value.value)
  const [between, afterKey] = style.separators
  if (value instanceof List)
    return surround(
      '[',
      value.items.map(item => writeJson(item, style, depth + 1)),
      ']',
      { style, depth, between },
    )
  if (!(value instanceof Dict)) throw new Error(`Object of type ${nameType(value)} is not JSON serializable`)
  const entries = [...value.entries].map(([key, item]): [string, Value] => [writeKey(key), item])
  if (style.sortsKeys) entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const lines = entries.map(
    ([key, item]) => writeText(key, style) + afterKey + writeJson(item, style, depth + 1),
  )
  return surround('{', lines, '}', { style, depth, between })
}

function surround(
  open: string,
  parts: readonly string[],
  close: string,
  { style, depth, between }: { style: JsonStyle; depth: number; between: string },
): string {
  if (parts.length === 0 || style.indent === undefined) return open + parts.join(between) + close
  const outer = `\n${style.indent.repeat(depth)}`
  return open + outer + style.indent + parts.join(between + outer + style.indent) + outer + close
}

function writeText(text: string, { asciiOnly }: JsonStyle): string {
  const written = JSON.stringify(text)
  if (!asciiOnly) return written
  return written.replaceAll(
    /[\u007F-\uFFFF]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Write a key of an object, which is always a text in JSON. */
function writeKey(key: Value): string {
  if (typeof key === 'boolean') return isTrue(key) ? 'true' : 'false'
  return key === null ? 'null' : printValue(key)
}
