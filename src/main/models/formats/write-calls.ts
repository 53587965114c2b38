import type { Call, Dialect, Marked, Notation } from './dialect.ts'
import { joinMarked, joinPieces, markTags, type Piece } from './marked.ts'
import { isPlainName, spellGemma, spellJson, spellPython } from './spell-value.ts'

/** What stands between two calls; a line feed where nothing is said here. */
const BETWEEN: Readonly<Record<string, string>> = {
  llama3: '; ',
  gemma4: '',
  functiongemma: '',
  'mistral-args': '',
  // The second call is a message of its own.
  harmony: '<|call|><|start|>assistant',
}

/**
 * Spell calls the way models of this dialect do, for the history. `markup` covers the dialect’s own marks and never what
 * stands in the arguments. Calls that a notation cannot carry – a text with the very tag that would close it – stand
 * between the same marks as JSON. What is text and what is a number, tagged text leaves to the schema of the tool.
 */
export function writeCalls(dialect: Dialect, calls: readonly Call[]): Marked {
  if (calls.length === 0) return { text: '', markup: [] }
  const bodies = bodiesOf(dialect, calls)
  const between = joinPieces(markTags(dialect, BETWEEN[dialect.id] ?? '\n'))
  return joinMarked(
    bodies.flatMap((body, at) => (at === 0 ? [] : [between]).concat(around(dialect, body))),
    '',
  )
}

/** What stands between the marks: one body for all calls where the notation has lists, one for each otherwise. */
function bodiesOf(dialect: Dialect, calls: readonly Call[]): Piece[][] {
  const { notation } = dialect
  const mark = (text: string) => markTags(dialect, text)
  switch (notation.kind) {
    case 'json': {
      const objects = calls.map(call =>
        spellJson({ [notation.name]: call.name, [notation.arguments]: call.arguments }),
      )
      return notation.list ? [[`[${objects.join(', ')}]`]] : objects.map(object => [object])
    }
    case 'python': {
      const written = calls.map(writePython)
      return [[notation.list ? `[${written.join(', ')}]` : written.join('\n')]]
    }
    case 'named':
      return calls.map(call => [call.name, ...mark(notation.joint), spellJson(call.arguments)])
    case 'tagged':
      return calls.map(call => writeTagged(notation, call, mark))
    case 'gemma':
      return calls.map(call => [`call:${call.name}`, ...spellGemma(call.arguments, notation.quote)])
  }
}

function around(dialect: Dialect, body: readonly Piece[]): Marked {
  const [start] = body
  // A dialect without marks opens with the beginning of the object itself.
  const isOpen = typeof start === 'string' && start.startsWith(dialect.open)
  const open = isOpen ? [] : markTags(dialect, dialect.open)
  return joinPieces([...open, ...body, ...markTags(dialect, dialect.close)])
}

/** `name(key=value)`, or one dictionary where a key is no keyword. */
function writePython({ name, arguments: given }: Call): string {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  if (!entries.every(([key]) => isPlainName(key))) return `${name}(${spellPython(given)})`
  return `${name}(${entries.map(([key, value]) => `${key}=${spellPython(value)}`).join(', ')})`
}

type Tagged = Extract<Notation, { kind: 'tagged' }>

/** What a value must not contain, since readers take it for the end of the value or for quoting. */
const ENDS_VALUE = /<(?:!\[CDATA\[|[/\\|｜]*(?:param|arg|steptml|dsml|close|open))|\]<\]/i

function writeTagged(tags: Tagged, call: Call, mark: (text: string) => Piece[]): Piece[] {
  const entries = Object.entries(call.arguments).filter(([, value]) => value !== undefined)
  const texts = entries.map(([, value]) => (typeof value === 'string' ? value : spellJson(value)))
  if (!entries.every(([key]) => isPlainName(key)) || texts.some(text => ENDS_VALUE.test(text)))
    return [spellJson({ name: call.name, arguments: call.arguments })]
  return [
    ...mark(tags.beforeName),
    call.name,
    ...mark(tags.afterName),
    ...entries.flatMap(([key], at) => [
      ...mark(tags.beforeKey),
      key,
      ...mark(tags.afterKey),
      padded(tags, texts[at]!),
      ...mark(tags.afterValue),
    ]),
    ...mark(tags.afterCall),
  ]
}

/** In pairs of keys and values, a line feed at both ends of a text is layout; a text with its own gets another pair. */
const padded = (tags: Tagged, text: string) =>
  tags.beforeName === '' && /^\n[^]*\n$/.test(text) ? `\n${text}\n` : text
