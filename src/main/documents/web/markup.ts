import { decodeEntities } from '../../lib/words/html-entities.ts'

/** A tag: its local name (in lower case for HTML) and its attributes. */
export type Tag = {
  name: string
  /** Whether the tag has no content and no end tag. */
  isEmpty: boolean
  /** The value of an attribute by its local name; undefined if it has none. */
  get(name: string): string | undefined
  /** The value of an attribute by its prefixed name, such as `r:id` (as opposed to `id`). */
  prefixed(name: string): string | undefined
}

/** Callbacks for the parts of a marked-up text. An empty tag is opened and closed. */
export type Visitor = {
  open?(tag: Tag): void
  close?(name: string): void
  text?(text: string): void
}

/** HTML elements without an end tag. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** HTML elements whose content is not markup. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'noembed', 'iframe'])

/**
 * Walk through a marked-up text, up to its end or to where it breaks off. Declarations are skipped, so
 * entities cannot expand: only those of XML and HTML, and numeric ones, are known. Names lose their prefix.
 */
export function walkMarkup(source: string, visitor: Visitor, { isHtml = false } = {}): void {
  const say = (text: string) => {
    if (text !== '') visitor.text?.(decodeEntities(text))
  }
  let at = 0
  while (at < source.length) {
    const start = source.indexOf('<', at)
    if (start === -1) {
      say(source.slice(at))
      return
    }
    if (start > at) say(source.slice(at, start))
    const next = source.charCodeAt(start + 1)
    if (source.startsWith('<!--', start)) at = behind(source, '-->', start + 4)
    else if (source.startsWith('<![CDATA[', start)) {
      const end = source.indexOf(']]>', start)
      visitor.text?.(source.slice(start + 9, end === -1 ? undefined : end))
      at = end === -1 ? source.length : end + 3
    } else if (next === QUESTION || next === EXCLAMATION) at = behindDeclaration(source, start)
    else if (next === SLASH) {
      at = behind(source, '>', start)
      const name = localName(source.slice(start + 2, at - 1).trim())
      visitor.close?.(isHtml ? name.toLowerCase() : name)
    } else if (!isNameStart(next)) {
      say('<')
      at = start + 1
    } else {
      const end = tagEnd(source, start + 1)
      const isEmpty = source.charCodeAt(end - 1) === SLASH
      const tag = tagOf(source.slice(start + 1, isEmpty ? end - 1 : end), isHtml, isEmpty)
      at = end + 1
      visitor.open?.(tag)
      if (isHtml ? VOID.has(tag.name) : isEmpty) visitor.close?.(tag.name)
      else if (isHtml && RAW.has(tag.name)) {
        const rest = new RegExp(`</${tag.name}`, 'gi')
        rest.lastIndex = at
        const found = rest.exec(source)?.index ?? source.length
        say(source.slice(at, found))
        at = found
      }
    }
  }
}

const [SLASH, EXCLAMATION, QUESTION, GREATER, DOUBLE, SINGLE] = [47, 33, 63, 62, 34, 39]

const isNameStart = (code: number) =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code > 127

function behind(source: string, what: string, from: number): number {
  const found = source.indexOf(what, from)
  return found === -1 ? source.length : found + what.length
}

/** The end of a declaration. A doctype may contain further declarations in brackets, with quoted texts. */
function behindDeclaration(source: string, start: number): number {
  const end = source.indexOf('>', start)
  const bracket = source.indexOf('[', start)
  if (end === -1) return source.length
  if (bracket === -1 || bracket > end || !/^<!doctype/i.test(source.slice(start, start + 9))) return end + 1
  return behind(source, '>', behind(source, ']', bracket))
}

/** The end of a tag. A `>` in quotes does not count. An open quote ends with the tag. */
function tagEnd(source: string, from: number): number {
  let quote = 0
  for (let at = from; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === GREATER) return at
    else if (code === DOUBLE || code === SINGLE) quote = code
  }
  const end = quote === 0 ? -1 : source.indexOf('>', from)
  return end === -1 ? source.length : end
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

const ATTRIBUTE = /([^\s=/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))|([^\s=/"']+)/g

function tagOf(inner: string, isHtml: boolean, isEmpty: boolean): Tag {
  const space = inner.search(/\s/)
  const whole = space === -1 ? inner : inner.slice(0, space)
  const name = isHtml ? localName(whole).toLowerCase() : localName(whole)
  let attributes: { name: string; value: string }[] | undefined
  function find(isWanted: (name: string) => boolean): string | undefined {
    attributes ??= [...(space === -1 ? '' : inner.slice(space)).matchAll(ATTRIBUTE)].map(
      ([, key = '', double, single, bare, alone]) => ({
        name: alone ?? key,
        value: decodeEntities(double ?? single ?? bare ?? ''),
      }),
    )
    return attributes.find(each => isWanted(isHtml ? each.name.toLowerCase() : each.name))?.value
  }
  return {
    name,
    isEmpty,
    get: wanted => find(each => each === wanted) ?? find(each => localName(each) === wanted),
    prefixed: wanted => find(each => each.includes(':') && localName(each) === wanted),
  }
}
