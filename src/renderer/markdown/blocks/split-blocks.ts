import {
  beginsTable,
  DETAILS,
  itemOf,
  opensFence,
  readLine,
  type Line,
} from '../../../shared/markdown/read-line.ts'

/** So many nested quotes, lists or footnotes that parsing or rendering would overflow the stack. */
export const NESTED = /^(?:[ \t]*(?:>|[-*+]|\d+[.)]|\[\^[^\]\s]{1,999}\]:)){60}/m

/** How many blocks at the end more text can change: a paragraph can become a table, a list continue. */
const OPEN = 3

/**
 * Create a function that splits a growing Markdown text into blocks. Only the end is read again,
 * so finished blocks stay the same strings. Joined, the blocks always equal the whole text.
 */
export function createSplitter(): (text: string) => readonly string[] {
  let before = ''
  let blocks: readonly string[] = []
  return text => {
    const now = text.replaceAll(/\r\n?/gu, '\n')
    if (now === before) return blocks
    const kept = now.startsWith(before) ? blocks.slice(0, -OPEN) : []
    const start = kept.reduce((sum, block) => sum + block.length, 0)
    blocks = [...kept, ...splitBlocks(now.slice(start))]
    before = now
    return blocks
  }
}

/** The construct that the previous line belongs to. */
type Open =
  | { kind: 'nothing' | 'text' | 'definition' | 'table' | 'code' }
  | { kind: 'fence'; marks: string }
  | ({ kind: 'quote' | 'note' } & Inside)
  | ({ kind: 'list'; sign: string; indent: number } & Inside)

/**
 * The top-level blocks of a text, each with the blank lines that follow it, in one pass over its lines. Two
 * parts are split only if they mean the same alone as together; in doubt, they stay one block.
 *
 * @internal Its tests compare it with growing text.
 */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = []
  let open: Open = { kind: 'nothing' }
  let isBlank = false
  let details = 0
  let start = 0
  let at = 0
  while (at < text.length) {
    const end = text.indexOf('\n', at) + 1 || text.length
    const line = readLine(text.slice(at, end))
    if (open.kind === 'fence') {
      if (closes(line, open.marks)) open = { kind: 'nothing' }
    } else if (line.text === '') isBlank = true
    else {
      const next = nextOf(open, line, { isBlank, text, end })
      if (next && at > start && details === 0) {
        blocks.push(text.slice(start, at))
        start = at
      }
      if (next) open = next
      details = Math.max(0, details + depthOf(line))
      if (open.kind === 'text' && !isBlank && !next && UNDERLINE.test(line.text) && line.indent < 4)
        open = { kind: 'nothing' }
      isBlank = false
    }
    at = end
  }
  if (start < text.length) blocks.push(text.slice(start))
  return blocks
}

/**
 * The open state after the last line of a list item: the marks of an open fence, and whether an unindented
 * line continues the item.
 */
type Inside = { fence: string | undefined; isText: boolean }

function insideOf(text: string, fence?: string): Inside {
  const inner = text.replace(/^(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]?)*/, '')
  if (fence !== undefined) {
    const isClosed = closes({ text: inner, indent: 0 }, fence)
    return { fence: isClosed ? undefined : fence, isText: false }
  }
  const marks = opensFence(inner)
  const isText = marks === undefined && inner !== '' && !HEADING.test(inner) && !RULE.test(inner)
  return { fence: marks, isText }
}

/** The marker of a list if it is uncertain whether it is a list or where it ends. */
const UNSURE = '?'
const UNDERLINE = /^(?:=+|-+)$/
const HEADING = /^#{1,6}(?:[ \t]|$)/
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const NOTE = /^\[\^[^\]\s]+\]:/

const closes = (line: Line, marks: string) =>
  line.indent < 4 &&
  line.text.length >= marks.length &&
  /^(?:`+|~+)$/.test(line.text) &&
  line.text[0] === marks[0]

/** How many more details elements are open after a line; only tags on their own line open any. */
function depthOf({ text, indent }: Line): number {
  if (indent > 3 || !text.startsWith('<')) return 0
  const [tag] = DETAILS.exec(text) ?? []
  const opened = tag !== undefined && /^\s*(?:<summary>|$)/i.test(text.slice(tag.length)) ? 1 : 0
  return opened - (/<\/details>\s*$/i.test(text) ? 1 : 0)
}

type Around = { isBlank: boolean; text: string; end: number }

/** The construct that a line starts; undefined if it continues the open one. */
function nextOf(open: Open, line: Line, around: Around): Open | undefined {
  const { indent, text } = line
  const { isBlank } = around
  if (open.kind === 'list' && indent >= open.indent) {
    const isCode = indent > open.indent + 3 && (isBlank || !open.isText)
    return void Object.assign(open, insideOf(isCode ? '' : text, open.fence))
  }
  if (indent > 3) {
    // After a blank line it is code; otherwise it continues a paragraph.
    if (open.kind === 'note') return void Object.assign(open, insideOf(text, open.fence))
    if (!isBlank && open.kind !== 'nothing') return undefined
    return open.kind === 'code' ? undefined : { kind: 'code' }
  }
  const marks = opensFence(text)
  if (marks !== undefined) return { kind: 'fence', marks }
  if (HEADING.test(text)) return { kind: 'nothing' }
  if ((open.kind === 'text' || open.kind === 'definition') && !isBlank && UNDERLINE.test(text))
    return undefined
  if (RULE.test(text)) return { kind: 'nothing' }
  if (text.startsWith('>')) return quoteOf(open, text, isBlank)
  if (NOTE.test(text)) return { kind: 'note', ...insideOf(text.replace(NOTE, '').trim()) }
  return itemOrText(open, line, around)
}

function quoteOf(open: Open, text: string, isBlank: boolean): Open | undefined {
  if (open.kind !== 'quote' || isBlank) return { kind: 'quote', ...insideOf(text) }
  const isCode = /^>(?: {5}|\t)/.test(text) && !open.isText
  return void Object.assign(open, insideOf(isCode ? '' : text, open.fence))
}

function itemOrText(open: Open, line: Line, { isBlank, text, end }: Around): Open | undefined {
  const item = itemOf(line)
  if (item && open.kind === 'list' && (open.sign === item.sign || open.sign === UNSURE)) {
    if (open.sign === UNSURE) item.indent = Math.min(open.indent, item.indent)
    Object.assign(open, { indent: item.indent, ...insideOf(item.content) })
    return undefined
  }
  const isFree =
    isBlank ||
    open.kind === 'nothing' ||
    (open.kind === 'code' && item?.interrupts !== false) ||
    ('isText' in open && !open.isText && !(open.kind === 'list' && open.sign === UNSURE))
  if (item && (isFree || (open.kind === 'text' && item.interrupts)))
    return { kind: 'list', sign: item.sign, indent: item.indent, ...insideOf(item.content) }
  // If the line may be an item or continue a text, both stay one block.
  if (item && open.kind !== 'text' && open.kind !== 'definition') {
    const indent = open.kind === 'list' ? Math.min(open.indent, item.indent) : 1
    const list: Open = { kind: 'list', sign: UNSURE, indent, ...insideOf(item.content) }
    return void Object.assign(open, list)
  }
  if (open.kind !== 'table' || isBlank) {
    const isTable =
      (isFree || open.kind === 'text' || open.kind === 'definition') && beginsTable(line.text, text, end)
    if (isTable) return { kind: 'table' }
  }
  // After a definition, a line of `===` is not an underline.
  return isFree ? { kind: line.text.startsWith('[') ? 'definition' : 'text' } : undefined
}
