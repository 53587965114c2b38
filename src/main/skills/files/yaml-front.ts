import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml'
import { FORBIDDEN_KEYS, frontMap, plainValue, type FrontMap, type FrontValue } from './front-value.ts'

const MOST_NODES = 5_000
const MOST_ALIASES = 50
const DEEPEST = 12

/** The result of the YAML library for front matter. `line` counts from 1 within the given text. */
export type YamlFront =
  | { map: FrontMap; dropped: { line: number; key: string }[] }
  | { broken: string; line: number }

/** Internal error for valid YAML features that skills do not need and that are unsupported. */
class Beyond extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/**
 * Read YAML into plain values: text, lists and maps. Tags are ignored, references are followed a few times,
 * and the size of the result is limited.
 */
export function yamlFront(text: string): YamlFront {
  const lines = new LineCounter()
  const lineOf = (at: number) => Math.max(lines.linePos(at).line, 1)
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      resolveKnownTags: false,
      // Checked while reading, because the library compares every pair of keys.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
      lineCounter: lines,
    })
    const [error] = document.errors
    if (error) return { broken: error.message, line: lineOf(error.pos[0]) }
    if (!isMap(document.contents)) return { broken: 'it is not a list of fields', line: 1 }
    const dropped: { at: number; key: string }[] = []
    const map = new Plain(document, dropped).value(document.contents, 0) as FrontMap
    return { map, dropped: dropped.map(({ at, key }) => ({ line: lineOf(at), key })) }
  } catch (error) {
    if (error instanceof Beyond) return { broken: error.message, line: lineOf(error.at) }
    // The library recurses once per level, so deep nesting can overflow the stack.
    if (error instanceof RangeError) return { broken: 'it is nested too deeply', line: 1 }
    throw error
  }
}

class Plain {
  readonly #document: Document
  readonly #dropped: { at: number; key: string }[]
  #nodes = 0
  #aliases = 0

  constructor(document: Document, dropped: { at: number; key: string }[]) {
    this.#document = document
    this.#dropped = dropped
  }

  value(node: unknown, depth: number): FrontValue {
    const at = (node as Node | null)?.range?.[0] ?? 0
    if (++this.#nodes > MOST_NODES) throw new Beyond('it holds too much', at)
    if (depth > DEEPEST) throw new Beyond('it is nested too deeply', at)
    if (isAlias(node)) {
      if (++this.#aliases > MOST_ALIASES) throw new Beyond('it refers to itself too often', at)
      return this.value(node.resolve(this.#document) ?? null, depth + 1)
    }
    if (isSeq(node)) return node.items.map(item => this.value(item, depth + 1))
    if (isMap(node)) {
      const map = frontMap()
      for (const { key, value } of node.items) {
        const name = isScalar(key) && typeof key.value === 'string' ? key.value : ''
        const place = (key as Node | null)?.range?.[0] ?? at
        if (name in map) throw new Beyond(`the field ${name.slice(0, 60)} stands there twice`, place)
        if (name === '' || FORBIDDEN_KEYS.has(name)) this.#dropped.push({ at: place, key: name })
        else map[name] = this.value(value, depth + 1)
      }
      return map
    }
    if (!isScalar(node)) return null
    const text = typeof node.value === 'string' ? node.value : (node.source ?? '')
    return node.type === 'PLAIN' || node.type === undefined ? plainValue(text) : text
  }
}
