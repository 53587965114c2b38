import { readValue, type ValueOptions } from './bodies/read-value.ts'
import { END, readWhole, skipSpace, Unreadable, type Input, type Reading } from './reader-input.ts'
import { isObject } from './known-tools.ts'

/** More objects than that in a row are no slip of a model. */
const MOST_VALUES = 20

/** What may stand around the arguments without being part of them: a code fence, and the model's own marks. */
const BEFORE = /^\s*(?:```\w*\s*)?/
/** Words before a fence, such as “Here they are:”. They have nothing that could be part of the arguments. */
const WORDS = /^[^{}[\]"'`]{1,200}(?=```\w*\s*\{)/
const BEHIND = /(?:\s|;|```|<\|[^|<>]{0,40}\|>|<\/[\w-]{1,40}>)+$/

/**
 * Read arguments that came as the text of a JSON object, and mend them as those of calls that are written as text: trailing
 * commas, single quotes, fences, Python's constants, JSON within JSON, the same object twice. Only what can be read in one way
 * is mended, and nothing that was cut off is completed.
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

/** The one value that a text is, mended in the same way; undefined where it is none, several, or cut off. */
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

/** The one object that was written, however often. An empty one before another is what some servers begin with. */
function readObjects(text: string): unknown {
  const written = text.replace(WORDS, '')
  const bare = written.slice(BEFORE.exec(written)?.[0].length ?? 0)
  const values = readWhole(`${withoutEnd(bare)} `, readAll)
  if (values instanceof Unreadable) return values
  const [first, ...others] = values.length > 1 ? values.filter(each => !isEmpty(each)) : values
  if (others.every(other => isSame(first, other))) return first ?? {}
  return new Unreadable(`they are ${others.length + 1} different objects; make one call for each`)
}

/** Cuts what may stand behind. A text of nothing else is left, and so is one in which that is far from the end. */
function withoutEnd(text: string): string {
  const tail = text.slice(-200)
  return text.slice(0, text.length - tail.length) + tail.replace(BEHIND, '')
}

const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0

/** Values are never deeper than they can be read. */
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
    // Brackets that were never closed may have lost what stood in them.
    if (options.closedAtEnd) return new Unreadable('they were cut off', 'cut')
    values.push(value)
  }
}
