import type { Unit, UnitKind } from '../rule.ts'
import { votesOf } from '../all-rules.ts'
import { commandsIn } from './commands-in-text.ts'
import { normaliseLine } from './normalise.ts'

/** One line of a file and what it belongs to. */
export type Line = {
  number: number
  raw: string
  text: string
  kind: 'front' | 'prose' | 'code' | 'blank'
  votes: Uint8Array
  /** Increases with each field, paragraph, list item, table row and code block. */
  group: number
}

/** Maximum length of a unit in characters. Windows over lines overlap by half. */
const LONGEST = 3_000
const OVERLAP = 300
const BLOCK_LINES = 40
const PASSAGE_LINES = 12

const BAD_EXAMPLE =
  /(?:\b(?:bad|wrong|incorrect|insecure|vulnerable|unsafe|dangerous|malicious|avoid|never|don't|do not|anti-?patterns?|attacks?|payloads?|exploit(?:able)?|red flags?|suspicious|detects?|dangerous patterns?)\b|❌|✗|🚫)/

const ITEM = /^\s{0,12}(?:[-*+•] |\d{1,3}[.)] )/
/** Words in the heading or introduction of a list of bad examples. */
const BAD_LIST =
  /\b(?:never|do not|don't|must not|avoid|anti-?patterns?|red flags?|forbidden|prohibited|not allowed|disallowed|what not|bad|wrong|warning signs?|out of scope|stop conditions?|reject|refuse|block(?:ed|s)?|dangerous|threats?|attacks?|risks?|pitfalls?|mistakes?|failure modes?|smells?|detect\w{0,4}|examples? of)\b|❌|🚫/

/** The lines of a file. Markdown is split into front matter, prose and code; other files are code. */
export function readLines(path: string, text: string): Line[] {
  const raws = text.split(/\r\n|\n|\r|\u2028|\u2029/)
  return isMarkdown(path) ? readMarkdown(raws) : raws.map((raw, n) => lineOf(raw, n, 'code', 0))
}

/** The units for the rules: logical lines, and windows over several lines. */
export function readUnits(lines: readonly Line[]): Unit[] {
  const pieces = singles(lines)
  return [
    ...pieces,
    ...pieces.filter(({ kind }) => kind !== 'code').flatMap(commandsIn),
    ...windows(lines, 'block', BLOCK_LINES),
    ...windows(lines, 'passage', PASSAGE_LINES),
  ]
}

const isMarkdown = (path: string) =>
  /(?:\.(?:md|mdx|markdown|txt|rst|adoc)|^[^.]*)$/i.test(path.split('/').at(-1)!)

const lineOf = (raw: string, at: number, kind: Line['kind'], group: number): Line => {
  const text = normaliseLine(raw)
  return { number: at + 1, raw, text, kind: text === '' ? 'blank' : kind, votes: votesOf(text), group }
}

function readMarkdown(raws: readonly string[]): Line[] {
  const frontEnd = endOfFront(raws)
  const lines: Line[] = []
  let group = 0
  let fence = ''
  let inComment = false
  let isGap = true
  raws.forEach((raw, n) => {
    if (n <= frontEnd) {
      if (/^\S/.test(raw)) group++
      lines.push(lineOf(raw, n, /^\ufeff?---\s*$/.test(raw) ? 'blank' : 'front', group))
      return
    }
    const mark = /^[\s>]{0,12}(?:[-*+] |\d{1,3}[.)] )?(`{3,40}|~{3,40})/.exec(raw)?.[1]
    if (mark !== undefined && (fence === '' || (mark[0] === fence[0] && mark.length >= fence.length))) {
      group++
      fence = fence === '' ? mark : ''
      lines.push(lineOf(raw, n, raw.trim().includes(' ') ? 'prose' : 'blank', group))
      isGap = true
      return
    }
    const isCode = fence !== ''
    const startsNew = /^\s{0,12}(?:[-*+•] |\d{1,3}[.)] |#{1,6} |\||>|\[[^\]]{1,60}\]:)/.test(raw)
    if (!isCode && !inComment && (isGap || startsNew)) group++
    isGap = raw.trim() === ''
    if (raw.includes('<!--')) inComment = true
    if (raw.includes('-->')) inComment = false
    lines.push(lineOf(raw, n, isCode ? 'code' : 'prose', group))
  })
  return lines
}

/** The index of the line that ends the front matter, or -1. */
function endOfFront(raws: readonly string[]): number {
  const first = raws.findIndex(raw => raw.replace(/^\ufeff/, '').trim() !== '')
  if (first < 0 || !/^\ufeff?---\s*$/.test(raws[first]!)) return -1
  return raws.findIndex((raw, n) => n > first && n < first + 400 && /^(?:---|\.\.\.)\s*$/.test(raw))
}

function singles(lines: readonly Line[]): Unit[] {
  const units: Unit[] = []
  let at = 0
  while (at < lines.length) {
    const start = at++
    if (lines[start]!.kind === 'blank') continue
    while (at < lines.length && belongs(lines[at - 1]!, lines[at]!)) at++
    units.push(...unitsOf(lines.slice(start, at), lines[start]!.kind, warnsAbove(lines, start)))
  }
  return units
}

/** Whether a line continues the line before. */
function belongs(before: Line, line: Line): boolean {
  if (line.kind === 'blank' || line.kind !== before.kind || line.group !== before.group) return false
  if (line.kind !== 'code') return true
  return /(?:\\|\||&&|\|\||[([{,=+^])$/.test(before.text) && !/^(?:```|~~~)/.test(before.text)
}

const warnsAbove = (lines: readonly Line[], at: number): boolean => {
  if (lines[at]!.kind === 'prose') return isListedAsBad(lines, at)
  if (lines[at]!.kind !== 'code') return false
  for (let n = at - 1, seen = 0; n >= 0 && n > at - 12 && seen < 3; n--) {
    const line = lines[n]!
    if (line.kind === 'blank') continue
    const isSame = line.group === lines[at]!.group
    const isRemark = /^(?:#|\/\/|--|\/\*|<!--|;|rem )/.test(line.text)
    if (isSame ? isRemark : line.kind === 'prose') {
      seen++
      if (BAD_EXAMPLE.test(line.text)) return true
      if (!isSame) return false
    }
  }
  return false
}

/** Whether a list item is in a list, or below a heading, of what not to do. */
function isListedAsBad(lines: readonly Line[], at: number): boolean {
  if (!ITEM.test(lines[at]!.raw)) return false
  for (let n = at - 1; n >= 0 && n > at - 30; n--) {
    const { text, raw, kind } = lines[n]!
    if (kind === 'blank' || ITEM.test(raw) || (kind === 'prose' && /^\s/.test(raw))) continue
    return kind === 'prose' && /^#|[:*]$/.test(text) && BAD_LIST.test(text)
  }
  return false
}

function windows(lines: readonly Line[], kind: 'block' | 'passage', size: number): Unit[] {
  const kept = lines.filter(line => line.kind !== 'blank' && (kind === 'passage' || line.kind === 'code'))
  const runs = kind === 'passage' ? [kept] : [...Map.groupBy(kept, line => line.group).values()]
  return runs.flatMap(run => {
    const units: Unit[] = []
    for (let at = 0; at === 0 || at + size / 2 < run.length; at += size / 2) {
      const part = run.slice(at, at + size)
      if (part.length > 1 || kind === 'block') units.push(...unitsOf(part, kind, false))
    }
    return units
  })
}

/** One unit, or several overlapping ones if the text is long. */
function unitsOf(lines: readonly Line[], kind: UnitKind, badExample: boolean): Unit[] {
  const isShort = lines.length === 1 && lines[0]!.text.length <= LONGEST
  if (isShort)
    return [
      { ...lines[0]!, kind, starts: [0], numbers: [lines[0]!.number], hidden: null, badExample, lead: '' },
    ]
  const glue = kind === 'block' || kind === 'passage' ? '\n' : ' '
  const units: Unit[] = []
  let parts: string[] = []
  let starts: number[] = []
  let numbers: number[] = []
  let length = 0
  const votes = allVotes(lines)
  const flush = () => {
    if (parts.length === 0) return
    units.push({ kind, text: parts.join(''), starts, numbers, hidden: null, votes, badExample, lead: '' })
    parts = []
    starts = []
    numbers = []
    length = 0
  }
  for (const line of lines) {
    const joined = glue === ' ' && line.text.endsWith('\\') ? line.text.slice(0, -1) : line.text
    for (let at = 0; at === 0 || at + OVERLAP < joined.length; at += LONGEST - OVERLAP) {
      const piece = joined.slice(at, at + LONGEST)
      if (length > 0 && length + piece.length > LONGEST) flush()
      starts.push(length)
      numbers.push(line.number)
      parts.push(piece + glue)
      length += piece.length + 1
    }
  }
  flush()
  return units
}

function allVotes(lines: readonly Line[]): Uint8Array {
  const all = lines[0]!.votes.slice()
  for (const { votes } of lines.slice(1)) for (let n = 0; n < all.length; n++) all[n]! |= votes[n]!
  return all
}
