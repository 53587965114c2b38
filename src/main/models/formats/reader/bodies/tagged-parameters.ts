import { LESS } from '../characters.ts'
import { coerceText } from './coerce.ts'
import type { Context } from '../context.ts'
import { readElement, seesElement } from './elements.ts'
import { END, type Reading, skipSpace } from '../input.ts'
import type { Written } from '../judge.ts'
import { beginsMarker, type Marker, readMarker } from '../markers.ts'
import { type Schema, setOwn, type Tool } from '../tools.ts'
import { Trouble } from '../trouble.ts'
import type { Role } from '../wrappers.ts'

/**
 * Read parameters written as tagged text, up to what closes the call: `<parameter=k>v</parameter>` and its relatives,
 * or `<arg_key>k</arg_key><arg_value>v</arg_value>`. Values are typed by the schema of the tool. `isVerbatim` keeps the
 * line feeds around a value.
 */
export function* readTaggedParameters(
  context: Context,
  name: string,
  isVerbatim: boolean,
): Reading<Written & { arguments: Record<string, unknown> | Trouble }> {
  const { input } = context
  const tool = context.tools.find(name)
  const given: Record<string, unknown> = {}
  const failed = (reason: string, kind: Trouble['kind'] = 'other') => ({
    name,
    arguments: new Trouble(reason, kind),
  })
  for (;;) {
    yield* skipSpace(input)
    if (input.code() === END)
      return Object.keys(given).length > 0
        ? { name, arguments: given, closedAtEnd: true }
        : failed('it was cut off', 'cut')
    if (yield* seesElement(input)) {
      const element = yield* readElement(input, key => tool?.properties[key])
      if (element instanceof Trouble) return { name, arguments: element }
      setOwn(given, ...element)
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
    if (key instanceof Trouble) return { name, arguments: key }
    const text = yield* readValueText(context, tool, given)
    if (text instanceof Trouble) return { name, arguments: text }
    const value = typed(trimmed(text, marker, isVerbatim), tool?.properties[key], marker)
    if (value instanceof Trouble) return failed(`"${key}" cannot be read: ${value.reason}`)
    setOwn(given, key, value)
  }
}

const CLOSING = new Set<Role>(['close', 'open', 'named', 'stop', 'raw'])
const ENDING = new Set<Role>(['close', 'unnamed', 'stop'])
const AFTER_VALUE = new Set<Role>([...CLOSING, 'parameter', 'key', 'unnamed'])

/** Between `<arg_key>` and the text of the value. */
function* readKey({ input }: Context): Reading<string | Trouble> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return new Trouble('it was cut off', 'cut')
    if (code === LESS) break
    input.at++
  }
  const key = input.slice(from).trim()
  for (const role of ['unkey', 'value']) {
    yield* skipSpace(input)
    const marker = yield* readMarker(input)
    if (marker?.role === role) input.at += marker.length
    else if (input.code() === END) return new Trouble('it was cut off', 'cut')
    else if (role === 'value') return new Trouble(`"${key.slice(0, 40)}" has no value`)
  }
  return key
}

/**
 * Read a value up to its closing tag. Such a tag may also occur in the text, so it counts only where the call goes on,
 * or ends, behind it; one that is missing is made up for by the next parameter or by the end of the call.
 */
function* readValueText(
  context: Context,
  tool: Tool | undefined,
  given: Record<string, unknown>,
): Reading<string | Trouble> {
  const { input } = context
  const from = input.at
  // The last closing tag that text followed, in case nothing better comes.
  let closed: { from: number; to: number } | undefined
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) {
      if (!closed) return new Trouble('a value was cut off', 'cut')
      input.at = closed.to
      return input.slice(from, closed.from)
    }
    const marker = beginsMarker(code) ? yield* readMarker(input) : undefined
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
 * Whether a marker inside a value shows that the tag which should have closed the value is missing. Marks that close the
 * call do so only at the end of the message: a value that quotes a call must never start one.
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

/** Qwen puts every value on lines of its own; elsewhere a line feed belongs to the text unless there is one at both ends. */
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

/** DeepSeek and Kimi K3 mark text as such. */
function typed(text: string, schema: Schema | undefined, { attributes }: Marker): unknown {
  const isText = attributes['string'] === 'true' || attributes['type'] === 'string'
  return isText ? text : coerceText(text, schema)
}
