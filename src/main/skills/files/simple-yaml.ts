import { FORBIDDEN_KEYS, frontMap, plainValue, type FrontMap, type FrontValue } from './front-value.ts'

const FIELD = /^( *)([A-Za-z_][A-Za-z0-9_.-]*):(?: +(\S.*)| *)$/
const ITEM = /^( *)- +(\S.*)$/
const QUOTED = /^"([^"\\]*)" *$/
const SINGLE_QUOTED = /^'((?:[^']|'')*)' *$/
const BLOCK = /^[|>]-?$/
// Characters that start or break an unquoted value. The library parses values that contain one.
const NOT_PLAIN = /^[-?:,[\]{}#&*!|>'"%@`]|: |:$| #/
const FLOW = /^\[([^[\]{}"'#:]*)\] *$/
const NOT_PLAIN_ITEM = /^[-?&*!|>%@`]/

/**
 * Parse the YAML subset of nearly all front matter: fields, maps of fields, lists of words, quotes without
 * escapes, and text blocks without blank lines. Undefined for anything else. The result always equals the
 * library's. It is many times faster, which matters for thousands of skills.
 */
export function parseSimple(text: string): FrontMap | undefined {
  // Tabs, lone carriage returns and other control characters are left to the library.
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x09\x0B-\x1F\x7F-\x9F\u2028\u2029\uFEFF]/.test(text)) return undefined
  const lines = text.split('\n')
  const reader = new Reader(lines)
  const map = reader.map(0)
  return map !== undefined && reader.isAtEnd() ? map : undefined
}

class Reader {
  readonly #lines: readonly string[]
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  isAtEnd(): boolean {
    return this.#next() === undefined
  }

  map(indent: number): FrontMap | undefined {
    const map = frontMap()
    let isEmpty = true
    for (let line = this.#next(); line !== undefined; line = this.#next()) {
      const found = FIELD.exec(line)
      const depth = found?.[1]?.length ?? -1
      if (found === null || depth > indent) return depthOf(line) < indent && !isEmpty ? map : undefined
      if (depth < indent) break
      const key = found[2]!
      if (key in map || FORBIDDEN_KEYS.has(key)) return undefined
      this.#at++
      const value = found[3] === undefined ? this.#below(indent) : this.#value(found[3], indent)
      if (value === undefined) return undefined
      map[key] = value
      isEmpty = false
    }
    return isEmpty ? undefined : map
  }

  /** The next line, skipping comments and blank lines. */
  #next(): string | undefined {
    while (this.#at < this.#lines.length && /^ *(?:#.*)?$/.test(this.#lines[this.#at]!)) this.#at++
    return this.#lines[this.#at]
  }

  #below(indent: number): FrontValue | undefined {
    const line = this.#next()
    if (line === undefined) return null
    const depth = depthOf(line)
    if (line.startsWith('- ', depth) && depth >= indent) return this.#list(depth)
    return depth > indent ? this.map(depth) : null
  }

  #list(indent: number): FrontValue[] | undefined {
    const list: FrontValue[] = []
    for (let line = this.#next(); line !== undefined; line = this.#next()) {
      const found = ITEM.exec(line)
      if (found === null || found[1]!.length !== indent) {
        return depthOf(line) > indent || found !== null ? undefined : list
      }
      this.#at++
      const value = this.#scalar(found[2]!, indent)
      if (value === undefined) return undefined
      list.push(value)
    }
    return list
  }

  #value(source: string, indent: number): FrontValue | undefined {
    const flow = FLOW.exec(source)
    if (flow !== null) return this.#goesOn(indent) ? undefined : flowList(flow[1]!)
    const block = withoutEnd(source)
    return BLOCK.test(block) ? this.#block(block, indent) : this.#scalar(source, indent)
  }

  #scalar(source: string, indent: number): FrontValue | undefined {
    if (this.#goesOn(indent)) return undefined
    const quoted = QUOTED.exec(source)?.[1]
    if (quoted !== undefined) return quoted
    const single = SINGLE_QUOTED.exec(source)?.[1]
    if (single !== undefined) return single.replaceAll("''", "'")
    const plain = withoutEnd(source)
    return NOT_PLAIN.test(plain) ? undefined : plainValue(plain)
  }

  /** Whether the value may continue on the next line. The library parses such values. */
  #goesOn(indent: number): boolean {
    const line = this.#next()
    return line !== undefined && depthOf(line) > indent
  }

  #block(style: string, indent: number): string | undefined {
    const parts: string[] = []
    let depth: number | undefined
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!
      const here = depthOf(line)
      if (line === '' || here <= indent) break
      depth ??= here
      if (here !== depth || line.endsWith(' ')) return undefined
      parts.push(line.slice(depth))
    }
    const end = this.#at
    const line = this.#next()
    // Text that continues after a blank line, even if it looks like a comment.
    const skipped = this.#lines.slice(end, this.#at)
    if (parts.length === 0 || skipped.some(each => depthOf(each) > 0)) return undefined
    if (line !== undefined && depthOf(line) > indent) return undefined
    return parts.join(style.startsWith('>') ? ' ' : '\n') + (style.endsWith('-') ? '' : '\n')
  }
}

const depthOf = (line: string): number => {
  let depth = 0
  while (line.charCodeAt(depth) === 0x20) depth++
  return depth
}

/** Trim trailing spaces. A regular expression would search each run of them repeatedly. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--
  return text.slice(0, end)
}

function flowList(inner: string): FrontValue[] | undefined {
  const items = inner.split(',').map(item => withoutEnd(item.slice(depthOf(item))))
  if (items.at(-1) === '') items.pop()
  return items.some(item => item === '' || NOT_PLAIN_ITEM.test(item)) ? undefined : items.map(plainValue)
}
