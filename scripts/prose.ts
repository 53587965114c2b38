import { parseSync } from 'oxc-parser'
import { childrenOf, isNoText, textOf, type Tree } from './source-trees.ts'

/** A comment, or a text of the window, with the code that follows a comment. Slots of templates are written `{…}`. */
export type Prose = { kind: 'comment' | 'text'; path: string; line: number; text: string; code: string }

/** Rows of code that a reader sees below a comment. */
const CODE_ROWS = 2
/** Shorter texts are names. */
const LEAST_WORDS = 3

/** Every comment of a source, and, for sources of the window, every text that users read. */
export function proseOf(path: string, source: string): Prose[] {
  const { program, comments } = parseSync(path, source)
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length
  const found = joinRows(source, comments).flatMap(({ start, end, text }) =>
    isProse(text) && !isDirective(text)
      ? [{ kind: 'comment' as const, path, line: lineOf(start), text, code: codeAfter(source, end) }]
      : [],
  )
  if (!path.startsWith('src/renderer/')) return found
  const texts = new Map<number, string>()
  const walk = (node: Tree): void => {
    if (isNoText(node)) return
    const text = node.type === 'JSXText' ? String(node['value']) : textOf(node)?.replaceAll('{}', '{…}')
    const shown = text?.replaceAll(/\s+/g, ' ').trim() ?? ''
    if (isProse(shown) && /^[\p{Lu}“{]/u.test(shown)) texts.set(node.start, shown)
    for (const child of childrenOf(node)) walk(child)
  }
  walk(program as unknown as Tree)
  const shown = [...texts].map(([start, text]) => ({
    kind: 'text' as const,
    path,
    line: lineOf(start),
    text,
    code: '',
  }))
  return [...found, ...shown]
}

type Comment = { type: string; value: string; start: number; end: number }

/** Comments without their signs. Rows of line comments that follow each other are one comment. */
function joinRows(
  source: string,
  comments: readonly Comment[],
): { start: number; end: number; text: string }[] {
  const joined: { start: number; end: number; text: string; isLine: boolean }[] = []
  for (const { type, value, start, end } of comments) {
    const text = value
      .replaceAll(/^\s*\*?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
    const isLine = type === 'Line'
    const last = joined.at(-1)
    if (last?.isLine && isLine && /^\n[ \t]*$/.test(source.slice(last.end, start))) {
      last.end = end
      last.text += ` ${text}`
    } else joined.push({ start, end, text, isLine })
  }
  return joined
}

const isProse = (text: string) => (text.match(/\p{L}+/gu) ?? []).length >= LEAST_WORDS && / /.test(text)
const isDirective = (text: string) => /^(?:oxlint|eslint|@ts-|@vite|c8 |v8 |#|@internal$)/.test(text)

const codeAfter = (source: string, end: number) =>
  source
    .slice(end)
    .split('\n')
    .map(row => row.trim())
    .filter(row => row !== '' && row !== '*/}')
    .slice(0, CODE_ROWS)
    .join('\n')
