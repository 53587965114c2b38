import { isDeepStrictEqual } from 'node:util'
import {
  Document,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  YAMLMap,
  type CreateNodeOptions,
  type DocumentOptions,
  type Node,
  type Pair,
  type ParseOptions,
  type SchemaOptions,
  type ToStringOptions,
} from 'yaml'
import type { FrontMap } from './front-yaml.ts'

/** One edit: the value at a path from the top, or undefined to remove it. */
export type FrontEdit = { path: readonly string[]; value: string | readonly string[] | undefined }

const PARSE = {
  // Quote words that YAML 1.1 parsers read as another type (`yes`, `on`, dates).
  compat: 'yaml-1.1',
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const satisfies ParseOptions & DocumentOptions & SchemaOptions & CreateNodeOptions
const WIDTH = 80
/** New fields go before all others, in this order. */
const FIRST = ['name', 'description', 'license']

/**
 * Change front matter. Other fields and all comments stay byte for byte. Undefined if it is invalid YAML or
 * cannot be changed in place.
 */
export function editFront(front: string, edits: readonly FrontEdit[]): string | undefined {
  try {
    const document = parseDocument(front, PARSE)
    document.contents ??= new YAMLMap() as never
    if (document.errors.length > 0 || !isMap(document.contents)) return undefined
    const before = new Map(
      document.contents.items.map(pair => [keyOf(pair as Pair), spanOf(pair as Pair)] as const),
    )
    if ([...before.values()].includes(undefined)) return undefined
    for (const edit of edits) put(document, edit)

    const touched = new Set(edits.map(edit => edit.path[0]!))
    const splices: Splice[] = []
    for (const key of touched) {
      const span = before.get(key)
      const pair = document.contents.items.find(each => keyOf(each as Pair) === key) as Pair | undefined
      const old = span && front.slice(span.from, span.to)
      const text = pair === undefined ? '' : write(pair, old ?? '')
      if (span) splices.push({ ...span, text })
      else if (pair) splices.push({ ...placeFor(key, before, front.length), text })
    }
    return applied(front, splices)
  } catch {
    // The library throws plain errors for references into another field and for endless nesting. Such text
    // cannot be changed in place.
    return undefined
  }
}

/** Front matter generated from a map. */
export const writeFront = (map: FrontMap): string =>
  Object.entries(map)
    .map(([key, value]) => new Document({ [key]: value }, PARSE).toString(style('')))
    .join('')

type Splice = { from: number; to: number; text: string; order?: number }

const keyOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key)

/** The range from a field's name to the end of its value and trailing comment. */
function spanOf(pair: Pair): { from: number; to: number } | undefined {
  const from = (pair.key as Node | null)?.range?.[0]
  const to = (pair.value as Node | null)?.range?.[2]
  return from === undefined || to === undefined || to < from ? undefined : { from, to }
}

function placeFor(
  key: string,
  fields: ReadonlyMap<string, { from: number; to: number } | undefined>,
  end: number,
): { from: number; to: number; order: number } {
  const order = FIRST.indexOf(key)
  if (order === -1) return { from: end, to: end, order: FIRST.length }
  const above = FIRST.slice(0, order).findLast(name => fields.has(name))
  const at =
    above === undefined
      ? Math.min(end, ...[...fields.values()].map(span => span!.from))
      : fields.get(above)!.to
  return { from: at, to: at, order }
}

function applied(front: string, splices: readonly Splice[]): string {
  let text = ''
  let at = 0
  for (const splice of splices.toSorted(
    (a, b) => a.from - b.from || a.to - b.to || (a.order ?? 0) - (b.order ?? 0),
  )) {
    const kept = front.slice(at, splice.from)
    text += kept
    if (text !== '' && !text.endsWith('\n')) text += '\n'
    text += splice.text
    at = splice.to
  }
  return text + front.slice(at)
}

/** One field as text, in its former style. */
function write(pair: Pair, old: string): string {
  const alone = new Document({}, PARSE)
  if (isScalar(pair.key)) {
    // The text above the field is kept elsewhere.
    delete pair.key.commentBefore
    delete pair.key.spaceBefore
  }
  const map = new YAMLMap()
  map.items.push(pair)
  alone.contents = map as never
  return alone.toString(style(old))
}

function style(old: string): ToStringOptions {
  const indent = /^[^\n]*\n( {1,8})\S/.exec(old)?.[1]?.length ?? 2
  return {
    indent: Math.max(indent, 2),
    indentSeq: !/^( *)[^\s#:][^\n:]*:[ ]*\n\1- /m.test(old),
    lineWidth: /^[\w-]+: *>/.test(old) ? WIDTH : 0,
    flowCollectionPadding: false,
  }
}

function put(document: Document, { path, value }: FrontEdit): void {
  if (value === undefined) return takeAway(document, path)
  for (let depth = 1; depth < path.length; depth++) {
    const way = path.slice(0, depth)
    if (!isMap(document.getIn(way))) document.setIn(way, document.createNode({}))
  }
  const old = document.getIn(path, true)
  if (typeof value !== 'string' && isSeq(old)) {
    const entries = old.items
    old.items = value.map(word => entryLike(entries, word, document))
  } else if (typeof value === 'string' && isScalar(old)) {
    old.value = value
    // A block scalar stays one; quoted and plain text gets the quotes it needs.
    if (old.type === Scalar.PLAIN || (old.type === Scalar.QUOTE_SINGLE && value.includes('\n')))
      delete old.type
  } else {
    const node = document.createNode(value)
    if (isSeq(node)) node.flow = true
    const comment = (old as Node | undefined)?.comment
    if (comment) node.comment = comment
    document.setIn(path, node)
  }
}

/** Remove a field, and the maps that contained only it. */
function takeAway(document: Document, path: readonly string[]): void {
  document.deleteIn(path)
  const above = path.slice(0, -1)
  const map = above.length > 0 ? document.getIn(above) : undefined
  if (isMap(map) && map.items.length === 0) takeAway(document, above)
}

/** The existing entry with its comments, if it has the same text. */
function entryLike(entries: readonly unknown[], word: string, document: Document): Node {
  const same = entries.find(entry => isScalar(entry) && isDeepStrictEqual(entry.source ?? entry.value, word))
  return (same as Node | undefined) ?? document.createNode(word)
}
