import { MARK, Unparsed, type Word } from '../shell-types.ts'
import { withoutMarks, type RawWord } from './read-word.ts'

const MAX_WORDS = 128
const DEEPEST_BRACES = 12

/** Expand a word into its arguments: expand braces, split unquoted values, note wildcards. */
export function expandWord(raw: RawWord): Word[] {
  const spread = spreadBraces(raw.marked)
  const literal = raw.literal && spread.length === 1
  const words: Word[] = []
  for (const each of spread) {
    const pieces = each.split(MARK.split).filter(piece => piece !== '')
    if (pieces.length === 0 && raw.quotes) pieces.push('')
    for (const piece of pieces) {
      const bracket = piece.indexOf(MARK.bracket)
      const glob = /[\uE006\uE007]/.test(piece) || (bracket >= 0 && piece.includes(']', bracket))
      words.push({ text: withoutMarks(piece), literal: literal && !glob, glob, runs: raw.runs })
    }
  }
  if (words.length > MAX_WORDS) throw new Unparsed('a brace list is too long')
  return words
}

/** Expand `{a,b}` and `{1..3}` like the shell. Braces without a comma are kept. */
function spreadBraces(marked: string): string[] {
  if (!marked.includes(MARK.open)) return [marked]
  // The shell expands `{},/}` to `}` and `/`, which only an attacker would write.
  if (marked.includes(MARK.open + MARK.close) && marked.includes(MARK.comma)) {
    throw new Unparsed('a brace list is not understood')
  }
  const partner = pairBraces(marked)
  const spread = (from: number, to: number): string[] => {
    let heads = ['']
    let start = from
    for (let at = from; at < to; at++) {
      const close = marked[at] === MARK.open ? partner.get(at) : undefined
      if (close === undefined) continue
      const options = alternatives(at, close)
      if (!options) continue
      const before = marked.slice(start, at)
      if (heads.length * options.length > MAX_WORDS) throw new Unparsed('a brace list is too long')
      heads = heads.flatMap(head => options.map(option => head + before + option))
      at = close
      start = close + 1
    }
    const tail = marked.slice(start, to)
    return heads.map(head => head + tail)
  }
  const alternatives = (open: number, close: number): string[] | undefined => {
    const commas: number[] = []
    for (let at = open + 1; at < close; at++) {
      const inner = marked[at] === MARK.open ? partner.get(at) : undefined
      if (inner !== undefined) at = inner
      else if (marked[at] === MARK.comma) commas.push(at)
    }
    if (commas.length === 0) return sequence(marked.slice(open + 1, close))
    const starts = [open, ...commas]
    return starts.flatMap((from, index) => spread(from + 1, commas[index] ?? close))
  }
  return spread(0, marked.length)
}

function pairBraces(marked: string): Map<number, number> {
  const partner = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < marked.length; at++) {
    if (marked[at] === MARK.open) open.push(at)
    else if (marked[at] === MARK.close && open.length > 0) {
      if (open.length > DEEPEST_BRACES) throw new Unparsed('braces are nested too deeply')
      partner.set(open.pop()!, at)
    }
  }
  return partner
}

/** Expand `{1..9}` and `{a..e}`; long ranges count as unknown. */
function sequence(inside: string): string[] | undefined {
  const ends = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.-?\d{1,9})?$/.exec(inside)
  if (!ends) return undefined
  const [from, to] = [ends[1]!, ends[2]!].map(end =>
    /^[A-Za-z]$/.test(end) ? end.charCodeAt(0) : Number(end),
  )
  const letters = /^[A-Za-z]$/.test(ends[1]!)
  const count = Math.abs(to! - from!) + 1
  if (count > 32) return [MARK.some]
  const step = to! < from! ? -1 : 1
  return Array.from({ length: count }, (_, index) => {
    const value = from! + index * step
    return letters ? String.fromCharCode(value) : String(value)
  })
}
