import { GREATER, RIGHT_BRACKET } from '../characters.ts'
import { coerceText } from './coerce.ts'
import { END, type Input, type Reading, sees, skipSpace } from '../input.ts'
import { isObject, type Schema, setOwn } from '../tools.ts'
import { Trouble } from '../trouble.ts'
import { readName } from './words.ts'

/** MiniMax M3 puts this before every tag, so that none of its tags can occur in the text of a value. */
const MARK = ']<]minimax[>['
const DEEPEST = 50

/** Whether an element comes next, and not the closing tag of the one around it. */
export function* seesElement(input: Input): Reading<boolean> {
  return (yield* sees(input, `${MARK}<`)) && !(yield* sees(input, `${MARK}</`))
}

/** Read one parameter that is an element named after it: `<key>value</key>`, the value in text or in elements again. */
export function* readElement(
  input: Input,
  schemaOf: (name: string) => Schema | undefined,
  depth = 0,
): Reading<[string, unknown] | Trouble> {
  if (depth > DEEPEST) return new Trouble('it is nested too deeply')
  input.at += MARK.length + 1
  const name = yield* readName(input)
  if (name === '' || input.code() !== GREATER) return new Trouble('a tag has no name')
  input.at++
  const value = yield* readContent(input, schemaOf(name), depth)
  if (value instanceof Trouble) return value
  const close = `${MARK}</${name}>`
  if (!(yield* sees(input, close)))
    return new Trouble(`<${name}> is not closed`, input.code() === END ? 'cut' : 'other')
  input.at += close.length
  return [name, value]
}

function* readContent(input: Input, schema: Schema | undefined, depth: number): Reading<unknown> {
  const from = input.at
  yield* skipSpace(input)
  if (!(yield* seesElement(input))) {
    input.at = from
    const text = yield* readText(input)
    return text instanceof Trouble ? text : coerceText(text, schema)
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
    if (element instanceof Trouble) return element
    setOwn(object, ...element)
    list.push(element[1])
    yield* skipSpace(input)
  }
  // Without a schema, a name that comes twice tells a list.
  return isList || list.length > Object.keys(object).length ? list : object
}

function* readText(input: Input): Reading<string | Trouble> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return new Trouble('a value was cut off', 'cut')
    if (code === RIGHT_BRACKET && (yield* sees(input, MARK))) return input.slice(from)
    input.at++
  }
}
