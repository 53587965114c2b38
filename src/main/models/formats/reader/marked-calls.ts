import {
  BACKTICK,
  COLON,
  COMMA,
  EQUALS,
  LEFT_BRACE,
  LEFT_BRACKET,
  LEFT_PAREN,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  SEMICOLON,
  type Context,
  END,
  type Reading,
  textComesNext,
  skipBlanks,
  skipSpace,
  Unreadable,
} from './reader-input.ts'
import { readCallBody, readCallObject } from './bodies/call-body.ts'
import { readCode, readPythonCall, readPythonList } from './bodies/code-calls.ts'
import type { OnCall } from './check-call.ts'
import { beginsMarker, type Marker, readMarker, type Role } from './markers.ts'
import {
  noteNoCalls,
  readWordsInMarks,
  reportAndSkipCall,
  type Region,
  reportCalls,
  reportUnreadable,
} from './call-region.ts'
import { readName } from './bodies/lexemes.ts'

/**
 * Read everything after a mark that opens calls, up to ordinary text. Models do not pair marks and notations
 * reliably, so any notation is accepted after any mark, recognised by its first character. False if there is
 * no call and no attempt at one; the input position is then undefined.
 */
export function* readMarkedCalls(
  context: Context,
  first: Marker | undefined,
  found: OnCall,
): Reading<boolean> {
  const { input } = context
  const from = input.at
  const region: Region = { context, found, isOpen: true, isVerbatim: false, from, holds: 'marks' }
  if (first?.role === 'raw') {
    input.at += first.length
    if (yield* readCode(context, from, found)) return true
  }
  for (;;) {
    const behind = input.at
    yield* skipSpace(input)
    const code = input.code()
    const marker = beginsMarker(code, input) ? yield* readMarker(input) : undefined
    if (
      marker &&
      (INSIDE.has(marker.role) || (LEAKS.has(marker.role) && region.isOpen && region.holds !== 'calls'))
    ) {
      input.at += marker.length
      yield* passMark(region, marker)
    } else if (region.isOpen && (yield* textComesNext(input, '```'))) {
      yield* skipFence(context)
    } else if (!region.isOpen || marker || !(yield* readNext(region, code))) {
      if (region.holds === 'calls' || region.holds === 'nothing') {
        input.at = behind
        return true
      }
      if (region.holds === 'text' || code !== END) return yield* readWordsInMarks(region)
      reportUnreadable(region, undefined, new Unreadable('it was cut off', 'cut'))
      return true
    }
  }
}

const CLOSING: readonly Role[] = ['close', 'unmaybe', 'unnamed']
/** Markup that weak models write between the mark and the call. */
const LEAKS = new Set<Role>(['maybe', 'stop', 'frame'])
const INSIDE = new Set<Role>([...CLOSING, 'open', 'raw', 'named', 'joint', 'unparameter', 'unvalue'])

function* passMark(region: Region, { role, mark, name }: Marker): Reading<void> {
  if (LEAKS.has(role)) return
  region.isOpen = !CLOSING.includes(role)
  if (!region.isOpen) noteNoCalls(region, 'nothing')
  if (role === 'open') region.isVerbatim = mark.startsWith('<seed:')
  if (role !== 'named') return
  const from = region.context.input.at
  const isVerbatim = region.isVerbatim
  const body = yield* readCallBody(region.context, name, { isGemma: false, isVerbatim })
  if (body === 'skip') return
  if (typeof body === 'object') {
    if (body.arguments instanceof Unreadable) yield* reportAndSkipCall(region, name, body.arguments, from)
    else reportCalls(region, [body])
  } else if (region.context.tools.find(name)) {
    yield* reportAndSkipCall(region, name, new Unreadable('they are in no known notation'), from)
  } else {
    region.isOpen = false
    noteNoCalls(region, 'text')
  }
}

/** Read the next item inside the mark; false if it is ordinary text. */
function* readNext(region: Region, code: number): Reading<boolean> {
  const { input } = region.context
  if (code === LEFT_BRACE) yield* readObject(region)
  else if (code === LEFT_BRACKET) yield* readList(region)
  else if (code === COMMA || code === COLON || code === SEMICOLON) input.at++
  else if ((code === RIGHT_BRACE || code === RIGHT_BRACKET) && region.holds === 'calls') input.at++
  else return yield* readWord(region)
  return true
}

function* readObject(region: Region): Reading<boolean> {
  const from = region.context.input.at
  const result = yield* readCallObject(region.context, true)
  if (!(result instanceof Unreadable)) reportCalls(region, result)
  else yield* reportAndSkipCall(region, undefined, result, from)
  return !(result instanceof Unreadable)
}

function* readList(region: Region): Reading<void> {
  const { context } = region
  const { input } = context
  const from = input.at
  input.at++
  yield* skipSpace(input)
  if (input.code() !== LEFT_BRACE && input.code() !== RIGHT_BRACKET) {
    input.at = from
    const list = yield* readPythonList(context, true)
    if (list instanceof Unreadable) return yield* reportAndSkipCall(region, undefined, list, from)
    const last = list.at(-1)
    if (!(last?.arguments instanceof Unreadable)) return reportCalls(region, list)
    reportCalls(region, list.slice(0, -1))
    return yield* reportAndSkipCall(region, last.name, last.arguments, from)
  }
  while (input.code() === LEFT_BRACE) {
    if (!(yield* readObject(region))) return
    yield* skipSpace(input)
    if (input.code() === COMMA) input.at++
    yield* skipSpace(input)
  }
  noteNoCalls(region, 'nothing')
  if (input.code() === RIGHT_BRACKET) input.at++
}

/** Read a name followed by arguments in any notation. */
function* readWord(region: Region): Reading<boolean> {
  const { context } = region
  const { input } = context
  const from = input.at
  let name = yield* readName(input)
  const isGemma = /^:?call:/.test(name)
  if (isGemma) {
    name = name.replace(/^:?call:/, '')
    yield* skipSpace(input)
    name ||= yield* readName(input)
  }
  if (name === '') return false
  if (yield* takesAssignment(region)) {
    name = yield* readName(input)
    if (input.code() !== LEFT_PAREN) return false
  }
  if (input.code() === LEFT_PAREN) {
    const written = yield* readPythonCall(context, name, true)
    if (!(written.arguments instanceof Unreadable)) reportCalls(region, [written])
    else yield* reportAndSkipCall(region, name, written.arguments, from, 'line')
    return true
  }
  const body = yield* readCallBody(context, name, { isGemma, isVerbatim: region.isVerbatim })
  if (typeof body === 'object') {
    if (body.arguments instanceof Unreadable) yield* reportAndSkipCall(region, name, body.arguments, from)
    else reportCalls(region, [body])
    return true
  }
  // Junk is skipped before the first call. After a call, a word means that text starts again.
  if (body === undefined || (body === 'junk' && region.holds === 'calls')) return false
  noteNoCalls(region, 'text')
  return true
}

/** Skip the rest of `result =`. */
function* takesAssignment({ context: { input } }: Region): Reading<boolean> {
  const from = input.at
  yield* skipBlanks(input)
  const isAssignment = input.code() === EQUALS
  if (!isAssignment) input.at = from
  else input.at++
  if (isAssignment) yield* skipBlanks(input)
  return isAssignment
}

function* skipFence({ input }: Context): Reading<void> {
  while (input.code() === BACKTICK) {
    input.at++
    while (input.empty) yield
  }
  const from = input.at
  const language = yield* readName(input)
  if (!/^[a-z_]*$/.test(language) || input.code() === LEFT_PAREN || input.code() === LEFT_BRACKET)
    input.at = from
}
