import {
  LEFT_BRACE,
  LF,
  canAffordAttempt,
  type Context,
  rewindInput,
  END,
  type Reading,
  skipBlanks,
  skipSpace,
  skipText,
  textComesNext,
  Unreadable,
} from './reader-input.ts'
import { readCallBody } from './bodies/call-body.ts'
import { readCodeOf, toolRunsCode } from './bodies/code-calls.ts'
import { type BadCall, type Call, type OnCall, checkCall } from './check-call.ts'
import { type Marker, readMarker } from './markers.ts'
import { readKnownName, readName } from './bodies/lexemes.ts'

/** The kind of message part that follows a header. In `text` there may be calls between marks. */
export type Part = 'text' | 'reasoning' | 'call'

const CHANNELS = ['analysis', 'commentary', 'final']
const WORDS = new Set([...CHANNELS, 'assistant', 'json', 'code', 'python'])
const LONGEST = 120
const PEOPLE = ['all', 'user', 'assistant']

/**
 * Read the header of a part, and the call if the part is one. Forms: `<|channel|>analysis<|message|>` of
 * gpt-oss, with the recipient in any position; `<|recipient|>name<|content|>` of Functionary 2;
 * `<|begin|>assistant<|think|>` of Solar Open. Undefined if it is not a header; the input position is then
 * undefined too.
 */
export function* readHeader(context: Context, marker: Marker, found: OnCall): Reading<Part | undefined> {
  const { input } = context
  const from = input.at
  input.at += marker.length
  let channel = ''
  let recipient = marker.mark === '<|recipient|>' ? yield* readRecipient(context) : ''
  for (;;) {
    yield* skipSpace(input)
    if (input.at - from > LONGEST) return undefined
    const next = yield* readMarker(input)
    if (next?.mark === '<|message|>' || next?.mark === '<|content|>') {
      input.at += next.length
      break
    }
    if (next?.mark === '<|think|>') {
      input.at += next.length
      return 'reasoning'
    }
    if (next?.role === 'open' && marker.mark === '<|begin|>') return 'text'
    if (next?.role === 'header' || next?.mark === '<|constrain|>') {
      input.at += next.length
      if (next.mark === '<|recipient|>') recipient = yield* readRecipient(context)
      continue
    }
    if (yield* skipText(input, 'to=')) {
      recipient = yield* readName(input)
      continue
    }
    const word = yield* readName(input)
    if (CHANNELS.includes(word)) channel ||= word
    else if (!WORDS.has(word)) return undefined
  }
  if (recipient === 'self') return 'reasoning'
  if (recipient === '' || PEOPLE.includes(recipient)) return channel === 'analysis' ? 'reasoning' : 'text'
  yield* skipSpace(input)
  // Muse addresses a tool, and then writes the whole call between marks.
  if (yield* textComesNext(input, '<atem:function_calls>')) return 'text'
  yield* readPart(context, recipient, from, found)
  return 'call'
}

function* readRecipient({ input }: Context): Reading<string> {
  yield* skipSpace(input)
  return yield* readName(input)
}

/** Read `>>>name` and a line feed, Functionary 3's header. Undefined unless `name` is a tool or `all`. */
export function* readChevrons(context: Context, found: OnCall): Reading<Part | undefined> {
  const { input, tools } = context
  const from = input.at
  if (!(yield* skipText(input, '>>>'))) return undefined
  yield* skipText(input, '>>>')
  const mayBecome = (letters: string) => 'all'.startsWith(letters) || tools.mayBecome(letters)
  const name = yield* readKnownName(input, mayBecome)
  if (name === undefined) return undefined
  yield* skipBlanks(input)
  if (input.code() !== LF) return undefined
  input.at++
  if (name === 'all') return 'text'
  yield* skipSpace(input)
  const tool = tools.find(name)
  if (!tool || (input.code() !== LEFT_BRACE && !toolRunsCode(tool))) return undefined
  yield* readPart(context, name, from, found)
  return 'call'
}

/**
 * Read the rest of a header that the prompt began, if its beginning is unknown: `
 * to=functions.name<|channel|>…` of gpt-oss. Undefined if it is not a header.
 */
export function* readBegunHeader(context: Context, found: OnCall): Reading<Part | undefined> {
  const begun: Marker = {
    mark: '<|start|>',
    role: 'header',
    name: '',
    attributes: {},
    hasEquals: false,
    length: 0,
  }
  return (yield* textComesNext(context.input, 'to=')) ? yield* readHeader(context, begun, found) : undefined
}

/**
 * Read a message that is the name of a tool, a line feed and its arguments, as Functionary 3 writes it after
 * the `>>>` of its prompt. Undefined if it is anything else.
 */
export function* readNamedCall(context: Context): Reading<Call | undefined> {
  const { input, tools } = context
  const from = input.at
  const name = yield* readKnownName(input, letters => tools.mayBecome(letters))
  if (name === undefined || tools.find(name) === undefined) return undefined
  yield* skipBlanks(input)
  if (input.code() !== LF) return undefined
  yield* skipSpace(input)
  if (input.code() !== LEFT_BRACE) return undefined
  const found: (Call | BadCall)[] = []
  yield* readPart(context, name, from, call => found.push(call))
  yield* skipSpace(input)
  const [call] = found
  return input.code() === END && call?.type === 'call' ? call : undefined
}

/** The arguments or the code in a part addressed to a tool. */
function* readPart(context: Context, name: string, from: number, found: OnCall): Reading<void> {
  const { input, tools } = context
  yield* skipSpace(input)
  const tool = tools.find(name)
  if (tool && toolRunsCode(tool) && input.code() !== LEFT_BRACE && input.code() !== END)
    return yield* readCodeOf(context, tool, from, found)
  const start = input.at
  const body = yield* readCallBody(context, name, { isGemma: false, isVerbatim: false })
  const written =
    typeof body === 'object' ? body : { name, arguments: new Unreadable('they are not one JSON object') }
  if (written.arguments instanceof Unreadable) {
    rewindInput(context, canAffordAttempt(context) ? start : input.at)
    yield* skipPart(context)
  }
  found(checkCall(written, context, input.slice(from)))
}

function* skipPart({ input }: Context): Reading<void> {
  for (;;) {
    while (input.empty) yield
    if (input.code() === END) return
    const marker = yield* readMarker(input)
    if (marker?.role === 'stop' || marker?.role === 'header') return
    input.at++
  }
}
