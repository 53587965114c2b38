import { OWN, type Call, type Format, type LearntFormat, type Notation } from './format-types.ts'
import { probeCalls, type WrittenProbes } from './match-calls.ts'
import { learntMarks } from './marked-text.ts'
import { WHOLE } from './reader/markers.ts'
import { createToolCallReader } from './reader/call-reader.ts'
import { writeCalls } from './write-calls.ts'

/**
 * Learn the notation in which a chat template writes calls, if it matches no known format and is simple: JSON
 * calls, names with arguments, or Python, between marks. Undefined unless calls can be read and written
 * exactly as the template writes them.
 */
export function learnFormat({ one, two }: WrittenProbes): LearntFormat | undefined {
  for (const single of one) {
    for (const pair of [...two, undefined]) {
      const format = learn(single, pair)
      if (format && isProven(format, [single, pair])) return format
    }
  }
  return undefined
}

const [first, second] = probeCalls
const LONGEST = 120

/** The body that a template writes for a call. `from` and `to` are its range in the text. */
type Body = { from: number; to: number; notation: Notation }

function learn(single: string, pair: string | undefined): LearntFormat | undefined {
  const alone = findBody(single, first)
  if (!alone) return undefined
  const before = single.slice(0, alone.from)
  const after = single.slice(alone.to)
  const inPair = pair === undefined ? undefined : betweenCalls(pair)
  const around = inPair === undefined ? wrapOne(before, after) : wrapCalls(before, after, inPair)
  if (!around) return undefined
  const { isList, ...rest } = around
  const { notation } = alone
  const listed = 'list' in notation ? { ...notation, list: isList } : isList ? undefined : notation
  const mark = around.open.trim()
  if (!listed || !isDistinct(mark) || TURNS.test(mark) || single.length > 2_000) return undefined
  return {
    id: OWN,
    label: 'Notation of its template',
    families: 'models with this chat template',
    ...rest,
    mark,
    // A mark without brackets may also be prose.
    where: /[<>|[\]{}｜]/.test(mark) ? 'anywhere' : 'start',
    notation: listed,
    needsMarks: true,
    declare: 'schemas',
    frame: ['', ''],
  }
}

/** The text between two calls of one message; undefined if it cannot be isolated. */
function betweenCalls(pair: string): string | undefined {
  const [one, two] = [findBody(pair, first), findBody(pair, second)]
  return one && two && one.to <= two.from ? pair.slice(one.to, two.from) : undefined
}

type Around = Pick<Format, 'open' | 'close' | 'several' | 'between' | 'each'> & { isList: boolean }

/** Describe the text around a message's only call. */
function wrapOne(before: string, after: string): Around | undefined {
  const inList = unlisted(before, after)
  const [open, close] = inList ?? [before, after]
  return trimmed({ open, close, several: false, isList: inList !== undefined })
}

/** Describe the text around each call and around all calls, given the text `between` two calls. */
function wrapCalls(before: string, after: string, between: string): Around | undefined {
  const inList = between.trim() === ',' ? unlisted(before, after) : undefined
  if (inList) return trimmed({ open: inList[0], close: inList[1], several: false, isList: true })
  const closing = sharedStart(between, after)
  const rest = between.slice(closing.length)
  const opening = sharedEnd(rest, before)
  const link = rest.slice(0, rest.length - opening.length)
  const [open, close] = [before.slice(0, before.length - opening.length), after.slice(closing.length)]
  const each = [opening, closing] as const
  if (open.trim() === '' || (opening.trim() !== '' && close.trim() === ''))
    return trimmed({ open: before, close: closing, several: true, between: link, isList: false })
  if (opening.trim() === '' && closing.trim() === '')
    return trimmed({ open: before, close: after, several: false, between, each: ['', ''], isList: false })
  return close.trim() === ''
    ? undefined
    : trimmed({ open, close, several: false, between: link, each, isList: false })
}

/** Remove the brackets of a list around the calls; undefined if there are none. */
function unlisted(before: string, after: string): [open: string, close: string] | undefined {
  const [open, close] = [before.trimEnd(), after.trimStart()]
  return open.endsWith('[') && close.startsWith(']') ? [open.slice(0, -1), close.slice(1)] : undefined
}

/** Remove what is not part of the format: blanks at both ends, and the end of the turn. */
function trimmed({ open, close, ...around }: Around): Around {
  const end = close.search(END_OF_TURN)
  return {
    ...around,
    open: open.trimStart(),
    close: (end < 0 ? close : close.slice(0, end)).trimEnd(),
  }
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const spelled = (roles: readonly string[]) =>
  WHOLE.filter(([role]) => roles.includes(role))
    .flatMap(([, marks]) => marks.split(' '))
    .map(escaped)
    .join('|')

/** Known marks that end a turn or a part of it. */
const END_OF_TURN = new RegExp(spelled(['stop']), 'i')
/** Known marks that start or end turns, parts and thoughts. They are never part of the mark of a call. */
const TURNS = new RegExp(spelled(['stop', 'header', 'frame', 'think', 'unthink']), 'i')

/** Tags around single arguments. A template that writes all arguments in one such tag is not usable. */
const PARAMETERS = new RegExp(spelled(['key', 'value', 'unparameter']), 'i')

/** Whether a text is unlikely to occur by chance: a tag, a word in brackets, or two special characters. */
const isDistinct = (mark: string): boolean =>
  mark.length > 2 &&
  mark.length <= LONGEST &&
  !/[\n].*[\n]/.test(mark) &&
  /<[^<>\s]+>|\[[^\]\s]+\]|[^\w\s"'.,:;!?()[\]{}-]{2}|[A-Za-z]:$/.test(mark)

/** Find the body of a call in a text, if its shape is simple. */
function findBody(text: string, call: Call): Body | undefined {
  const at = text.indexOf(call.name)
  if (at < 0) return undefined
  return findObject(text, at, call) ?? findPython(text, at, call) ?? findNamed(text, at, call)
}

/** `{"name": "…", "arguments": {…}}` with any keys, the name first. */
function findObject(text: string, at: number, call: Call): Body | undefined {
  const key = /\{\s*"(\w+)"\s*:\s*"$/.exec(text.slice(0, at))
  if (!key) return undefined
  const to = endOfObject(text, key.index)
  const value = parseObject(text.slice(key.index, to))
  const [name, given, ...others] = Object.keys(value ?? {})
  if (!value || name === undefined || given === undefined || others.length > 0) return undefined
  if (!isSame(value[given], call.arguments)) return undefined
  return {
    from: key.index,
    to,
    notation: { kind: 'json', name, arguments: given, list: false },
  }
}

/** `name(key=value)` */
function findPython(text: string, at: number, call: Call): Body | undefined {
  const from = at + call.name.length
  const to = text.indexOf(')', from) + 1
  if (text[from] !== '(' || to === 0) return undefined
  const written = text.slice(at, to).replaceAll(/\s/g, '').replaceAll("'", '"')
  const own = writeCalls({ ...bare, notation: { kind: 'python', list: false } }, [call]).text
  return written === own.replaceAll(/\s/g, '')
    ? { from: at, to, notation: { kind: 'python', list: false } }
    : undefined
}

/** The name, some joining text, and the arguments as an object. */
function findNamed(text: string, at: number, call: Call): Body | undefined {
  const behind = at + call.name.length
  const from = text.indexOf('{', behind)
  const joint = text.slice(behind, from)
  if (from < 0 || joint.length > LONGEST || /\w\s+\w/.test(joint) || PARAMETERS.test(joint)) return undefined
  const to = endOfObject(text, from)
  const value = parseObject(text.slice(from, to))
  return value && isSame(value, call.arguments)
    ? { from: at, to, notation: { kind: 'named', joint } }
    : undefined
}

/** The minimum that `writeCalls` needs to write a body. */
const bare: Format = {
  id: OWN,
  label: '',
  families: '',
  open: '',
  mark: '',
  where: 'start',
  notation: { kind: 'python', list: false },
  close: '',
  several: false,
  declare: 'schemas',
  frame: ['', ''],
}

/** The end of the object that starts at `from`. Probe texts contain no brackets. */
function endOfObject(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return at + 1
  }
  return text.length
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const isSame = (one: unknown, other: unknown): boolean => inOrder(one) === inOrder(other)

const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

function sharedStart(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}

function sharedEnd(one: string, other: string): string {
  let length = 0
  while (length < Math.min(one.length, other.length) && one.at(-1 - length) === other.at(-1 - length))
    length++
  return one.slice(one.length - length)
}

/** Whether calls can be read back from the template's text and from the text written with this format. */
function isProven(format: LearntFormat, [single, pair]: readonly [string, string | undefined]): boolean {
  const ours = (calls: readonly Call[]) => writeCalls(format, calls).text
  return (
    reads(format, single, [first]) &&
    reads(format, ours([first]), [first]) &&
    reads(format, ours(probeCalls), probeCalls) &&
    (pair === undefined || reads(format, pair, probeCalls))
  )
}

const shapes = probeCalls.map(({ name }) => ({
  name,
  parameters: {
    properties: { count: { type: 'integer' }, list: { type: 'array' }, text: { type: 'string' } },
  },
}))

function reads(format: LearntFormat, text: string, calls: readonly Call[]): boolean {
  const reader = createToolCallReader({ tools: shapes, marks: learntMarks(format) })
  const events = [...reader.push(text), ...reader.end()]
  const found = events.filter(({ type }) => type === 'call' || type === 'bad_call')
  return (
    found.length === calls.length &&
    found.every(
      (each, at) =>
        each.type === 'call' && each.name === calls[at]?.name && isSame(each.arguments, calls[at].arguments),
    )
  )
}
