import { callId } from './call-ids.ts'
import type { Call, CallId, Format, Marked, Notation } from './format-types.ts'
import { joinMarked, joinPieces, markTags, piecesOf, type Piece } from './marked-text.ts'

/**
 * Write calls as models of this format do, for the history. `markup` covers the format’s own marks and never
 * the arguments. A call that the notation cannot express is written as JSON between the same marks; an
 * example is a string with the tag that would close it. Tagged text does not distinguish strings from
 * numbers; the tool's schema does. `earlier`: the number of preceding calls, for formats that count them.
 */
export function writeCalls(format: Format, calls: readonly Call[], earlier = 0): Marked {
  if (calls.length === 0) return { text: '', markup: [] }
  const bodies = bodiesOf(format, calls, earlier)
  const { each, between: link = '\n' } = format
  if (each) {
    const [before, after] = each.map(part => markTags(format, part))
    const inner = bodies.flatMap((body, at) => [
      ...(at === 0 ? [] : markTags(format, link)),
      ...(before ?? []),
      ...body,
      ...(after ?? []),
    ])
    return around(format, inner)
  }
  const between = joinPieces(markTags(format, link))
  return joinMarked(
    bodies.flatMap((body, at) => (at === 0 ? [] : [between]).concat(around(format, body))),
    '',
  )
}

/**
 * Write a reply with calls, for the history: first the words, then the calls. `earlier` is the number of
 * preceding calls in the conversation.
 */
export function writeReply(format: Format, words: string, calls: readonly Call[], earlier: number): Marked {
  const { behindWords } = format
  const lead = behindWords === undefined ? [words === '' ? '' : '\n'] : markTags(format, behindWords)
  return joinPieces([words, ...lead, ...piecesOf(writeCalls(format, calls, earlier))])
}

/** The text between the marks: one body for all calls if the notation has lists, otherwise one per call. */
function bodiesOf(format: Format, calls: readonly Call[], earlier: number): Piece[][] {
  const { notation } = format
  const mark = (text: string) => markTags(format, text)
  switch (notation.kind) {
    case 'json': {
      const { id, place } = notation
      const objects = calls.map((call, at) =>
        spellJson({
          ...(place !== undefined && { [place]: String(earlier + at) }),
          [notation.name]: call.name,
          [notation.arguments]: call.arguments,
          ...(id !== undefined && { [id]: callId(earlier + at) }),
        }),
      )
      return notation.list ? [[`[${objects.join(', ')}]`]] : objects.map(object => [object])
    }
    case 'python': {
      const written = calls.map(writePython)
      return [[notation.list ? `[${written.join(', ')}]` : written.join('\n')]]
    }
    case 'named':
      return calls.map((call, at) => [
        ...nameWithId(call.name, notation.id, earlier + at).flatMap(mark),
        ...mark(notation.joint),
        spellJson(call.arguments),
      ])
    case 'tagged':
      return calls.map((call, at) => writeTagged(notation, call, mark, at + 1))
    case 'elements':
      return calls.map(call => writeElements(notation, call, mark))
    case 'gemma':
      return calls.map(call => [`call:${call.name}`, ...spellGemma(call.arguments, notation.quote)])
  }
}

function nameWithId(name: string, id: CallId | undefined, at: number): string[] {
  if (!id) return [name]
  const own = id.form === 'place' ? String(at) : callId(at)
  return id.after === undefined ? [name, id.before, own] : [id.before, own, id.after, name]
}

function around(format: Format, body: readonly Piece[]): Marked {
  const open = markTags(format, beforeBody(format))
  return joinPieces([...open, ...body, ...markTags(format, format.close)])
}

/** The text before the body. Formats without marks open with the start of the body's own object or list. */
export function beforeBody({ open, notation }: Format): string {
  if (notation.kind === 'python' && notation.list && open.endsWith('[')) return open.slice(0, -1)
  if (notation.kind !== 'json') return open
  const start = `${notation.list ? '[' : ''}{${JSON.stringify(notation.name)}: `
  return open.endsWith(start) ? open.slice(0, -start.length) : open
}

/** `name(key=value)`, or one dictionary if a key is not a valid keyword. */
function writePython({ name, arguments: given }: Call): string {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  if (!entries.every(([key]) => isPlainName(key))) return `${name}(${spellPython(given)})`
  return `${name}(${entries.map(([key, value]) => `${key}=${spellPython(value)}`).join(', ')})`
}

type Tagged = Extract<Notation, { kind: 'tagged' }>

/** Text that a value must not contain, because parsers take it for the end of the value or for quoting. */
const ENDS_VALUE = /<(?:!\[CDATA\[|[/\\|｜]*(?:param|arg|atem|steptml|dsml|close|open))|\]<\]/i

function writeTagged(tags: Tagged, call: Call, mark: (text: string) => Piece[], place: number): Piece[] {
  const entries = Object.entries(call.arguments).filter(([, value]) => value !== undefined)
  const texts = entries.map(([, value]) => (typeof value === 'string' ? value : spellJson(value)))
  if (!entries.every(([key]) => isPlainName(key)) || texts.some(text => ENDS_VALUE.test(text)))
    return tags.withoutTags
      ? [
          ...mark(tags.beforeName),
          call.name,
          ...mark(tags.afterName),
          spellJson(call.arguments),
          ...mark(tags.afterCall),
        ]
      : [spellJson({ name: call.name, arguments: call.arguments })]
  return [
    ...mark(tags.beforeName),
    call.name,
    ...mark(tags.afterName),
    ...(tags.afterPlace === undefined ? [] : [String(place), ...mark(tags.afterPlace)]),
    ...entries.flatMap(([key], at) => [
      ...mark(tags.beforeKey),
      key,
      ...mark(isText(entries[at]![1]) ? tags.afterKey : behindOtherKey(tags, jsonType(entries[at]![1]))),
      isText(entries[at]![1]) ? spellText(tags, texts[at]!) : texts[at]!,
      ...mark(tags.afterValue),
    ]),
    ...mark(tags.afterCall),
  ]
}

/** The text after the key of a value that is not a string. */
export const behindOtherKey = ({ afterKey, afterOtherKey = afterKey }: Tagged, type: string): string =>
  typeof afterOtherKey === 'string' ? afterOtherKey : afterOtherKey.join(type)

const jsonType = (value: unknown) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)

/** Write arguments as elements. If elements cannot express them, the whole call becomes JSON. */
function writeElements(
  { before, beforeName, afterName, afterCall, item }: Extract<Notation, { kind: 'elements' }>,
  call: Call,
  mark: (text: string) => Piece[],
): Piece[] {
  // The name of an argument is data, even inside a tag.
  const tag = (text: string): Piece[] => [...mark(before), text]
  const write = (value: unknown): Piece[] => {
    if (Array.isArray(value) && value.length > 0) return value.flatMap(each => element(item, each))
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && entriesOf(value).length > 0)
      return entriesOf(value).flatMap(([key, each]) => element(key, each))
    return [typeof value === 'string' ? value : spellJson(value)]
  }
  const element = (key: string, value: unknown): Piece[] => [
    ...tag(`<${key}>`),
    ...write(value),
    ...tag(`</${key}>`),
  ]
  const fits = (value: unknown): boolean => {
    if (typeof value === 'string') return !value.includes(before)
    if (typeof value !== 'object' || value === null) return true
    return Object.entries(value).every(
      ([key, each]) => (Array.isArray(value) || isPlainName(key)) && fits(each),
    )
  }
  if (!fits(call.arguments)) return [spellJson({ name: call.name, arguments: call.arguments })]
  const entries = entriesOf(call.arguments)
  return [
    ...tag(beforeName),
    call.name,
    ...mark(afterName),
    ...entries.flatMap(([key, value]) => element(key, value)),
    ...tag(afterCall),
  ]
}

/** Write a text between tags. CDATA is used only if parsers cannot mistake the text for an end mark. */
const spellText = (tags: Tagged, text: string) =>
  tags.cdata && /[<&\n]/.test(text) && !text.includes(']]>') ? `<![CDATA[${text}]]>` : padded(tags, text)

const isText = (value: unknown) => typeof value === 'string'

/**
 * Except after a key like `<parameter=key>`, line feeds at both ends of a string are layout. A string that
 * has such line feeds itself gets another pair.
 */
const padded = (tags: Tagged, text: string) =>
  !tags.beforeKey.endsWith('=') && /^\n[^]*\n$/.test(text) ? `\n${text}\n` : text

/** JSON with a blank after each comma and colon, as Python and nearly all chat templates write it. */
export function spellJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spellJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{${entriesOf(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${spellJson(item)}`)
    .join(', ')}}`
}

/** A Python literal. JSON strings are also valid in Python. */
function spellPython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spellPython).join(', ')}]`
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null || value === undefined) return 'None'
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${entriesOf(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${spellPython(item)}`)
    .join(', ')}}`
}

/**
 * Write a value in Gemma's notation: bare keys, and `quote` around strings, in which no character is special.
 * A string or key that cannot be written this way becomes JSON.
 */
export function spellGemma(value: unknown, quote: string): Piece[] {
  if (typeof value === 'string')
    return value.includes(quote) ? [JSON.stringify(value)] : [{ mark: quote }, value, { mark: quote }]
  if (Array.isArray(value)) return ['[', ...listOf(value.map(item => spellGemma(item, quote))), ']']
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value) ?? 'null']
  const members = entriesOf(value).map(([key, item]): Piece[] => [
    isPlainName(key) ? key : JSON.stringify(key),
    ':',
    ...spellGemma(item, quote),
  ])
  return ['{', ...listOf(members), '}']
}

/** Whether a key can be written without quotes in every notation. */
export const isPlainName = (key: string): boolean => /^[A-Za-z_][\w-]{0,99}$/.test(key)

/** The entries that JSON would write; `undefined` values are left out. */
const entriesOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, item]) => item !== undefined)

const listOf = (items: readonly Piece[][]): Piece[] =>
  items.flatMap((item, at) => (at === 0 ? item : [',', ...item]))
