import {
  LEFT_BRACE,
  LEFT_BRACKET,
  type Context,
  END,
  type Reading,
  textComesNext,
  skipSpace,
  Unreadable,
} from '../input.ts'
import { coerceBareText } from './coerce-text.ts'
import { seesElement, readTaggedParameters } from './tagged-parameters.ts'
import type { WrittenCall } from '../check-call.ts'
import { readMarker } from '../markers.ts'
import { isObject, namesOf } from '../known-tools.ts'
import { readValue, type ValueOptions } from './read-value.ts'
import { readName } from './lexemes.ts'

/**
 * Read the arguments after the name of a tool: a JSON object, a Gemma object, tagged parameters, or none. 'skip' if
 * the word is not a name but belongs to a call, 'junk' if it is neither but a list of calls follows; undefined if it
 * is an ordinary word.
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
