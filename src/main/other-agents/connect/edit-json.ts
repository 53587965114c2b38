import { createScanner, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import type { Refusal } from '../../lib/expected-errors.ts'

// Settings of other programs are edited as text, so that comments, line ends, indentation and byte order mark
// stay. jsonc-parser's editor reformats neighbours; here only the added or removed part changes.

/** The path of a value in a JSON text: property names. */
type JsonPath = readonly string[]

const BOM = '\uFEFF'
const OPTIONS = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true }
/** The token kinds of jsonc-parser used here. Its own list is a const enum, which cannot be imported. */
const COMMA = 5
const LINE_COMMENT = 12
const BLOCK_COMMENT = 13
const LINE_BREAK = 14
const BLANK = 15

/**
 * Set a property in a JSON text, which may have comments. An empty or missing text becomes an object.
 * @internal For connectors that edit settings; those of today leave that to the program’s own command.
 */
export function setInJson(text: string | undefined, path: JsonPath, value: unknown): string | Refusal {
  return editJson(text, (body, root) => {
    const found = nodeAt(root, path)
    if (found) return replace(body, found.offset, endOf(found), written(value, body, indentAt(body, found)))
    const { parent, rest } = deepest(root, path)
    if (parent.type !== 'object')
      return { refused: `its “${path[path.length - rest.length - 1]}” is not an object` }
    const [name = '', ...deeper] = rest
    const nested = deeper.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
    return addChild(body, parent, indent => `${JSON.stringify(name)}: ${written(nested, body, indent)}`)
  })
}

/**
 * Append a value to a list in a JSON text, unless it is already there.
 * @internal For connectors that edit settings; those of today leave that to the program’s own command.
 */
export function addToList(text: string | undefined, path: JsonPath, value: string): string | Refusal {
  const read = readTree(text)
  if ('refused' in read) return read
  const list = read.root && nodeAt(read.root, path)
  if (!list) return setInJson(text, path, [value])
  if (list.type !== 'array') return { refused: `its “${path.join('.')}” is not a list` }
  if (list.children?.some(each => each.value === value)) return text ?? ''
  return editJson(text, (body, root) => addChild(body, nodeAt(root, path)!, () => JSON.stringify(value)))
}

/**
 * Remove a property from a JSON text, and the objects that become empty.
 * @internal For connectors that edit settings; those of today leave that to the program’s own command.
 */
export function removeFromJson(text: string, path: JsonPath): string | Refusal {
  return editJson(text, (body, root) => {
    const found = nodeAt(root, path)
    return found ? removeChild(body, lonelyAbove(found.parent!)) : body
  })
}

/**
 * Remove a value from a list in a JSON text, and the list if it becomes empty.
 * @internal For connectors that edit settings; those of today leave that to the program’s own command.
 */
export function removeFromList(text: string, path: JsonPath, value: string): string | Refusal {
  return editJson(text, (body, root) => {
    const list = nodeAt(root, path)
    const item = list?.children?.find(each => each.value === value)
    if (!list || list.type !== 'array' || !item) return body
    return removeChild(body, list.children!.length === 1 ? lonelyAbove(list.parent!) : item)
  })
}

/** Return the value of a property; undefined if it is missing, or the text is not JSON. */
export function readFromJson(text: string | undefined, path: JsonPath): unknown {
  const read = readTree(text)
  const found = 'refused' in read || !read.root ? undefined : nodeAt(read.root, path)
  return found && valueOf(found)
}

type Edit = (body: string, root: Node) => string | Refusal

function editJson(text: string | undefined, edit: Edit): string | Refusal {
  const read = readTree(text)
  if ('refused' in read) return read
  const { mark, body, root } = read
  if (root && root.type !== 'object') return { refused: 'it does not contain an object' }
  if (root) {
    const edited = edit(body, root)
    return typeof edited === 'string' ? mark + edited : edited
  }
  const eol = eolOf(body)
  const empty = `{${eol}}`
  const edited = edit(`${empty}${eol}`, parseTree(empty)!)
  return typeof edited === 'string'
    ? `${mark}${body.trim() === '' ? '' : `${body.trimEnd()}${eol}`}${edited}`
    : edited
}

function readTree(
  text: string | undefined,
): { mark: string; body: string; root: Node | undefined } | Refusal {
  const mark = text?.startsWith(BOM) ? BOM : ''
  const body = (text ?? '').slice(mark.length)
  const errors: ParseError[] = []
  const root = parseTree(body, errors, OPTIONS)
  const [first] = errors
  if (!first) return { mark, body, root }
  const line = body.slice(0, first.offset).split('\n').length
  return { refused: `it is not JSON: line ${line}, ${printParseErrorCode(first.error)}` }
}

function nodeAt(root: Node, path: JsonPath): Node | undefined {
  let at: Node | undefined = root
  for (const name of path) {
    // If two properties have the same name, the last one counts.
    at =
      at?.type === 'object'
        ? at.children?.findLast(each => each.children![0]!.value === name)?.children![1]
        : undefined
  }
  return at
}

function deepest(root: Node, path: JsonPath): { parent: Node; rest: JsonPath } {
  for (let length = path.length - 1; length >= 0; length--) {
    const parent = nodeAt(root, path.slice(0, length))
    if (parent) return { parent, rest: path.slice(length) }
  }
  return { parent: root, rest: path }
}

/** Return a property, or the outermost one that would become empty without it. */
function lonelyAbove(property: Node): Node {
  const object = property.parent
  const above = object?.parent
  return object?.children?.length === 1 && above?.type === 'property' ? lonelyAbove(above) : property
}

const endOf = ({ offset, length }: Node) => offset + length
const replace = (body: string, from: number, to: number, by: string) =>
  body.slice(0, from) + by + body.slice(to)
const eolOf = (body: string) => /\r?\n/.exec(body)?.[0] ?? '\n'

/** Return one step of the text's indentation. */
const stepOf = (body: string) => /^(?:\t|[ ]+)(?=\S)/m.exec(body)?.[0] ?? '  '

/** Return the indentation of the line on which a node starts. */
function indentAt(body: string, { offset }: Node): string {
  const line = body.slice(body.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)![0]
}

const written = (value: unknown, body: string, indent: string): string =>
  JSON.stringify(value, null, stepOf(body)).replaceAll('\n', `${eolOf(body)}${indent}`)

/** Add a child after the last one of an object or list, on its own line if the others have one. */
function addChild(body: string, parent: Node, write: (indent: string) => string): string {
  const outer = indentAt(body, parent)
  const eol = eolOf(body)
  const last = parent.children?.at(-1)
  if (!last) {
    const inner = outer + stepOf(body)
    const begin = parent.offset + 1
    const rest = body.slice(begin, endOf(parent) - 1)
    // Comments inside stay before the added child.
    const kept = rest.trim() === '' ? '' : rest.trimEnd()
    return replace(body, begin, endOf(parent) - 1, `${kept}${eol}${inner}${write(inner)}${eol}${outer}`)
  }
  const { comma, lineEnd } = behind(body, endOf(last), endOf(parent) - 1)
  const at = comma === undefined ? endOf(last) : comma + 1
  if (!isAlone(body, last)) return replace(body, at, at, `${comma === undefined ? ',' : ''} ${write(outer)}`)
  const inner = indentAt(body, last)
  const added = `${eol}${inner}${write(inner)}${comma === undefined ? '' : ','}`
  const withAdded = replace(body, lineEnd ?? at, lineEnd ?? at, added)
  return comma === undefined ? replace(withAdded, endOf(last), endOf(last), ',') : withAdded
}

/** Return whether a child is first on its line. */
const isAlone = (body: string, node: Node) =>
  body.slice(body.lastIndexOf('\n', node.offset - 1) + 1, node.offset).trim() === ''

/** Return the text after a child: its comma, and the line end if only comments precede it. */
function behind(
  body: string,
  from: number,
  to: number,
): { comma: number | undefined; lineEnd: number | undefined } {
  const scanner = createScanner(body, false)
  scanner.setPosition(from)
  let comma: number | undefined
  for (;;) {
    const token = scanner.scan() as number
    const at = scanner.getTokenOffset()
    if (at >= to) return { comma, lineEnd: undefined }
    if (token === LINE_BREAK) return { comma: comma ?? commaLater(body, from, to), lineEnd: at }
    if (token === COMMA && comma === undefined) comma = at
    else if (![LINE_COMMENT, BLOCK_COMMENT, BLANK].includes(token)) return { comma, lineEnd: undefined }
  }
}

function commaLater(body: string, from: number, to: number): number | undefined {
  const scanner = createScanner(body, true)
  scanner.setPosition(from)
  return (scanner.scan() as number) === COMMA && scanner.getTokenOffset() < to
    ? scanner.getTokenOffset()
    : undefined
}

/** Remove a property or item with its comma, and with its lines if it has its own. */
function removeChild(body: string, child: Node): string {
  const parent = child.parent!
  const children = parent.children!
  const index = children.indexOf(child)
  const before = children[index - 1]
  const inside = endOf(parent) - 1
  const { comma, lineEnd } = behind(body, endOf(child), inside)
  const isLast = index === children.length - 1
  // The comma before the last child goes too, unless the list ends with a trailing comma anyway.
  const lead = isLast && comma === undefined && before ? commaLater(body, endOf(before), inside) : undefined
  if (children.length === 1 && body.slice(parent.offset + 1, child.offset).trim() === '') {
    const rest = body.slice(comma === undefined ? endOf(child) : comma + 1, inside)
    if (rest.trim() === '') return replace(body, parent.offset + 1, inside, '')
  }
  const start = isAlone(body, child) ? body.lastIndexOf('\n', child.offset - 1) : child.offset
  const from = start > 0 && body[start] === '\n' && body[start - 1] === '\r' ? start - 1 : start
  const to =
    isAlone(body, child) && lineEnd !== undefined ? lineEnd : comma === undefined ? endOf(child) : comma + 1
  const without = isAlone(body, child)
    ? replace(body, Math.max(from, 0), to, '')
    : replace(body, lead ?? from, to, '')
  return lead === undefined || !isAlone(body, child) ? without : replace(without, lead, lead + 1, '')
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf)
  if (node.type !== 'object') return node.value as unknown
  return Object.fromEntries(
    (node.children ?? []).map(each => [String(each.children![0]!.value), valueOf(each.children![1]!)]),
  )
}
