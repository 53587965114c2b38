import {
  BACKTICK,
  BLANK,
  COMMA,
  CR,
  EQUALS,
  LEFT_BRACE,
  LEFT_BRACKET,
  LEFT_PAREN,
  LF,
  SEMICOLON,
  TAB,
  TILDE,
  type Context,
  END,
  type Reading,
  textComesNext,
  skipBlanks,
  skipSpace,
  skipText,
  Unreadable,
} from './reader-input.ts'
import type { BadCall, Call } from './check-call.ts'
import { readMarkedCalls } from './marked-calls.ts'
import { beginsMarker, type Marker, readMarker } from './markers.ts'
import type { ReaderEvents } from './emit-events.ts'
import { readPythonCall } from './bodies/code-calls.ts'
import { allValidCalls, readCallLine, readUnmarkedCalls } from './unmarked-calls.ts'
import { readName } from './bodies/lexemes.ts'

/** Fence languages that may contain a Python call. */
const PYTHON = ['tool_code', 'tool_call', 'python', 'py']

/** The start of a fence: its character and their number, its language, and whether a line end follows. */
export type Fence = { mark: number; ticks: number; language: string; isBlock: boolean }

/** Read the line that opens a fence. Undefined if it is not one; the input position is then undefined too. */
export function* readFence(context: Context): Reading<Fence | undefined> {
  const { input } = context
  const mark = input.code() === TILDE ? TILDE : BACKTICK
  const ticks = yield* countTicks(context, mark)
  if (ticks < 3) return undefined
  const language = yield* readName(input)
  yield* skipBlanks(input)
  const code = input.code()
  const isBlock = code === LF || code === CR || code === END
  return isBlock || code === LEFT_BRACE || code === LEFT_BRACKET
    ? { mark, ticks, language, isBlock }
    : undefined
}

/** Skip backticks, or another fence character, and count them. */
export function* countTicks({ input }: Context, mark = BACKTICK): Reading<number> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    if (input.code() !== mark) return input.at - from
    input.at++
  }
}

/** Read a fence that contains only calls, from the end of its first line; undefined for any other content. */
export function* readFencedCalls(context: Context, fence: Fence): Reading<Call[] | undefined> {
  const isPython = PYTHON.includes(fence.language)
  return yield* readOnlyCalls(context, isPython, function* () {
    const ticks = yield* countTicks(context, fence.mark)
    return ticks === 0 ? 'no' : ticks >= fence.ticks || context.input.code() === END ? 'yes' : 'never'
  })
}

/** Read a tag that contains only calls, from the end of the tag; undefined if it contains anything else. */
export function* readTaggedCalls(context: Context, tag: Marker): Reading<Call[] | undefined> {
  return yield* readOnlyCalls(context, tag.mark === '<tool_code>', function* () {
    const marker = yield* readMarker(context.input)
    if (marker?.role !== 'unmaybe' && marker?.role !== 'unnamed') return 'no'
    context.input.at += marker.length
    return 'yes'
  })
}

function* readOnlyCalls(
  context: Context,
  isPython: boolean,
  isEnd: () => Reading<'yes' | 'no' | 'never'>,
): Reading<Call[] | undefined> {
  const { input } = context
  const calls: Call[] = []
  for (;;) {
    yield* skipSpace(input)
    const code = input.code()
    if (code === END) break
    const end = yield* isEnd()
    if (end === 'never') return undefined
    if (end === 'yes') break
    if (code === COMMA || code === SEMICOLON) {
      input.at++
      continue
    }
    const more = yield* readOne(context, isPython, calls.length > 0)
    if (!more) return undefined
    for (const call of more) calls.push(call)
  }
  return calls.length > 0 ? calls : undefined
}

function* readOne(context: Context, isPython: boolean, isAfterCall: boolean): Reading<Call[] | undefined> {
  const { input } = context
  const code = input.code()
  const marker = beginsMarker(code, input) ? yield* readMarker(input) : undefined
  if (marker) {
    if (marker.role === 'stop' || marker.role === 'close') {
      input.at += marker.length
      return []
    }
    if (marker.role !== 'open' && marker.role !== 'named' && marker.role !== 'raw') return undefined
    const found: (Call | BadCall)[] = []
    const isRead = yield* readMarkedCalls(context, marker, call => found.push(call))
    const calls = found.filter(call => call.type === 'call')
    return isRead && calls.length === found.length ? calls : undefined
  }
  if (code === LEFT_BRACE || code === LEFT_BRACKET) return yield* readUnmarkedCalls(context)
  return isPython ? yield* readStatement(context, isAfterCall) : yield* readCallLine(context, false)
}

/** `name(…)`, `print(name(…))`, `result = name(…)` or, after that, `print(result)`. */
function* readStatement(context: Context, isAfterCall: boolean): Reading<Call[] | undefined> {
  const { input, tools } = context
  const from = input.at
  let name = yield* readName(input)
  if (name.startsWith('call:')) {
    input.at = from
    return yield* readCallLine(context, false)
  }
  yield* skipBlanks(input)
  if (input.code() === EQUALS) {
    input.at++
    yield* skipBlanks(input)
    name = yield* readName(input)
  }
  if (input.code() !== LEFT_PAREN || (name !== 'print' && !tools.find(name))) return undefined
  const behind = input.at
  const written = yield* readPythonCall(context, name, true)
  if (name !== 'print' || !isAfterCall || !(written.arguments instanceof Unreadable))
    return allValidCalls(context, [written], from)
  input.at = behind + 1
  yield* readName(input)
  return (yield* skipText(input, ')')) ? [] : undefined
}

/** Show the content of a fence up to its closing line, without reading calls in it. */
export function* showFencedText({ input }: Context, out: ReaderEvents, fence: Fence): Reading<void> {
  const closing = String.fromCharCode(fence.mark).repeat(fence.ticks)
  let isLineStart = false
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return
    if (code === fence.mark && isLineStart && (yield* textComesNext(input, closing))) {
      input.at += fence.ticks
      return out.text()
    }
    const isBlank = code === BLANK || code === TAB || code === LF || code === CR
    isLineStart = code === LF || (isLineStart && isBlank)
    input.at++
    if (isBlank) out.hold('space')
    else out.text()
  }
}
