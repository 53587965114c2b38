import { readCallObject } from './call-objects.ts'
import { readCallBody } from './call-body.ts'
import { readCode } from './code-calls.ts'
import { canAfford, type Context, rewind } from './context.ts'
import { END, type Reading, sees, skipSpace } from './input.ts'
import { type Found, judge, type Written } from './judge.ts'
import { beginsMarker, type Marker, readMarker } from './markers.ts'
import { readPythonCall, readPythonList } from './python-calls.ts'
import { Trouble } from './trouble.ts'
import type { Role } from './wrappers.ts'
import { readName } from './words.ts'

/** A stretch of calls while it is being read. */
type Region = {
  context: Context
  /** Inside a mark that was not closed, so that words may be names. */
  open: boolean
  /** Line feeds around values are part of them. */
  verbatim: boolean
  /** Where the call that is read now begins. */
  from: number
  count: number
  found: Found
}

/**
 * Read what follows a mark that opens calls, up to ordinary text. Marks and notations are not reliably paired, so any
 * notation is read behind any mark, told apart by its first character. False if there is no call, nor an attempt at
 * one; the input then stands anywhere.
 */
export function* readMarkedCalls(
  context: Context,
  first: Marker | undefined,
  found: Found,
): Reading<boolean> {
  const { input } = context
  const region: Region = { context, open: true, verbatim: false, from: input.at, count: 0, found }
  if (first?.role === 'raw') {
    input.at += first.length
    if (yield* readCode(context, region.from, found)) return true
  }
  let isClosed = false
  for (;;) {
    const behind = input.at
    yield* skipSpace(input)
    const code = input.code()
    const marker = beginsMarker(code) ? yield* readMarker(input) : undefined
    if (marker && STAYS.has(marker.role)) {
      input.at += marker.length
      region.open = !['close', 'unmaybe', 'unnamed'].includes(marker.role)
      if (marker.role === 'open') region.verbatim = marker.mark.startsWith('<seed:')
      isClosed ||= !region.open
      if (marker.role === 'named') yield* readNamed(region, marker.name)
      continue
    }
    if (region.open && (yield* sees(input, '```'))) yield* skipFence(context)
    else if (!region.open || (marker && marker.role !== 'maybe') || !(yield* readNext(region, code))) {
      const isEmpty = region.count === 0
      if (isEmpty && code === END && !isClosed)
        tellTrouble(region, undefined, new Trouble('it was cut off', true))
      else if (isEmpty && !isClosed && !(yield* closesSoon(region))) return false
      else if (!isEmpty || isClosed) input.at = behind
      return true
    }
  }
}

const STAYS = new Set<Role>([
  'open',
  'raw',
  'close',
  'unmaybe',
  'named',
  'unnamed',
  'joint',
  'unparameter',
  'unvalue',
])

/** Read one thing inside the mark; false if it is ordinary text. */
function* readNext(region: Region, code: number): Reading<boolean> {
  const { context } = region
  const { input } = context
  if (code === 0x7b) yield* readObject(region)
  else if (code === 0x5b) yield* readList(region)
  else if (code === 0x2c || code === 0x3a || code === 0x3b) input.at++
  else if ((code === 0x7d || code === 0x5d) && region.count > 0) input.at++
  else return yield* readWord(region)
  return true
}

function* readObject(region: Region): Reading<boolean> {
  const from = region.context.input.at
  const result = yield* readCallObject(region.context, true)
  if (result instanceof Trouble) return yield* recover(region, undefined, result, from)
  tell(region, result)
  return true
}

function* readList(region: Region): Reading<void> {
  const { input } = region.context
  const from = input.at
  input.at++
  yield* skipSpace(input)
  if (input.code() !== 0x7b && input.code() !== 0x5d) {
    input.at = from
    const result = yield* readPythonList(region.context, true)
    if (result instanceof Trouble) yield* recover(region, undefined, result, from)
    else if (result.some(({ arguments: given }) => given instanceof Trouble)) {
      tell(region, result.slice(0, -1))
      const { name, arguments: trouble } = result.at(-1)!
      yield* recover(region, name, trouble as Trouble, from)
    } else tell(region, result)
    return
  }
  region.count++
  while (input.code() === 0x7b) {
    if (!(yield* readObject(region))) return
    yield* skipSpace(input)
    if (input.code() === 0x2c) input.at++
    yield* skipSpace(input)
  }
  if (input.code() === 0x5d) input.at++
}

/** A name, and behind it the arguments in any notation. */
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
  if (input.code() === 0x28) {
    const written = yield* readPythonCall(context, name, true)
    if (written.arguments instanceof Trouble) yield* recoverLine(region, name, written.arguments, from)
    else tell(region, [written])
    return true
  }
  const body = yield* readCallBody(context, name, { isGemma, verbatim: region.verbatim })
  if (body === 'skip') return true
  if (body === undefined) return false
  yield* settle(region, body, from)
  return true
}

function* readNamed(region: Region, name: string): Reading<void> {
  const from = region.context.input.at
  const body = yield* readCallBody(region.context, name, { isGemma: false, verbatim: region.verbatim })
  if (body === 'skip') return
  if (body !== undefined) yield* settle(region, body, from)
  else if (!region.context.tools.find(name)) region.open = false
  else yield* settle(region, { name, arguments: new Trouble('they are in no known notation') }, from)
}

function* settle(region: Region, written: Written, from: number): Reading<void> {
  if (written.arguments instanceof Trouble) yield* recover(region, written.name, written.arguments, from)
  else tell(region, [written])
}

function tell(region: Region, list: readonly Written[]): void {
  const { context, from, found } = region
  const raw = context.input.slice(from)
  region.from = context.input.at
  region.count++
  for (const written of list) found(judge(written, context, raw))
}

/** Report a call that cannot be read, and go on behind the mark that closes it. */
function* recover(
  region: Region,
  name: string | undefined,
  trouble: Trouble,
  from: number,
): Reading<boolean> {
  const { context } = region
  // The reading may have run on through the close tag, in search of a quote, so the tag is looked for from the start.
  rewind(context, canAfford(context) ? from : context.input.at)
  const end = yield* skipToMark(context, false)
  tellTrouble(region, name, trouble, end)
  region.open = false
  return false
}

/** The same for one statement in Python, which ends with its line. */
function* recoverLine(region: Region, name: string, trouble: Trouble, from: number): Reading<void> {
  rewind(region.context, canAfford(region.context) ? from : region.context.input.at)
  const end = yield* skipToMark(region.context, true)
  tellTrouble(region, name, trouble, end)
}

function tellTrouble(
  region: Region,
  name: string | undefined,
  trouble: Trouble,
  end: 'end' | 'mark' = 'end',
): void {
  const reason = trouble.cut && end === 'mark' ? new Trouble('a quote or a bracket is not closed') : trouble
  const { context, from } = region
  const written = name ?? NAME.exec(context.input.slice(from))?.[1]
  tell(region, [{ name: written, arguments: reason }])
}

/** The name in an object that could not be read, so that the model can be told which call it was. */
const NAME = /["']?name["']?\s*:\s*["']([^"'\n]{1,80})["']/

/** Go to the end of the text, or to where a broken call ends, over the mark that closes it. */
function* skipToMark({ input }: Context, withinLine: boolean): Reading<'end' | 'mark'> {
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return 'end'
    if (withinLine && code === 0x0a) return 'mark'
    const marker = beginsMarker(code) ? yield* readMarker(input) : undefined
    if (marker?.role === 'close' || marker?.role === 'unnamed') {
      if (!withinLine) input.at += marker.length
      return 'mark'
    }
    if (marker && ENDS.has(marker.role)) return 'mark'
    input.at++
  }
}

const ENDS = new Set<Role>(['open', 'named', 'raw', 'stop', 'header', 'think', 'unthink'])

/** Whether a word or two that are no call stand in marks like one, as in `<tool_call>list files</tool_call>`. */
function* closesSoon(region: Region): Reading<boolean> {
  const { context, from } = region
  const { input } = context
  const end = input.at + 200
  while (input.at < end) {
    while (input.empty) yield
    if (input.code() === END || input.code() === 0x0a) return false
    const marker = beginsMarker(input.code()) ? yield* readMarker(input) : undefined
    if (marker?.role === 'close') {
      input.at += marker.length
      region.from = from
      tellTrouble(region, undefined, new Trouble('write one JSON object with "name" and "arguments"'))
      return true
    }
    if (marker) return false
    input.at++
  }
  return false
}

function* skipFence({ input }: Context): Reading<void> {
  while (input.code() === 0x60) {
    input.at++
    while (input.empty) yield
  }
  const from = input.at
  const language = yield* readName(input)
  if (!/^[a-z_]*$/.test(language) || input.code() === 0x28 || input.code() === 0x5b) input.at = from
}
