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
} from './characters.ts'
import { readAction } from './actions.ts'
import { canAfford, type Context, rewind } from './context.ts'
import { readFence, readFencedCalls, showFenced } from './fences.ts'
import { readChevrons } from './headers.ts'
import { END, type Reading, sees, skipSpace, takes } from './input.ts'
import type { BadCall, Call } from './judge.ts'
import { readMarkedCalls } from './marked-calls.ts'
import { beginsMarker, readMarker } from './markers.ts'
import { readMarkup } from './markup.ts'
import type { Outbox } from './outbox.ts'
import { isInlineCode, readTicks } from './inline-code.ts'
import { pass, passUnmarked, type Place, startPlace } from './place.ts'
import { readCallLine, readUnmarkedCalls } from './unmarked-calls.ts'

/** Read one message to its end, telling `out` what it consists of. */
export function* readMessage(context: Context, out: Outbox): Reading<void> {
  const { input } = context
  const place = startPlace(context, out)
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) break
    if (isSpace(code)) readSpace(place, code)
    else if (place.isLineStart && (yield* readLineStart(place, code))) continue
    else if (!isSpecial(code) || !(yield* readSpecial(place, code))) showText(place)
  }
  out.end()
}

function readSpace(place: Place, code: number): void {
  const { input } = place.context
  if (code === LF) {
    if (place.isLineStart) place.braces = place.lists = 0
    place.isLineStart = true
    place.isQuotation = false
    place.ticks = 0
  }
  input.at++
  place.out.hold('space')
}

/** Show the next character, which is text, and those behind it that cannot be anything else. */
function showText(place: Place): void {
  const { input } = place.context
  place.isLineStart = place.isAfterCall = false
  do input.at++
  while (!input.empty && input.code() !== END && !isSpace(input.code()) && !isSpecial(input.code()))
  place.out.text()
}

const special = new Uint8Array(128)
for (const letter of '`|f>{}[],;') special[letter.charCodeAt(0)] = 1

function isSpecial(code: number): boolean {
  return special[code] === 1 || beginsMarker(code)
}

/** GigaChat 3 opens calls with two words, which stand on a line of their own. */
const GIGACHAT = 'function call<|role_sep|>'
/** Distillations of DeepSeek R1 forget what stands before this. */
const DEEPSEEK = 'function<｜tool▁sep｜>'

/** What can only begin a line. False if it is ordinary text, and nothing was read then. */
function* readLineStart(place: Place, code: number): Reading<boolean> {
  const { context, out } = place
  const { input } = context
  if (code === BACKTICK) return yield* readFenceLine(place)
  if (code === GREATER && !(yield* readRecipient(place))) place.isQuotation = true
  if (code === GREATER) return !place.isQuotation
  if (place.isQuotation || beginsMarker(code) || !canAfford(context)) return false
  if (yield* sees(input, GIGACHAT)) return yield* readOpened(place, GIGACHAT, '')
  if (yield* sees(input, DEEPSEEK)) return yield* readOpened(place, '', '')
  const from = input.at
  if (yield* sees(input, 'Action:')) {
    const action = yield* readAction(context, out.call)
    if (action === 'call' || (action === 'list' && (yield* readActionList(place)))) return pass(place, true)
  } else {
    // Code in Python is seldom meant as a call, so it is one only if the model says nothing else.
    const isPython = !(yield* sees(input, 'call:'))
    const calls = yield* readCallLine(context, isPython && !out.hasShown)
    if (calls) return passUnmarked(place, calls, isPython ? 'alone' : 'ends')
  }
  rewind(context, from)
  return false
}

function* readRecipient(place: Place): Reading<boolean> {
  const { context, out } = place
  const from = context.input.at
  const part = canAfford(context) ? yield* readChevrons(context, out.call) : undefined
  if (part !== undefined) return pass(place, part === 'call')
  rewind(context, from)
  return false
}

function* readActionList({ context, out }: Place): Reading<boolean> {
  const isFence = context.input.code() === BACKTICK
  const fence = isFence ? yield* readFence(context) : undefined
  if (isFence && !fence) return false
  const calls = fence ? yield* readFencedCalls(context, fence) : yield* readUnmarkedCalls(context)
  calls?.forEach(out.call)
  return calls !== undefined
}

function* readFenceLine(place: Place): Reading<boolean> {
  const { context, out } = place
  const from = context.input.at
  const fence = yield* readFence(context)
  const behind = context.input.at
  const isCode = fence?.language === 'python' || fence?.language === 'py'
  const mayCall = fence !== undefined && !(isCode && out.hasShown) && canAfford(context)
  const calls = mayCall ? yield* readFencedCalls(context, fence) : undefined
  if (calls) return passUnmarked(place, calls, isCode ? 'alone' : 'ends')
  rewind(context, from)
  if (!fence?.isBlock) return false
  context.input.at = behind
  out.text()
  yield* showFenced(context, out, fence)
  return true
}

/** What can begin anywhere. False if it is ordinary text, and nothing was read then. */
function* readSpecial(place: Place, code: number): Reading<boolean> {
  const { context, out } = place
  const { input } = context
  if (code === BACKTICK) return yield* readTicks(place)
  if (code === RIGHT_BRACE) place.braces = Math.max(0, place.braces - 1)
  if (code === RIGHT_BRACKET) place.lists = Math.max(0, place.lists - 1)
  if ((code === COMMA || code === SEMICOLON) && place.isAfterCall) {
    input.at++
    out.hold('separator')
    return true
  }
  if (beginsMarker(code)) {
    const marker = yield* readMarker(input)
    if (marker) return !(yield* isInlineCode(place)) && (yield* readMarkup(place, marker))
  }
  if (code === LEFT_BRACE || code === LEFT_BRACKET) return yield* readBracket(place)
  if (yield* sees(input, '>>>')) return yield* readRecipient(place)
  if (yield* sees(input, 'functools[')) return yield* readOpened(place, 'functools', '[{')
  if (yield* sees(input, '||call:')) return yield* readOpened(place, '||call:', '')
  return false
}

/** Read a bracket that may be a call without a mark. */
function* readBracket(place: Place): Reading<boolean> {
  const { context } = place
  const { input } = context
  const from = input.at
  const isData = place.braces > 0 || place.lists > 0
  if (!isData && !place.isQuotation && place.ticks <= 0 && canAfford(context)) {
    const calls = yield* readUnmarkedCalls(context)
    if (calls) return passUnmarked(place, calls)
    rewind(context, from)
  }
  if (input.code() === LEFT_BRACE) place.braces++
  else {
    while (input.lacks(2)) yield
    // `[0, 1)` opens nothing, `[{` and `["` do.
    if ('{["\n'.includes(String.fromCharCode(input.code(1)))) place.lists++
  }
  return false
}

/** Read what follows a word that opens calls, if it begins with `brackets`. */
function* readOpened(place: Place, word: string, brackets: string): Reading<boolean> {
  const { context, out } = place
  const { input } = context
  const from = input.at
  if (place.isQuotation || !canAfford(context) || (yield* isInlineCode(place))) return false
  input.at += word.length
  const behind = input.at
  for (const bracket of brackets) {
    yield* skipSpace(input)
    if (!(yield* takes(input, bracket))) {
      rewind(context, from)
      return false
    }
  }
  input.at = behind
  const found: (Call | BadCall)[] = []
  const isRead = yield* readMarkedCalls(context, undefined, call => found.push(call))
  if (isRead && found.some(call => call.type === 'call' || call.name !== undefined)) {
    found.forEach(out.call)
    return pass(place, true)
  }
  rewind(context, from)
  return false
}
