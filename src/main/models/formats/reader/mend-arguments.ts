import { readValue, type ValueOptions } from './bodies/read-value.ts'
import { END, readWhole, skipSpace, Unreadable, type Input, type Reading } from './reader-input.ts'
import { isObject } from './known-tools.ts'

/** Maximum number of consecutive objects; more are not a slip of the model. */
const MOST_VALUES = 20

/** Text that may surround the arguments: a code fence, and the model's own marks. */
const BEFORE = /^\s*(?:```\w*\s*)?/
/** Words before a fence, such as “Here they are:”. They cannot be part of the arguments. */
const WORDS = /^[^{}[\]"'`]{1,200}(?=```\w*\s*\{)/
const BEHIND = /(?:\s|;|```|<\|[^|<>]{0,40}\|>|<\/[\w-]{1,40}>)+$/

/**
 * Read arguments that arrived as the text of a JSON object, and repair them like calls written as text.
 * Repairs trailing commas, single quotes, fences, Python's constants, JSON within JSON, and the same object
 * twice. Only text with a single reading is repaired, and nothing that was cut off is completed.
 */
export function mendArguments(text: string): unknown {
  if (/^(?:null|None|undefined)?$/.test(text.trim())) return {}
  const given = parsed(text) ?? readObjects(text)
  if (typeof given === 'string') {
    const inner = given.trim() === '' ? {} : (parsed(given) ?? readObjects(given))
    return typeof inner === 'string' ? notOne() : only(inner)
  }
  return only(given)
}

/** Read a text as one value, with the same repairs; undefined if it has none or several, or is cut off. */
export function readOneValue(text: string): unknown {
  const values = readWhole(`${text} `, readAll)
  return values instanceof Unreadable || values.length > 1 ? undefined : values[0]
}

/** A list of one object can only mean the object. */
const only = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 && isObject(value[0]) ? value[0] : value

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return undefined
  }
}

/** The one object in a text, even if repeated. An empty one before it is ignored: some servers send it. */
function readObjects(text: string): unknown {
  const written = text.replace(WORDS, '')
  const bare = written.slice(BEFORE.exec(written)?.[0].length ?? 0)
  const values = readWhole(`${withoutEnd(bare)} `, readAll)
  if (values instanceof Unreadable) return values
  const [first, ...others] = values.length > 1 ? values.filter(each => !isEmpty(each)) : values
  if (others.every(other => isSame(first, other))) return first ?? {}
  return new Unreadable(`they are ${others.length + 1} different objects; make one call for each`)
}

/** Remove what may follow the arguments. Only the last 200 characters are changed. */
function withoutEnd(text: string): string {
  const tail = text.slice(-200)
  return text.slice(0, text.length - tail.length) + tail.replace(BEHIND, '')
}

const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0

/** Compare two values. They cannot be nested deeper than the reader allows. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => isSame(each, other[at]))
  if (!isObject(one) || !isObject(other)) return Object.is(one, other)
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every(key => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  )
}

const notOne = () => new Unreadable('they are not one JSON object')

function* readAll(input: Input): Reading<unknown[] | Unreadable> {
  const values: unknown[] = []
  for (;;) {
    yield* skipSpace(input)
    if (input.code() === END) return values.length > 0 ? values : notOne()
    if (values.length === MOST_VALUES) return notOne()
    const options: ValueOptions = {}
    const value = yield* readValue(input, options)
    if (value instanceof Unreadable) return value
    // Brackets that were never closed may have lost part of their content.
    if (options.closedAtEnd) return new Unreadable('they were cut off', 'cut')
    values.push(value)
  }
}
