import { globSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'
import { nameAnchors } from '../src/shared/markdown/name-anchors.ts'

/**
 * The documents of the project: those in the root and all below docs, by their paths with forward slashes.
 */
export function readDocuments(root: string): Map<string, string> {
  const paths = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map(path => path.split(sep).join('/'))
  return new Map(paths.toSorted().map(path => [path, readFileSync(join(root, path), 'utf8')]))
}

/** The addresses of all links and pictures of a document, in Markdown and in HTML. Code is ignored. */
function addressesIn(markdown: string): string[] {
  const found: string[] = []
  void marked.walkTokens(marked.lexer(markdown), token => {
    if (token.type === 'link' || token.type === 'image') found.push((token as Tokens.Link).href)
    if (token.type === 'html')
      found.push(...Array.from(token.raw.matchAll(/\b(?:href|src)="([^"]*)"/g), ([, address]) => address!))
  })
  return found
}

/** Every anchor of a document that a link may name: its headings by GitHub's rule, and anchors in HTML. */
export function anchorsIn(markdown: string): ReadonlySet<string> {
  const known = anchors.get(markdown)
  if (known) return known
  const headings: string[] = []
  const given: string[] = []
  void marked.walkTokens(marked.lexer(markdown), token => {
    if (token.type === 'heading') headings.push(plainOf((token as Tokens.Heading).tokens))
    if (token.type === 'html')
      given.push(...Array.from(token.raw.matchAll(/\b(?:id|name)="([^"]*)"/g), ([, id]) => id!))
  })
  const found = new Set([...nameAnchors(headings), ...given])
  anchors.set(markdown, found)
  return found
}
/** The anchors of documents that were read, because many links lead to the same document. */
const anchors = new Map<string, ReadonlySet<string>>()

const plainOf = (tokens: readonly Token[]): string =>
  tokens
    .map(token =>
      token.type === 'html' || token.type === 'image'
        ? ''
        : 'tokens' in token && token.tokens !== undefined
          ? plainOf(token.tokens)
          : 'text' in token
            ? String(token.text)
            : token.raw,
    )
    .join('')

/**
 * Links of a document that lead nowhere in the project, each with the reason. `read` returns a file, or
 * undefined.
 */
export function deadLinks(
  path: string,
  markdown: string,
  read: (path: string) => string | undefined,
): string[] {
  return addressesIn(markdown).flatMap(address => {
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address)) return []
    const [file = '', anchor] = address.split('#')
    const target = file === '' ? path : posix.join(posix.dirname(path), file)
    const text = file === '' ? markdown : read(target)
    if (text === undefined) return [`${path}: ${address}: there is no ${target}`]
    if (anchor === undefined || anchor === '' || !target.endsWith('.md') || anchorsIn(text).has(anchor))
      return []
    return [`${path}: ${address}: ${target} has no heading #${anchor}`]
  })
}

/** Table rows longer than `most` characters, as `path:line: length`. Code is ignored. */
export function wideRows(path: string, markdown: string, most: number): string[] {
  let fence = ''
  return markdown.split('\n').flatMap((line, at) => {
    const [, marks = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === '' && marks !== '') fence = marks
    else if (fence !== '' && marks.startsWith(fence)) fence = ''
    const isRow = fence === '' && /^ {0,3}\|/.test(line)
    return isRow && line.length > most ? [`${path}:${at + 1}: ${line.length}`] : []
  })
}
