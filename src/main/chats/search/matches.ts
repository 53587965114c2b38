import { foldText } from '../../lib/index-words.ts'
import { type SearchTerm, stemOf, WORD } from './query.ts'

/** Counts the matches of each search term in a text. */
type Counter = (text: string) => number[]

/**
 * Create a counter. It finds word beginnings with one regular expression and stems only those words, which is
 * many times faster than stemming every word.
 */
export function createCounter(all: readonly SearchTerm[]): Counter {
  const begins = all
    .filter(wanted => wanted.kind !== 'unspaced')
    .map(({ kind, stems: { 0: stem = '', length } }) => {
      // Stemming changes at most the last two letters of what remains.
      return kind === 'begun' && length === 1 ? stem : stem.slice(0, Math.max(1, stem.length - 2))
    })
  const shortest = begins.filter(begin => !begins.some(other => other !== begin && begin.startsWith(other)))
  const pattern =
    shortest.length > 0
      ? new RegExp(`(?:${[...new Set(shortest)].join('|')})[\\p{L}\\p{N}\\p{M}\\p{Co}]*`, 'gu')
      : undefined

  return text => {
    const counts = all.map(() => 0)
    const read = foldText(text)
    if (pattern) {
      for (const { 0: word, index } of read.matchAll(pattern)) {
        if (index > 0 && INSIDE.test(read.slice(Math.max(0, index - 2), index))) continue
        const stem = stemOf(word)
        all.forEach((wanted, at) => {
          if (standsAt(wanted, stem, word, read, index + word.length)) counts[at]!++
        })
      }
    }
    all.forEach(({ kind, stems: [letters = ''] }, at) => {
      if (kind === 'unspaced') counts[at] = occurrences(read, letters)
    })
    return counts
  }
}

/** A letter directly before the match means that the match starts inside a word. */
const INSIDE = /[\p{L}\p{N}\p{M}\p{Co}]$/u

function standsAt(wanted: SearchTerm, stem: string, word: string, text: string, end: number): boolean {
  const { kind, stems } = wanted
  if (kind === 'unspaced') return false
  if (!isWord(wanted, 0, { read: word, stem })) return false
  if (stems.length === 1) return true
  const next = text.slice(end, end + stems.length * MAX_WORD_CHARS).match(WORD) ?? []
  return stems.slice(1).every((_, at) => {
    const read = next[at]
    return read !== undefined && isWord(wanted, at + 1, { read, stem: stemOf(read) })
  })
}

/** Whether a word is the one at a place of a term. */
const isWord = ({ kind, stems }: SearchTerm, at: number, { read, stem }: { read: string; stem: string }) =>
  kind === 'begun' && at === stems.length - 1 ? read.startsWith(stems[at]!) : stem === stems[at]

const MAX_WORD_CHARS = 40

function occurrences(text: string, letters: string): number {
  let count = 0
  for (let at = text.indexOf(letters); at >= 0; at = text.indexOf(letters, at + 1)) count++
  return count
}

/** The matching ranges of a text, as from and to; in order and without overlap. */
export function matchRanges(text: string, all: readonly SearchTerm[]): [number, number][] {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => {
    const read = foldText(word)
    return { from: index, to: index + word.length, read, stem: stemOf(read) }
  })
  const marks: [number, number][] = []
  for (const wanted of all) {
    const { kind, stems } = wanted
    if (kind === 'unspaced') {
      for (let at = text.indexOf(stems[0]!); at >= 0; at = text.indexOf(stems[0]!, at + 1))
        marks.push([at, at + stems[0]!.length])
      continue
    }
    words.forEach((first, at) => {
      const stands = stems.every((_, next) => {
        const word = words[at + next]
        return word !== undefined && isWord(wanted, next, word)
      })
      if (stands) marks.push([first.from, words[at + stems.length - 1]!.to])
    })
  }
  return merged(marks.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]))
}

function merged(marks: readonly [number, number][]): [number, number][] {
  const out: [number, number][] = []
  for (const [from, to] of marks) {
    const last = out.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else out.push([from, to])
  }
  return out
}

/** Part of a text with its matches, as from and to. */
type Excerpt = { text: string; marks: [number, number][] }

/** Characters of a long text to search; later matches are shown with its beginning. */
const LOOKED_THROUGH = 50_000
/** Share of the excerpt before the first match. */
const LEAD = 0.25

/** The part of a text around its first match, at most `room` characters and two ellipses; line breaks become spaces. */
export function excerptOf(text: string, wanted: readonly SearchTerm[], room: number): Excerpt {
  // A line break and a space have the same length, so the ranges stay correct.
  const line = text.slice(0, LOOKED_THROUGH).replace(/\s/g, ' ')
  const marks = matchRanges(line, wanted)
  if (text.length <= room) return { text: line, marks }
  const first = marks[0]?.[0] ?? 0
  let from = Math.max(0, Math.min(first - Math.floor(room * LEAD), text.length - room))
  // Start at a whole word if one is near.
  const space = line.indexOf(' ', from)
  if (from > 0 && space >= 0 && space < first && space - from < 30) from = space + 1
  const to = Math.min(line.length, from + room)
  const before = from > 0 ? '…' : ''
  const part = line.slice(from, to).toWellFormed()
  const shift = before.length - from
  const inside = marks.filter(mark => mark[0] >= from && mark[1] <= to)
  return {
    text: `${before}${part}${to < text.length ? '…' : ''}`,
    marks: inside.map(([start, end]) => [start + shift, end + shift]),
  }
}
