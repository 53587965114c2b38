import { type SearchTerm, stemOf, WORD } from './query.ts'
import { foldWord, hasSpecial, spellOut } from '../../lib/words/spellings.ts'

/** Counts the matches of each search term in a text. */
type Counter = (text: string) => number[]

/**
 * Create a counter. It finds word beginnings with one regular expression and stems only those words, which is
 * many times faster than stemming every word. A text with letters that have two spellings, such as ü and ue,
 * is also read spelled out if the query can be.
 */
export function createCounter(all: readonly SearchTerm[]): Counter {
  const plain = createReader(all)
  const spelledOut = all.map(({ spelled, ...wanted }) => ({ ...wanted, stems: spelled ?? wanted.stems }))
  const isSpelled = all.some(({ spelled }) => spelled !== undefined)
  const inFull = isSpelled ? createReader(spelledOut) : undefined

  return text => {
    const counts = plain(foldWord(text))
    if (!inFull || !hasSpecial(text)) return counts
    const more = inFull(spellOut(text))
    return counts.map((count, at) => (all[at]!.spelled === undefined ? count : Math.max(count, more[at]!)))
  }
}

/** Create a counter for texts that are already folded. */
function createReader(all: readonly SearchTerm[]): Counter {
  const begins = all
    .filter(({ kind }) => kind !== 'unspaced' && kind !== 'inside')
    .map(({ kind, stems: { 0: stem = '', length } }) => {
      // Stemming changes at most the last two letters of what remains.
      return kind === 'begun' && length === 1 ? stem : stem.slice(0, Math.max(1, stem.length - 2))
    })
  const shortest = begins.filter(begin => !begins.some(other => other !== begin && begin.startsWith(other)))
  const pattern =
    shortest.length > 0
      ? new RegExp(`(?:${[...new Set(shortest)].join('|')})[\\p{L}\\p{N}\\p{M}\\p{Co}]*`, 'gu')
      : undefined

  return read => {
    const counts = all.map(() => 0)
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
      if (kind === 'unspaced' || kind === 'inside') counts[at] = occurrences(read, letters)
    })
    return counts
  }
}

/** A letter directly before the match means that the match starts inside a word. */
const INSIDE = /[\p{L}\p{N}\p{M}\p{Co}]$/u

function standsAt(wanted: SearchTerm, stem: string, word: string, text: string, end: number): boolean {
  const { kind, stems } = wanted
  if (kind === 'unspaced' || kind === 'inside') return false
  if (!isWord(wanted, 0, { read: word, stem })) return false
  if (stems.length === 1) return true
  const next = text.slice(end, end + stems.length * MAX_WORD_CHARS).match(WORD) ?? []
  return stems.slice(1).every((_, at) => {
    const read = next[at]
    return read !== undefined && isWord(wanted, at + 1, { read, stem: stemOf(read) })
  })
}

/** Return whether a word matches the word at a position of a term. */
function isWord({ kind, stems }: SearchTerm, at: number, { read, stem }: ReadWord): boolean {
  if (kind === 'inside') return read.includes(stems[at]!)
  return kind === 'begun' && at === stems.length - 1 ? read.startsWith(stems[at]!) : stem === stems[at]
}
type ReadWord = { read: string; stem: string }

const MAX_WORD_CHARS = 40

function occurrences(text: string, letters: string): number {
  let count = 0
  for (let at = text.indexOf(letters); at >= 0; at = text.indexOf(letters, at + 1)) count++
  return count
}

/** Return the matching ranges of a text, as from and to; in order and without overlap. */
export function matchRanges(text: string, all: readonly SearchTerm[]): [number, number][] {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => {
    const read = foldWord(word)
    const spelled = hasSpecial(word) ? spellOut(word) : undefined
    return {
      from: index,
      to: index + word.length,
      ways: (spelled === undefined ? [read] : [read, spelled]).map(way => ({ read: way, stem: stemOf(way) })),
    }
  })
  const marks: [number, number][] = []
  for (const wanted of all) {
    const { kind, stems, spelled = stems } = wanted
    const inFull = { ...wanted, stems: spelled }
    if (kind === 'unspaced') {
      for (let at = text.indexOf(stems[0]!); at >= 0; at = text.indexOf(stems[0]!, at + 1))
        marks.push([at, at + stems[0]!.length])
      continue
    }
    words.forEach((first, at) => {
      const stands = stems.every((_, next) => {
        const word = words[at + next]
        if (word === undefined) return false
        const [read, full = read] = word.ways
        return isWord(wanted, next, read!) || isWord(inFull, next, full!)
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

/** How many characters of a long text to search; if all matches come later, its beginning is shown. */
const LOOKED_THROUGH = 50_000
/** Share of the excerpt before the first match. */
const LEAD = 0.25

/** Return the text around the first match: up to `room` characters and two ellipses, on one line. */
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
