import { GREATER, RIGHT_BRACKET } from '../char-codes.ts'
import { coerceText } from './coerce-text.ts'
import { END, type Input, type Reading, comesNext, skipSpace, Unreadable } from '../input.ts'
import { isObject, type Schema, setOwn } from '../known-tools.ts'
import { readName } from './names.ts'

/** MiniMax M3 puts this before every tag, so that its tags cannot occur in the text of a value. */
const MARK = ']<]minimax[>['
const DEEPEST = 50

/** Whether an element comes next, and not the closing tag of its parent. */
export function* seesElement(input: Input): Reading<boolean> {
  return (yield* comesNext(input, `${MARK}<`)) && !(yield* comesNext(input, `${MARK}</`))
}

/**
 * Read a parameter written as an element with its name: `<key>value</key>`, where the value is text or nested
 * elements.
 */
export function* readElement(
  input: Input,
  schemaOf: (name: string) => Schema | undefined,
  depth = 0,
): Reading<[string, unknown] | Unreadable> {
  if (depth > DEEPEST) return new Unreadable('it is nested too deeply')
  input.at += MARK.length + 1
  const name = yield* readName(input)
  if (name === '' || input.code() !== GREATER) return new Unreadable('a tag has no name')
  input.at++
  const value = yield* readContent(input, schemaOf(name), depth)
  if (value instanceof Unreadable) return value
  const close = `${MARK}</${name}>`
  if (!(yield* comesNext(input, close)))
    return new Unreadable(`<${name}> is not closed`, input.code() === END ? 'cut' : 'other')
  input.at += close.length
  return [name, value]
}

function* readContent(input: Input, schema: Schema | undefined, depth: number): Reading<unknown> {
  const from = input.at
  yield* skipSpace(input)
  if (!(yield* seesElement(input))) {
    input.at = from
    const text = yield* readText(input)
    return text instanceof Unreadable ? text : coerceText(text, schema)
  }
  const isList = schema?.['type'] === 'array'
  const inner = schema?.[isList ? 'items' : 'properties']
  const schemaOf = (name: string) => {
    const own = isList || !isObject(inner) ? inner : inner[name]
    return isObject(own) ? own : undefined
  }
  const list: unknown[] = []
  const object: Record<string, unknown> = {}
  while (yield* seesElement(input)) {
    const element = yield* readElement(input, schemaOf, depth + 1)
    if (element instanceof Unreadable) return element
    setOwn(object, ...element)
    list.push(element[1])
    yield* skipSpace(input)
  }
  // Without a schema, a repeated name indicates a list.
  return isList || list.length > Object.keys(object).length ? list : object
}

function* readText(input: Input): Reading<string | Unreadable> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return new Unreadable('a value was cut off', 'cut')
    if (code === RIGHT_BRACKET && (yield* comesNext(input, MARK))) return input.slice(from)
    input.at++
  }
}
