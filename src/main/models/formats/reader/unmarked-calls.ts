import {
  BACKTICK,
  COMMA,
  CR,
  LEFT_BRACE,
  LEFT_PAREN,
  LESS,
  LF,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  type Context,
  END,
  type Reading,
  skipBlanks,
  skipSpace,
  textComesNext,
  skipText,
  Unreadable,
} from './reader-input.ts'
import { readCallBody, readCallObject } from './bodies/call-body.ts'
import { type Call, checkCall, type WrittenCall } from './check-call.ts'
import { readPythonCall, readPythonList } from './bodies/code-calls.ts'
import { readKnownName } from './bodies/lexemes.ts'

/**
 * Read possible calls without a mark: an object, or a list of objects or of Python calls. Gives up with
 * undefined as soon as the text cannot be a call of a known tool; the input position is then undefined too.
 */
export function* readUnmarkedCalls(context: Context): Reading<Call[] | undefined> {
  const { input } = context
  const from = input.at
  const isObject = input.code() === LEFT_BRACE
  const written = isObject ? yield* readCallObject(context, false) : yield* readUnmarkedList(context)
  if (written instanceof Unreadable) return undefined
  while (input.empty) yield
  // Skip an extra closing brace. A parenthesis is the target of a Markdown link, so there is no call.
  if (isObject && input.code() === RIGHT_BRACE) input.at++
  else if (!isObject && input.code() === LEFT_PAREN) return undefined
  return allValidCalls(context, written, from)
}

function* readUnmarkedList(context: Context): Reading<WrittenCall[] | Unreadable> {
  const { input } = context
  const from = input.at
  const list: WrittenCall[] = []
  input.at++
  yield* skipSpace(input)
  if (input.code() !== LEFT_BRACE) {
    input.at = from
    return yield* readPythonList(context, false)
  }
  while (input.code() === LEFT_BRACE) {
    const object = yield* readCallObject(context, false)
    if (object instanceof Unreadable) return object
    for (const written of object) list.push(written)
    yield* skipSpace(input)
    if (input.code() === COMMA) input.at++
    yield* skipSpace(input)
  }
  if (input.code() === RIGHT_BRACKET) input.at++
  else if (input.code() === END) list.forEach(written => (written.closedAtEnd = true))
  else return new Unreadable('it is not a list of calls')
  return list
}

/** Characters that may follow a call on its own line: the end, a line end, markup, or the end of a fence. */
const LINE_ENDS = new Set([END, LF, CR, LESS, BACKTICK])

/**
 * Read calls on their own line: `call:name{…}` as written by Gemma models without their mark, or, if
 * `isPython`, `name(key=value)`. Undefined if the line is anything else.
 */
export function* readCallLine(context: Context, isPython: boolean): Reading<Call[] | undefined> {
  const { input, tools } = context
  const from = input.at
  const list: WrittenCall[] = []
  do {
    const isGemma = yield* skipText(input, 'call:')
    if (!isGemma && !isPython) return undefined
    if (isGemma) yield* skipBlanks(input)
    const name = yield* readKnownName(input, tools.mayBecome)
    if (name === undefined || !tools.find(name)) return undefined
    const hasParens = input.code() === LEFT_PAREN
    if (!hasParens && !(isGemma && input.code() === LEFT_BRACE)) return undefined
    const written = hasParens
      ? yield* readPythonCall(context, name, false)
      : yield* readCallBody(context, name, { isGemma, isVerbatim: false })
    if (typeof written !== 'object') return undefined
    list.push(written)
    yield* skipBlanks(input)
  } while (yield* textComesNext(input, 'call:'))
  if (!LINE_ENDS.has(input.code())) return undefined
  return allValidCalls(context, list, from)
}

/** Return the list as calls; undefined if any of them is not a valid call. */
export function allValidCalls(
  context: Context,
  list: readonly WrittenCall[],
  from: number,
): Call[] | undefined {
  const raw = context.input.slice(from)
  const calls = list.map(written => checkCall(written, context, raw)).filter(call => call.type === 'call')
  return calls.length === list.length && calls.length > 0 ? calls : undefined
}
