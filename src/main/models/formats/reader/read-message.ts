import {
  BACKTICK,
  COMMA,
  GREATER,
  isSpace,
  LEFT_BRACE,
  LEFT_BRACKET,
  LF,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  SEMICOLON,
  TILDE,
  canAffordAttempt,
  type Context,
  type Input,
  rewindInput,
  END,
  type Reading,
  textComesNext,
  skipSpace,
  skipText,
} from './reader-input.ts'
import { readAction } from './react-actions.ts'
import { readFence, readFencedCalls, showFencedText } from './read-fences.ts'
import { readBegunHeader, readChevrons, readNamedCall } from './part-headers.ts'
import type { BadCall, Call } from './check-call.ts'
import { readMarkedCalls } from './marked-calls.ts'
import { beginsMarker, readMarker } from './markers.ts'
import { readMarkup, readReasoning } from './read-markup.ts'
import type { ReaderEvents } from './emit-events.ts'
import {
  isInlineCode,
  readTicks,
  continueAfterMarkup,
  continueAfterUnmarkedCalls,
  type Position,
  startPosition,
} from './text-position.ts'
import { readCallLine, readUnmarkedCalls } from './unmarked-calls.ts'

/** Read one message to its end, passing its parts to `out`. */
export function* readMessage(context: Context, out: ReaderEvents): Reading<void> {
  const { input } = context
  const position = startPosition(context, out)
  yield* readBegun(position)
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) break
    if (isSpace(code)) readSpace(position, code)
    else if (position.isLineStart && (yield* readLineStart(position, code))) continue
    else if (!isSpecial(code, input) || !(yield* readSpecial(position, code))) showText(position)
  }
  out.end()
}

/** Read the rest of a construct that the prompt opened; on servers the prompt is unknown. Consumes nothing else. */
function* readBegun(position: Position): Reading<void> {
  const { context, out } = position
  const { input } = context
  const from = input.at
  yield* skipSpace(input)
  const begin = input.at
  const part = yield* readBegunHeader(context, out.call)
  if (part === 'reasoning') yield* readReasoning(context, out, 'part')
  if (part !== undefined) return void continueAfterMarkup(position, part === 'call')
  rewindInput(context, begin)
  const call = yield* readNamedCall(context)
  if (call) return void continueAfterUnmarkedCalls(position, [call], 'alone')
  rewindInput(context, from)
}

function readSpace(position: Position, code: number): void {
  const { input } = position.context
  if (code === LF) {
    if (position.isLineStart) position.braces = position.lists = 0
    position.isLineStart = true
    position.isQuotation = false
    position.ticks = 0
  }
  input.at++
  position.out.hold('space')
}

/** Show the next character, which is text, and the following ones that can only be text. */
function showText(position: Position): void {
  const { input } = position.context
  position.isLineStart = position.isAfterCall = false
  do input.at++
  while (!input.empty && input.code() !== END && !isSpace(input.code()) && !isSpecial(input.code(), input))
  position.out.text()
}

const special = new Uint8Array(128)
for (const letter of '`|f>{}[],;') special[letter.charCodeAt(0)] = 1

function isSpecial(code: number, input: Input): boolean {
  return special[code] === 1 || beginsMarker(code, input)
}

/** GigaChat 3 opens calls with two words on a line of their own. */
const GIGACHAT = 'function call<|role_sep|>'
/** Distillations of DeepSeek R1 omit the mark before this word. */
const DEEPSEEK = 'function<｜tool▁sep｜>'

/** Read constructs that can only start a line. False, with nothing consumed, if it is ordinary text. */
function* readLineStart(position: Position, code: number): Reading<boolean> {
  const { context, out } = position
  const { input } = context
  if (code === BACKTICK || code === TILDE) return yield* readFenceLine(position)
  if (code === GREATER && !(yield* readRecipient(position))) position.isQuotation = true
  if (code === GREATER) return !position.isQuotation
  if (position.isQuotation || beginsMarker(code, input) || !canAffordAttempt(context)) return false
  if (yield* textComesNext(input, GIGACHAT)) return yield* readOpened(position, GIGACHAT, '')
  if (yield* textComesNext(input, DEEPSEEK)) return yield* readOpened(position, '', '')
  const from = input.at
  if (yield* textComesNext(input, 'Action:')) {
    const action = yield* readAction(context, out.call)
    if (action === 'call' || (action === 'list' && (yield* readActionList(position))))
      return continueAfterMarkup(position, true)
  } else {
    // Python code is rarely meant as a call, so it counts only if the message contains nothing else.
    const isPython = !(yield* textComesNext(input, 'call:'))
    const calls = yield* readCallLine(context, isPython && !out.hasShown)
    if (calls) return continueAfterUnmarkedCalls(position, calls, isPython ? 'alone' : 'ends')
  }
  rewindInput(context, from)
  return false
}

function* readRecipient(position: Position): Reading<boolean> {
  const { context, out } = position
  const from = context.input.at
  const part = canAffordAttempt(context) ? yield* readChevrons(context, out.call) : undefined
  if (part !== undefined) return continueAfterMarkup(position, part === 'call')
  rewindInput(context, from)
  return false
}

function* readActionList({ context, out }: Position): Reading<boolean> {
  const isFence = context.input.code() === BACKTICK
  const fence = isFence ? yield* readFence(context) : undefined
  if (isFence && !fence) return false
  const calls = fence ? yield* readFencedCalls(context, fence) : yield* readUnmarkedCalls(context)
  calls?.forEach(out.call)
  return calls !== undefined
}

function* readFenceLine(position: Position): Reading<boolean> {
  const { context, out } = position
  const from = context.input.at
  const fence = yield* readFence(context)
  const behind = context.input.at
  const isCode = fence?.language === 'python' || fence?.language === 'py'
  const mayCall = fence !== undefined && !(isCode && out.hasShown) && canAffordAttempt(context)
  const calls = mayCall ? yield* readFencedCalls(context, fence) : undefined
  if (calls) return continueAfterUnmarkedCalls(position, calls, isCode ? 'alone' : 'ends')
  rewindInput(context, from)
  if (!fence?.isBlock) return false
  context.input.at = behind
  out.text()
  yield* showFencedText(context, out, fence)
  return true
}

/** Read constructs that can start anywhere. False, with nothing consumed, if it is ordinary text. */
function* readSpecial(position: Position, code: number): Reading<boolean> {
  const { context, out } = position
  const { input } = context
  if (code === BACKTICK) return yield* readTicks(position)
  if (code === RIGHT_BRACE) position.braces = Math.max(0, position.braces - 1)
  if (code === RIGHT_BRACKET) position.lists = Math.max(0, position.lists - 1)
  if ((code === COMMA || code === SEMICOLON) && position.isAfterCall) {
    input.at++
    out.hold('separator')
    return true
  }
  if (beginsMarker(code, input)) {
    const marker = yield* readMarker(input)
    if (marker) return !(yield* isInlineCode(position)) && (yield* readMarkup(position, marker))
  }
  if (code === LEFT_BRACE || code === LEFT_BRACKET) return yield* readBracket(position)
  if (yield* textComesNext(input, '>>>')) return yield* readRecipient(position)
  if (yield* textComesNext(input, 'functools[')) return yield* readOpened(position, 'functools', '[{')
  if (yield* textComesNext(input, '||call:')) return yield* readOpened(position, '||call:', '')
  return false
}

/** Read a bracket that may be a call without a mark. */
function* readBracket(position: Position): Reading<boolean> {
  const { context } = position
  const { input } = context
  const from = input.at
  const isData = position.braces > 0 || position.lists > 0
  if (!isData && !position.isQuotation && position.ticks <= 0 && canAffordAttempt(context)) {
    const calls = yield* readUnmarkedCalls(context)
    if (calls) return continueAfterUnmarkedCalls(position, calls)
    rewindInput(context, from)
  }
  if (input.code() === LEFT_BRACE) position.braces++
  else {
    while (input.lacks(2)) yield
    // `[0, 1)` opens nothing, `[{` and `["` do.
    if ('{["\n'.includes(String.fromCharCode(input.code(1)))) position.lists++
  }
  return false
}

/** Read what follows a word that opens calls, if it starts with `brackets`. */
function* readOpened(position: Position, word: string, brackets: string): Reading<boolean> {
  const { context, out } = position
  const { input } = context
  const from = input.at
  if (position.isQuotation || !canAffordAttempt(context) || (yield* isInlineCode(position))) return false
  input.at += word.length
  const behind = input.at
  for (const bracket of brackets) {
    yield* skipSpace(input)
    if (!(yield* skipText(input, bracket))) {
      rewindInput(context, from)
      return false
    }
  }
  input.at = behind
  const found: (Call | BadCall)[] = []
  const isRead = yield* readMarkedCalls(context, undefined, call => found.push(call))
  if (isRead && found.some(call => call.type === 'call' || call.name !== undefined)) {
    found.forEach(out.call)
    return continueAfterMarkup(position, true)
  }
  rewindInput(context, from)
  return false
}
