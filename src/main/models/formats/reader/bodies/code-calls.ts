import {
  GREATER,
  LEFT_BRACE,
  LEFT_BRACKET,
  rewindInput,
  END,
  textComesNext,
  skipSpace,
  Unreadable,
  BACKTICK,
  COMMA,
  EQUALS,
  LEFT_PAREN,
  LESS,
  RIGHT_BRACKET,
  RIGHT_PAREN,
  type Context,
  type Reading,
} from '../reader-input.ts'
import { checkCall, type OnCall, type WrittenCall } from '../check-call.ts'
import { beginsMarker, readMarker } from '../markers.ts'
import { isObject, setOwnKey, type Tool } from '../known-tools.ts'
import { readName, isQuote, readString, skipComments, readKnownName } from './lexemes.ts'
import { readValue } from './read-value.ts'

/** Characters that end a call even if its parenthesis was not closed: `)`, `]`, markup, a fence, the end. */
const CLOSERS = new Set([RIGHT_PAREN, RIGHT_BRACKET, LESS, BACKTICK, END])

/**
 * Read the parenthesis of `name(…)`: keywords, or one object, or, when `isMarked`, values in the order of the
 * tool's parameters. `print(name(…))` is read as the call inside it.
 */
export function* readPythonCall(context: Context, name: string, isMarked: boolean): Reading<WrittenCall> {
  const { input, tools } = context
  const tool = tools.find(name)
  const options: { closedAtEnd?: boolean } = {}
  const given: Record<string, unknown> = {}
  const values: unknown[] = []
  const failed = (trouble: Unreadable): WrittenCall => ({ name, arguments: trouble })
  input.at++
  yield* skipComments(input)
  if (name === 'print' && !tool) {
    const printed = yield* readName(input)
    if (input.code() !== LEFT_PAREN || printed === 'print')
      return failed(new Unreadable('it prints something else than a call'))
    const written = yield* readPythonCall(context, printed, isMarked)
    yield* skipSpace(input)
    if (input.code() === RIGHT_PAREN) input.at++
    return written
  }
  for (;;) {
    yield* skipComments(input)
    const code = input.code()
    if (code === RIGHT_PAREN) {
      input.at++
      break
    }
    if (CLOSERS.has(code)) {
      if (code === END) options.closedAtEnd = true
      break
    }
    const keyword = yield* readKeyword(context)
    const value = yield* readPythonValue(context, options)
    if (value instanceof Unreadable) return failed(value)
    if (keyword === undefined) values.push(value)
    else setOwnKey(given, keyword, value)
    yield* skipComments(input)
    if (CLOSERS.has(input.code())) continue
    if (input.code() !== COMMA) return failed(new Unreadable('a comma is missing', 'quotes'))
    input.at++
    yield* skipComments(input)
    if (input.code() === END) return failed(new Unreadable('it was cut off', 'cut'))
  }
  const [only] = values
  if (values.length === 1 && isObject(only) && Object.keys(given).length === 0)
    return { name, arguments: only, ...options }
  const names = Object.keys(tool?.properties ?? {}).filter(key => !Object.hasOwn(given, key))
  if (values.length > (isMarked ? names.length : 0))
    return failed(new Unreadable('give every argument its name'))
  values.forEach((value, index) => setOwnKey(given, names[index]!, value))
  return { name, arguments: given, ...options }
}

/** Read `[f(a=1), g()]`. Unless `isMarked`, gives up at the first name that is not a tool. */
export function* readPythonList(context: Context, isMarked: boolean): Reading<WrittenCall[] | Unreadable> {
  const { input, tools } = context
  const list: WrittenCall[] = []
  input.at++
  for (;;) {
    yield* skipComments(input)
    const code = input.code()
    if (code === RIGHT_BRACKET) {
      input.at++
      return list
    }
    if (list.length > 0 && (code === END || code === LESS || code === BACKTICK)) return list
    const name = isMarked ? yield* readName(input) : yield* readKnownName(input, tools.mayBecome)
    if (name === undefined || name === '' || input.code() !== LEFT_PAREN)
      return new Unreadable('it is not a list of calls')
    const written = yield* readPythonCall(context, name, isMarked)
    if (written.arguments instanceof Unreadable && !isMarked) return written.arguments
    list.push(written)
    if (written.arguments instanceof Unreadable) return list
    yield* skipComments(input)
    if (input.code() === COMMA) input.at++
  }
}

/** Read `name =`; undefined if a value comes first. */
function* readKeyword({ input }: Context): Reading<string | undefined> {
  const from = input.at
  const code = input.code()
  if (isQuote(code) || code === LEFT_BRACE || code === LEFT_BRACKET || code === LEFT_PAREN) return undefined
  const name = yield* readName(input)
  yield* skipSpace(input)
  if (name !== '' && input.code() === EQUALS && !(yield* textComesNext(input, '=='))) {
    input.at++
    return name
  }
  input.at = from
  return undefined
}

function* readPythonValue({ input }: Context, options: { closedAtEnd?: boolean }): Reading<unknown> {
  yield* skipComments(input)
  while (input.lacks(2)) yield
  const prefix = String.fromCharCode(input.code()).toLowerCase()
  if ((prefix === 'r' || prefix === 'u') && isQuote(input.code(1))) {
    input.at++
    return yield* readString(input, prefix === 'r')
  }
  return yield* readValue(input, options)
}

/** Names that models use for a tool that runs code. They write the code itself in place of arguments. */
const CODE_TOOLS = ['python', 'code_interpreter', 'ipython', 'execute_code']

/** Read code as a call of the tool that runs it, if there is one and no other call comes next. */
export function* readCode(context: Context, from: number, found: OnCall): Reading<boolean> {
  const { input, tools } = context
  const tool = tools.find(CODE_TOOLS.find(name => tools.find(name)) ?? '')
  if (!tool) return false
  const start = input.at
  yield* skipSpace(input)
  const isData = input.code() === LEFT_BRACE || input.code() === LEFT_BRACKET
  const isCall = isData || tools.find(yield* readName(input)) !== undefined
  rewindInput(context, start)
  if (!isCall) yield* readCodeOf(context, tool, from, found)
  return !isCall
}

/** Read code up to the next mark as the first parameter of `tool`. */
export function* readCodeOf(context: Context, tool: Tool, from: number, found: OnCall): Reading<void> {
  const { input } = context
  const start = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || (code === GREATER && (yield* textComesNext(input, '>>>')))) break
    const marker = beginsMarker(code, input) ? yield* readMarker(input) : undefined
    if (marker?.role === 'stop' || marker?.role === 'header' || marker?.role === 'close') break
    input.at++
  }
  const parameter = tool.required[0] ?? Object.keys(tool.properties)[0] ?? 'code'
  const given = { [parameter]: input.slice(start).trim() }
  const isCut = context.truncated && input.code() === END
  found(
    checkCall(
      { name: tool.name, arguments: isCut ? new Unreadable('', 'cut') : given },
      context,
      input.slice(from),
    ),
  )
}

/** Whether this tool is called with code instead of arguments. */
export function toolRunsCode(tool: Tool): boolean {
  return CODE_TOOLS.includes(tool.name)
}
