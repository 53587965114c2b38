import { readCallObject } from './call-objects.ts'
import { readCallBody } from './call-body.ts'
import type { Context } from './context.ts'
import { END, type Reading, skipBlanks, skipSpace, takes } from './input.ts'
import { type Call, judge, type Written } from './judge.ts'
import { readPythonCall, readPythonList } from './python-calls.ts'
import { Trouble } from './trouble.ts'
import { readKnownName } from './words.ts'

/**
 * Read what may be calls without any mark: an object, or a list of objects or of Python calls. It is given up as soon
 * as it can no longer be a call of a known tool; undefined then, and the input stands anywhere.
 */
export function* readUnmarkedCalls(context: Context): Reading<Call[] | undefined> {
  const { input } = context
  const from = input.at
  const isObject = input.code() === 0x7b
  const written = isObject ? yield* readCallObject(context, false) : yield* readUnmarkedList(context)
  if (written instanceof Trouble) return undefined
  while (input.empty) yield
  // A closer too many, and the target of a Markdown link.
  if (isObject && input.code() === 0x7d) input.at++
  else if (!isObject && input.code() === 0x28) return undefined
  return certain(context, written, from)
}

function* readUnmarkedList(context: Context): Reading<Written[] | Trouble> {
  const { input } = context
  const from = input.at
  const list: Written[] = []
  input.at++
  yield* skipSpace(input)
  if (input.code() !== 0x7b) {
    input.at = from
    return yield* readPythonList(context, false)
  }
  while (input.code() === 0x7b) {
    const object = yield* readCallObject(context, false)
    if (object instanceof Trouble) return object
    list.push(...object)
    yield* skipSpace(input)
    if (input.code() === 0x2c) input.at++
    yield* skipSpace(input)
  }
  if (input.code() === 0x5d) input.at++
  else if (input.code() === END) list.forEach(written => (written.closedAtEnd = true))
  else return new Trouble('it is not a list of calls')
  return list
}

/**
 * Read a call that has its line to itself: `call:name{…}` as written by Gemma models without their mark, or
 * `name(key=value)`. Undefined if the line is anything else.
 */
export function* readCallLine(context: Context): Reading<Call[] | undefined> {
  const { input, tools } = context
  const from = input.at
  const list: Written[] = []
  do {
    const isGemma = yield* takes(input, 'call:')
    if (isGemma) yield* skipBlanks(input)
    const name = yield* readKnownName(input, tools.mayBecome)
    if (name === undefined || !tools.find(name)) return undefined
    const code = input.code()
    if (code !== 0x28 && !(isGemma && code === 0x7b)) return undefined
    const written =
      code === 0x28
        ? yield* readPythonCall(context, name, false)
        : yield* readCallBody(context, name, { isGemma, isVerbatim: false })
    if (typeof written !== 'object') return undefined
    list.push(written)
    yield* skipBlanks(input)
  } while (input.code() === 0x63)
  const code = input.code()
  if (code !== END && code !== 0x0a && code !== 0x0d && code !== 0x3c && code !== 0x60) return undefined
  return certain(context, list, from)
}

/** All of them as calls, or undefined if a single one is not. */
export function certain(context: Context, list: readonly Written[], from: number): Call[] | undefined {
  const raw = context.input.slice(from)
  const calls = list.map(written => judge(written, context, raw)).filter(call => call.type === 'call')
  return calls.length === list.length && calls.length > 0 ? calls : undefined
}
