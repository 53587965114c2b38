import katex from 'katex'
import { formulaOptions } from '../../../shared/markdown/formula-options.ts'
import { isMath } from '../../../shared/markdown/is-math.ts'

/** A piece of a text: plain, or a formula without its delimiters. */
type Piece = { text: string } | { tex: string; isDisplay: boolean; source: string }

/** Maximum length of a formula's source in characters, as in the window. */
const LONGEST = 4_000
const CLOSERS: Record<string, string> = { $$: '$$', '\\[': '\\]', '\\(': '\\)' }
/** What can start a formula; also code, because no formula starts inside it. */
const OPENER = /`+|(?<!\\)\\[[(]|(?<![\\$])\$\$?(?!\$)/g
/**
 * A formula between two dollars on one line. The second dollar in `$HOME:$PATH`, `$5-$6` and `${a}$(b)`
 * starts something else.
 */
const BETWEEN_DOLLARS = /\$(?!\s)((?:\\.|[^$\\`\n])+)(?<!\s)\$(?![\p{L}\p{N}_{($])/uy
const WORD_BEFORE = /[\p{L}\p{N}_]$/u

/** Split a text into formulas and the text around them, by the rules of the window. */
export function* cutFormulas(text: string): Iterable<Piece> {
  const placeOf = finder(text)
  let from = 0
  OPENER.lastIndex = 0
  for (let at = 0; ;) {
    OPENER.lastIndex = at
    const found = OPENER.exec(text)
    if (!found) break
    const { 0: opener, index } = found
    at = index + opener.length
    if (opener.startsWith('`')) {
      const end = placeOf(opener, at)
      if (end >= 0) at = end + opener.length
      continue
    }
    const piece = opener === '$' ? betweenDollars(text, index) : between(text, index, opener, placeOf)
    if (!piece) continue
    if (index > from) yield { text: text.slice(from, index) }
    yield piece
    from = at = index + piece.source.length
  }
  if (from < text.length) yield { text: text.slice(from) }
}

function betweenDollars(text: string, index: number): Extract<Piece, { tex: string }> | undefined {
  BETWEEN_DOLLARS.lastIndex = index
  const [source, tex = ''] = BETWEEN_DOLLARS.exec(text) ?? []
  const isInWord = WORD_BEFORE.test(text.slice(Math.max(0, index - 2), index)) && !tex.startsWith('\\')
  if (source === undefined || isInWord || tex.length > LONGEST || !isMath(tex, false)) return undefined
  return { tex, isDisplay: false, source }
}

function between(
  text: string,
  index: number,
  opener: string,
  placeOf: (wanted: string, from: number) => number,
): Extract<Piece, { tex: string }> | undefined {
  const closer = CLOSERS[opener]!
  const start = index + opener.length
  const end = placeOf(closer, start)
  const tex = text.slice(start, end)
  if (
    end < 0 ||
    text[end + closer.length] === '$' ||
    tex.length > LONGEST ||
    tex.includes('\n\n') ||
    !isMath(tex, true)
  )
    return undefined
  return { tex, isDisplay: opener !== '\\(', source: text.slice(index, end + closer.length) }
}

/** Create a finder of the next occurrence of a text, which caches positions to search only once. */
function finder(text: string) {
  const known = new Map<string, number>()
  return (wanted: string, from: number): number => {
    const before = known.get(wanted)
    if (before !== undefined && (before < 0 || before >= from)) return before
    const at = text.indexOf(wanted, from)
    known.set(wanted, at)
    return at
  }
}

/** Convert a formula to MathML, which browsers render without styles or fonts; undefined if it is invalid. */
export function mathmlOf(tex: string, isDisplay: boolean): string | undefined {
  const options = formulaOptions(tex, isDisplay)
  if (!options) return undefined
  try {
    const set = katex.renderToString(tex, { ...options, output: 'mathml' })
    // The page forbids styles in attributes. Quotes within a value are escaped.
    return set.replaceAll(/ style="[^"]*"/g, '')
  } catch {
    return undefined
  }
}
