import {
  BACKTICK,
  CR,
  LEFT_BRACE,
  LEFT_BRACKET,
  LF,
  type Context,
  END,
  type Reading,
  skipBlanks,
  skipSpace,
  skipText,
  Unreadable,
} from './reader-input.ts'
import { parseValue } from './bodies/coerce-text.ts'
import { readCallBody } from './bodies/call-body.ts'
import { countTicks } from './read-fences.ts'
import { type OnCall, checkCall, type WrittenCall } from './check-call.ts'
import { isObject } from './known-tools.ts'
import { readName } from './bodies/lexemes.ts'

/**
 * Read `Action: name` and `Action Input: …` on the next line, the ReAct notation. Returns 'list' if a list of
 * calls follows `Action:` instead, as with Command R; undefined if it is neither.
 */
export function* readAction(context: Context, found: OnCall): Reading<'call' | 'list' | undefined> {
  const { input } = context
  const from = input.at
  if (!(yield* skipText(input, 'Action:'))) return undefined
  yield* skipSpace(input)
  if (input.code() === BACKTICK || input.code() === LEFT_BRACKET || input.code() === LEFT_BRACE) return 'list'
  const name = yield* readName(input)
  yield* skipBlanks(input)
  if (name === '' || (input.code() !== LF && input.code() !== CR)) return undefined
  yield* skipSpace(input)
  if (!(yield* skipText(input, 'Action Input:'))) return undefined
  yield* skipBlanks(input)
  const written = yield* readInput(context, name)
  found(checkCall(written, context, input.slice(from)))
  return 'call'
}

function* readInput(context: Context, name: string): Reading<WrittenCall> {
  const { input, tools } = context
  const start = input.at
  yield* skipSpace(input)
  if (input.code() === LEFT_BRACE || input.code() === BACKTICK) {
    const body = yield* readCallBody(context, name, { isGemma: false, isVerbatim: false })
    if (typeof body === 'object') {
      const behind = input.at
      yield* skipSpace(input)
      if ((yield* countTicks(context)) < 3) input.at = behind
      if (body.arguments instanceof Unreadable) yield* skipToLineEnd(context)
      return body
    }
  }
  input.at = start
  yield* skipToLineEnd(context)
  const text = input.slice(start).trim()
  const tool = tools.find(name)
  const value = parseValue(text)
  if (!(value instanceof Unreadable) && isObject(value)) return { name, arguments: value }
  const isNothing = text === '' || value === null
  if (isNothing) return { name, arguments: tool?.required.length ? new Unreadable('they are missing') : {} }
  // LangChain's convention: a tool with a single required string takes it bare.
  const [only, ...others] = tool?.required ?? []
  const isText = only !== undefined && tool?.properties[only]?.['type'] === 'string'
  if (others.length > 0 || !isText || (context.truncated && input.code() === END))
    return { name, arguments: new Unreadable('they are not one JSON object') }
  return { name, arguments: { [only]: typeof value === 'string' ? value : text } }
}

function* skipToLineEnd({ input }: Context): Reading<void> {
  for (;;) {
    while (input.empty) yield
    if (input.code() === END || input.code() === LF) return
    input.at++
  }
}
