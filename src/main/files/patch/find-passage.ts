import { prepareSearch } from '../../lib/words/linear-search.ts'
import { foldLine, foldLoosely, foldText } from './fold-signs.ts'

/** A passage found in a text: its start, its end (exclusive), and for whole lines the next line's start. */
export type Place = { start: number; end: number; next: number }
/** `isExact`: it differs at most in line ends. `wholeLines`: it was compared line by line. */
export type Found = { places: Place[]; isExact: boolean; wholeLines: boolean }

/** Ways to compare whole lines, the strictest first. Look-alikes within a line are tried in between. */
const BLANKS: readonly ((line: string) => string)[] = [line => line.trimEnd(), line => line.trim()]
const LOOK_ALIKES: readonly ((line: string) => string)[] = [foldLine, foldLoosely]

/**
 * Find a passage as written, else ignoring blanks at line ends, then indentation, then look-alikes. The first
 * way that finds anything decides. All line ends are LF.
 */
export function findPassage(text: string, old: string): Found | undefined {
  const exact = placesOf(text, old)
  if (exact.length > 0) return { places: exact, isExact: true, wholeLines: false }
  const lines = placedLines(text)
  const wanted = linesOfPassage(old)
  if (wanted.every(line => line.trim() === '')) return undefined
  const byLines = (ways: typeof BLANKS) => {
    for (const way of ways) {
      const found = runsOf(
        lines.map(line => way(line.text)),
        wanted.map(way),
      )
      if (found.length > 0)
        return found.map(at => {
          const last = lines[at + wanted.length - 1]!
          return { start: lines[at]!.start, end: last.end, next: last.next }
        })
    }
    return undefined
  }
  const places = byLines(BLANKS)
  if (places) return { places, isExact: false, wholeLines: true }
  const inLines = placesOfFolded(text, old)
  if (inLines.length > 0) return { places: inLines, isExact: false, wholeLines: false }
  const loosely = byLines(LOOK_ALIKES)
  return loosely && { places: loosely, isExact: false, wholeLines: true }
}

/** Split a passage into lines. A trailing line break does not start another one. */
export function linesOfPassage(passage: string): string[] {
  const lines = passage.split('\n')
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  return lines
}

/** `end` is before the line break, `next` after it. */
type Line = { text: string; start: number; end: number; next: number }

function placedLines(text: string): Line[] {
  const lines: Line[] = []
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const next = newline === -1 ? end : newline + 1
    lines.push({ text: text.slice(start, end), start, end, next })
    start = next
  }
  return lines
}

function placesOf(text: string, old: string): Place[] {
  const search = prepareSearch(old)
  const placeAt = (start: number) => ({ start, end: start + old.length, next: start + old.length })
  const places: Place[] = []
  for (let at = search(text); at !== -1; at = search(text, at + old.length)) places.push(placeAt(at))
  const [only] = places
  // Even a place that overlaps the only other one makes the meaning unclear.
  const other = only && places.length === 1 ? search(text, only.start + 1) : -1
  if (other !== -1) places.push(placeAt(other))
  return places
}

/** Find places whose text looks like the passage and whose ends do not split a character. */
function placesOfFolded(text: string, old: string): Place[] {
  const [folded, wanted] = [foldText(text), foldText(old).text]
  if (wanted.trim() === '') return []
  return placesOf(folded.text, wanted).flatMap(({ start, end }) => {
    const [from, to] = [folded.at(start), folded.at(end)]
    return from === undefined || to === undefined ? [] : [{ start: from, end: to, next: to }]
  })
}

/** Find where the wanted lines occur, in linear time (Knuth, Morris and Pratt). */
function runsOf(lines: readonly string[], wanted: readonly string[]): number[] {
  const back = [0]
  for (let at = 1, same = 0; at < wanted.length; at++) {
    while (same > 0 && wanted[at] !== wanted[same]) same = back[same - 1]!
    if (wanted[at] === wanted[same]) same++
    back.push(same)
  }
  const runs: number[] = []
  for (let at = 0, same = 0; at < lines.length; at++) {
    while (same > 0 && lines[at] !== wanted[same]) same = back[same - 1]!
    if (lines[at] === wanted[same]) same++
    if (same < wanted.length) continue
    runs.push(at + 1 - wanted.length)
    same = back[same - 1]!
  }
  return runs
}
