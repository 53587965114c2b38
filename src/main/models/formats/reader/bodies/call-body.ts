import {
  LEFT_BRACE,
  LEFT_BRACKET,
  type Context,
  END,
  type Reading,
  textComesNext,
  skipSpace,
  Unreadable,
} from '../reader-input.ts'
import { coerceBareText, parseValue } from './coerce-text.ts'
import { seesElement, readTaggedParameters } from './tagged-parameters.ts'
import type { WrittenCall } from '../check-call.ts'
import { readMarker } from '../markers.ts'
import { isObject, namesOf, type KnownTools, type Tool } from '../known-tools.ts'
import { readValue, type ValueOptions } from './read-value.ts'
import { readName } from './lexemes.ts'

/**
 * Read the arguments after the name of a tool: a JSON object, a Gemma object, tagged parameters, or none.
 * 'skip' if the word is not a name but belongs to a call, 'junk' if it is neither but a list of calls
 * follows; undefined if it is an ordinary word.
 */
export function* readCallBody(
  context: Context,
  name: string,
  { isGemma, isVerbatim }: { isGemma: boolean; isVerbatim: boolean },
): Reading<WrittenCall | 'skip' | 'junk' | undefined> {
  const { input } = context
  const tool = context.tools.find(name)
  for (;;) {
    yield* skipSpace(input)
    const code = input.code()
    if (code === LEFT_BRACE) return yield* readArguments(context, name, isGemma)
    if (yield* textComesNext(input, '```')) {
      input.at += 3
      yield* readName(input)
      continue
    }
    if (code === END) return tool ? { name, arguments: new Unreadable('', 'cut') } : undefined
    if (yield* seesElement(input)) return yield* readTaggedParameters(context, name, isVerbatim)
    const marker = yield* readMarker(input)
    switch (marker?.role) {
      case 'parameter':
      case 'key':
        return yield* readTaggedParameters(context, name, isVerbatim)
      case 'joint':
      case 'frame':
        input.at += marker.length
        if (marker.mark === '[CALL_ID]') yield* readName(input)
        // DeepSeek writes `function` first, and the name of the function after the joint.
        if (name === 'function' && !tool) return 'skip'
        // Solar Open writes an id first.
        if (marker.mark === '<|tool_call:name|>') return 'skip'
        continue
      case 'named':
        if (marker.name === name) return 'skip'
        return tool ? empty(context, name) : undefined
      case 'unnamed':
        input.at += marker.length
        return empty(context, name)
      case 'close':
      case 'open':
      case 'stop':
        return empty(context, name)
      default:
        return !marker && !tool && code === LEFT_BRACKET ? 'junk' : undefined
    }
  }
}

function* readArguments({ input, tools }: Context, name: string, gemma: boolean): Reading<WrittenCall> {
  const options: ValueOptions = { gemma }
  const value = yield* readValue(input, options)
  if (value instanceof Unreadable) return { name, arguments: value }
  const tool = tools.find(name)
  const given = gemma ? coerceBareText(value, { properties: tool?.properties }) : value
  const { closedAtEnd } = options
  // Some models repeat the whole call inside the tag that already names it.
  const inner =
    isObject(given) && tool && !Object.hasOwn(tool.properties, 'arguments') ? given['arguments'] : undefined
  return { name, arguments: isObject(inner) ? inner : given, closedAtEnd }
}

function empty({ tools }: Context, name: string): WrittenCall {
  const tool = tools.find(name)
  const isMissing = tool !== undefined && tool.required.length > 0
  return { name, arguments: isMissing ? new Unreadable(`give it ${namesOf(tool)}`) : {} }
}

const NAME_KEYS = ['name', 'tool_name', 'tool', 'function', 'action', 'function_name']
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'action_input', 'tool_input', 'params']
const OTHER_KEYS = [
  'type',
  'id',
  'tool_call_id',
  'call_id',
  'index',
  'tool_calls',
  'tool_call',
  'function_call',
]
const KEYS = new Set([...NAME_KEYS, ...ARGUMENT_KEYS, ...OTHER_KEYS])
const TYPES = ['function', 'tool_call', 'function_call', 'tool_use', 'tool']

/**
 * Read one JSON object that should be a call, or a list of calls under `tool_calls`. Unless `isMarked`, gives
 * up at the first key or name that no call has, so that an ordinary JSON answer is hardly held back.
 */
export function* readCallObject(
  { input, tools }: Context,
  isMarked: boolean,
): Reading<WrittenCall[] | Unreadable> {
  const options: ValueOptions = isMarked ? {} : { watch: watchFor(tools) }
  const value = yield* readValue(input, options)
  if (value instanceof Unreadable) return value
  return shapeCalls(value, tools, isMarked).map(written => ({ ...written, closedAtEnd: options.closedAtEnd }))
}

function watchFor(tools: KnownTools): NonNullable<ValueOptions['watch']> {
  let tool: Tool | undefined
  return (key, value) => {
    if (tool !== undefined) return true
    if (value === undefined) {
      tool = KEYS.has(key) ? undefined : tools.find(key)
      return KEYS.has(key) || tool !== undefined
    }
    if (key === 'type') return typeof value !== 'string' || TYPES.includes(value)
    if (!NAME_KEYS.includes(key)) return true
    if (typeof value === 'string') tool = tools.find(value)
    return tool !== undefined || (key === 'function' && isObject(value))
  }
}

/** Find name and arguments under the keys that models use for them. */
function shapeCalls(value: unknown, tools: KnownTools, isMarked: boolean): WrittenCall[] {
  if (Array.isArray(value)) return value.flatMap(item => shapeCalls(item, tools, isMarked))
  if (!isObject(value)) return [{ name: undefined, arguments: new Unreadable('it is not an object') }]
  if (Array.isArray(value['tool_calls'])) return shapeCalls(value['tool_calls'], tools, isMarked)
  const inner = [value['function'], value['function_call'], value['tool_call']].find(isObject)
  return [shapeCall(inner ? { ...value, function: undefined, ...inner } : value, tools, isMarked)]
}

function shapeCall(value: Record<string, unknown>, tools: KnownTools, isMarked: boolean): WrittenCall {
  const names = NAME_KEYS.map(key => value[key]).filter(name => typeof name === 'string')
  const known = new Set(names.map(name => tools.find(name)).filter(tool => tool !== undefined))
  if (known.size > 1)
    return { name: undefined, arguments: new Unreadable(`it names ${known.size} tools at once`) }
  const [tool] = known
  if (!tool)
    return names[0] === undefined ? nameAsKey(value, tools, isMarked) : { name: names[0], arguments: {} }
  return { name: tool.name, arguments: argumentsOf(value, tool, isMarked) }
}

/** `{"read_file": {"path": "…"}}`. Without a mark around it, the arguments must fit the tool as well. */
function nameAsKey(value: Record<string, unknown>, tools: KnownTools, isMarked: boolean): WrittenCall {
  const [entry, ...others] = Object.entries(value)
  const missing = { name: undefined, arguments: new Unreadable('it names no tool') }
  if (!entry || others.length > 0 || !isObject(entry[1])) return missing
  const [name, given] = entry
  const tool = tools.find(name)
  if (KEYS.has(name) && !(isMarked && tool)) return missing
  if (!isMarked && !(tool && fitsKeys(given, tool))) return missing
  return { name, arguments: given }
}

function argumentsOf(value: Record<string, unknown>, tool: Tool, isMarked: boolean): unknown {
  const key = ARGUMENT_KEYS.find(each => value[each] !== undefined)
  const given = key === undefined ? undefined : value[key]
  // A definition has a description and `parameters`; a call with an explanation has `arguments`.
  if ('description' in value && key !== 'arguments') return new Unreadable('it is a definition, not a call')
  if (isObject(given)) return given
  const flat = Object.entries(value).filter(
    ([name]) => !NAME_KEYS.includes(name) && !OTHER_KEYS.includes(name),
  )
  if (flat.length > 0 && fitsKeys(Object.fromEntries(flat), tool)) return Object.fromEntries(flat)
  if (typeof given === 'string' && given.trim() !== '') return parseValue(given)
  if (given !== undefined && given !== null && given !== '') return given
  if ((isMarked || key !== undefined) && tool.required.length === 0) return {}
  return new Unreadable(`it has no arguments; give it ${namesOf(tool)}`)
}

/** Whether every given key is a parameter of the tool. */
function fitsKeys(given: Record<string, unknown>, tool: Tool): boolean {
  return Object.keys(given).every(key => Object.hasOwn(tool.properties, key))
}
