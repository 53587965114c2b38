import {
  LESS,
  type Context,
  END,
  type Reading,
  skipSpace,
  Unreadable,
  GREATER,
  RIGHT_BRACKET,
  type Input,
  textComesNext,
} from '../reader-input.ts'
import { coerceText } from './coerce-text.ts'
import type { WrittenCall } from '../check-call.ts'
import { beginsMarker, type Marker, readMarker, type Role } from '../markers.ts'
import { type Schema, setOwnKey, type Tool, isObject } from '../known-tools.ts'
import { readName } from './lexemes.ts'

/**
 * Read parameters written as tagged text, up to the end of the call: `<parameter=k>v</parameter>` and its
 * variants, or `<arg_key>k</arg_key><arg_value>v</arg_value>`. The schema of the tool determines the types of
 * values. `isVerbatim` keeps the line feeds around a value.
 */
export function* readTaggedParameters(
  context: Context,
  name: string,
  isVerbatim: boolean,
): Reading<WrittenCall & { arguments: Record<string, unknown> | Unreadable }> {
  const { input } = context
  const tool = context.tools.find(name)
  const given: Record<string, unknown> = {}
  const failed = (reason: string, kind: Unreadable['kind'] = 'other') => ({
    name,
    arguments: new Unreadable(reason, kind),
  })
  for (;;) {
    yield* skipSpace(input)
    if (input.code() === END)
      return Object.keys(given).length > 0
        ? { name, arguments: given, closedAtEnd: true }
        : failed('it was cut off', 'cut')
    if (yield* seesElement(input)) {
      const element = yield* readElement(input, key => tool?.properties[key])
      if (element instanceof Unreadable) return { name, arguments: element }
      setOwnKey(given, ...element)
      continue
    }
    const marker = yield* readMarker(input)
    if (marker?.role === 'unnamed') {
      input.at += marker.length
      return { name, arguments: given }
    }
    if (marker && CLOSING.has(marker.role)) return { name, arguments: given }
    if (marker?.role !== 'parameter' && marker?.role !== 'key')
      return failed('there is text between its parameters')
    input.at += marker.length
    const key = marker.role === 'key' ? yield* readKey(context) : marker.name
    if (key instanceof Unreadable) return { name, arguments: key }
    const text = yield* readValueText(context, tool, given)
    if (text instanceof Unreadable) return { name, arguments: text }
    const value = typed(trimmed(text, marker, isVerbatim), tool?.properties[key], marker)
    if (value instanceof Unreadable) return failed(`"${key}" cannot be read: ${value.reason}`)
    setOwnKey(given, key, value)
  }
}

const CLOSING = new Set<Role>(['close', 'open', 'named', 'stop', 'raw'])
const ENDING = new Set<Role>(['close', 'unnamed', 'stop'])
const AFTER_VALUE = new Set<Role>([...CLOSING, 'parameter', 'key', 'unnamed'])

/** Read the text between `<arg_key>` and the value. */
function* readKey({ input }: Context): Reading<string | Unreadable> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return new Unreadable('it was cut off', 'cut')
    if (code === LESS) break
    input.at++
  }
  const key = input.slice(from).trim()
  for (const role of ['unkey', 'value']) {
    yield* skipSpace(input)
    const marker = yield* readMarker(input)
    if (marker?.role === role) input.at += marker.length
    else if (input.code() === END) return new Unreadable('it was cut off', 'cut')
    else if (role === 'value') return new Unreadable(`"${key.slice(0, 40)}" has no value`)
  }
  return key
}

/**
 * Read a value up to its closing tag. The tag may also occur in the text, so it counts only if the call
 * continues or ends after it. If it is missing, the next parameter or the end of the call ends the value.
 */
function* readValueText(
  context: Context,
  tool: Tool | undefined,
  given: Record<string, unknown>,
): Reading<string | Unreadable> {
  const { input } = context
  const from = input.at
  // The last closing tag that is followed by text, in case no better one is found.
  let closed: { from: number; to: number } | undefined
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) {
      if (!closed) return new Unreadable('a value was cut off', 'cut')
      input.at = closed.to
      return input.slice(from, closed.from)
    }
    const marker = beginsMarker(code, input) ? yield* readMarker(input) : undefined
    if (!marker) {
      input.at++
      continue
    }
    const here = input.at
    if (marker.role === 'unparameter' || marker.role === 'unvalue') {
      input.at += marker.length
      const after = input.at
      if (yield* goesOn(context)) {
        input.at = after
        return input.slice(from, here)
      }
      input.at = after
      closed = { from: here, to: after }
    } else if (yield* endsWithoutTag(context, marker, tool, given)) {
      input.at = here
      return input.slice(from, closed?.from ?? here).replace(/\n$/, '')
    } else {
      input.at = here + marker.length
    }
  }
}

/**
 * Whether a marker inside a value shows that the closing tag of the value is missing. Marks that close the
 * call count only at the end of the message: a value that quotes a call must never start a call.
 */
function* endsWithoutTag(
  context: Context,
  marker: Marker,
  tool: Tool | undefined,
  given: Record<string, unknown>,
): Reading<boolean> {
  const { input } = context
  if (marker.role === 'key') return true
  if (marker.role === 'parameter')
    return (
      tool !== undefined && Object.hasOwn(tool.properties, marker.name) && !Object.hasOwn(given, marker.name)
    )
  let next: Marker | undefined = marker
  for (let count = 0; next && ENDING.has(next.role) && count < 5; count++) {
    input.at += next.length
    yield* skipSpace(input)
    if (input.code() === END) return true
    next = yield* readMarker(input)
  }
  return false
}

function* goesOn({ input }: Context): Reading<boolean> {
  yield* skipSpace(input)
  if (input.code() === END) return true
  const marker = yield* readMarker(input)
  return marker !== undefined && AFTER_VALUE.has(marker.role)
}

/** Qwen puts values on their own lines. Elsewhere a line feed is text, unless both ends have one. */
function trimmed(text: string, marker: Marker, isVerbatim: boolean): string {
  const data = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(text)
  if (data) return data[1]!
  if (isVerbatim) return text
  const [first, last] = [text.startsWith('\n'), text.endsWith('\n') && text !== '\n']
  const both = first && last
  return text.slice(
    first && (both || marker.hasEquals) ? 1 : 0,
    last && (both || marker.hasEquals) ? -1 : undefined,
  )
}

/** DeepSeek and Kimi K3 mark strings explicitly. */
function typed(text: string, schema: Schema | undefined, { attributes }: Marker): unknown {
  const isText = attributes['string'] === 'true' || attributes['type'] === 'string'
  return isText ? text : coerceText(text, schema)
}

/** MiniMax M3 puts this before every tag, so that its tags cannot occur in the text of a value. */
const MARK = ']<]minimax[>['
const DEEPEST = 50

/** Whether an element comes next, and not the closing tag of its parent. */
export function* seesElement(input: Input): Reading<boolean> {
  return (yield* textComesNext(input, `${MARK}<`)) && !(yield* textComesNext(input, `${MARK}</`))
}

/** Read a parameter written as an element with its name: `<key>value</key>`, with text or nested elements. */
function* readElement(
  input: Input,
  schemaOf: (name: string) => Schema | undefined,
  depth = 0,
): Reading<[string, unknown] | Unreadable> {
  if (depth > DEEPEST) return new Unreadable('it is nested too deeply')
  input.at += MARK.length + 1
  const name = yield* readName(input)
  if (name === '' || input.code() !== GREATER) return new Unreadable('a tag has no name')
  input.at++
  const value = yield* readContent(input, schemaOf(name), depth)
  if (value instanceof Unreadable) return value
  const close = `${MARK}</${name}>`
  if (!(yield* textComesNext(input, close)))
    return new Unreadable(`<${name}> is not closed`, input.code() === END ? 'cut' : 'other')
  input.at += close.length
  return [name, value]
}

function* readContent(input: Input, schema: Schema | undefined, depth: number): Reading<unknown> {
  const from = input.at
  yield* skipSpace(input)
  if (!(yield* seesElement(input))) {
    input.at = from
    const text = yield* readText(input)
    return text instanceof Unreadable ? text : coerceText(text, schema)
  }
  const isList = schema?.['type'] === 'array'
  const inner = schema?.[isList ? 'items' : 'properties']
  const schemaOf = (name: string) => {
    const own = isList || !isObject(inner) ? inner : inner[name]
    return isObject(own) ? own : undefined
  }
  const list: unknown[] = []
  let areItems = schema === undefined
  const object: Record<string, unknown> = {}
  while (yield* seesElement(input)) {
    const element = yield* readElement(input, schemaOf, depth + 1)
    if (element instanceof Unreadable) return element
    setOwnKey(object, ...element)
    areItems &&= element[0] === 'item'
    list.push(element[1])
    yield* skipSpace(input)
  }
  // Without a schema, a repeated name indicates a list, and so does the name of its items.
  return isList || areItems || list.length > Object.keys(object).length ? list : object
}

function* readText(input: Input): Reading<string | Unreadable> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return new Unreadable('a value was cut off', 'cut')
    if (code === RIGHT_BRACKET && (yield* textComesNext(input, MARK))) return input.slice(from)
    input.at++
  }
}
