/** A text prepared for comparison: folded, with the position of each folded character in the text. */
export type Folded = { text: string; places: readonly number[] }

/** Maximum number of characters to compare; titles are shorter. */
const READ = 300

const plain = /^[\x20-\x7e]*$/u

/** Prepare a text: lower case and without accents, as users type it. */
export function foldText(given: string): Folded {
  const text = given.slice(0, READ)
  if (plain.test(text)) return { text: text.toLowerCase(), places: [] }
  let folded = ''
  const places: number[] = []
  let at = 0
  for (const letter of text) {
    const small = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
    for (let n = 0; n < small.length; n++) places.push(at)
    folded += small
    at += letter.length
  }
  return { text: folded, places }
}

/** The words of a query, prepared like the texts. */
export const foldQuery = (query: string): string[] => foldText(query).text.split(/\s+/u).filter(Boolean)

/** The score of a match and its matching parts: start and end in the original text. */
export type Match = { score: number; marks: [number, number][] }

const EXACT = 1_000
const START = 850
const WORDS = 650
const INSIDE = 450
const LOOSE = 150

/**
 * Rate how well a title matches the words; undefined if a word is neither in the title nor in `others`, its
 * further words. From best to worst: the same text, the start of the text, starts of words, inside words, the
 * letters in order.
 */
export function matchWords(words: readonly string[], title: Folded, others = ''): Match | undefined {
  if (words.length === 0) return { score: 0, marks: [] }
  const whole = words.join(' ')
  const { text } = title
  if (text === whole) return { score: EXACT, marks: marksOf(title, [[0, text.length]]) }
  // A match in a short text counts more than in a long one.
  const brevity = 40 / (1 + text.length / 20)
  if (text.startsWith(whole)) return { score: START + brevity, marks: marksOf(title, [[0, whole.length]]) }
  let score = 0
  const found: [number, number][] = []
  let from = 0
  for (const word of words) {
    const match = placeOf(word, text, from)
    if (match) {
      score += match.score
      found.push(...match.ranges)
      from = match.ranges.at(-1)![1]
    } else if (startsWord(others, word)) score += LOOSE
    else return undefined
  }
  return { score: score / words.length + brevity, marks: marksOf(title, found) }
}

/**
 * The position of a word in a text: at the start of a word (if possible after the previous matches), inside
 * one, or letter by letter.
 */
function placeOf(
  word: string,
  text: string,
  from: number,
): { score: number; ranges: [number, number][] } | undefined {
  const begins = wordStart(text, word, from)
  if (begins >= 0) return { score: WORDS, ranges: [[begins, begins + word.length]] }
  const early = wordStart(text, word, 0)
  if (early >= 0) return { score: WORDS - 60, ranges: [[early, early + word.length]] }
  const inside = text.indexOf(word)
  if (inside >= 0) return { score: INSIDE, ranges: [[inside, inside + word.length]] }
  return word.length < 2 ? undefined : lettersOf(word, text)
}

const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

function wordStart(text: string, word: string, from: number): number {
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1])) return at
  return -1
}

const startsWord = (text: string, word: string) => wordStart(text, word, 0) >= 0

/** The letters of a word in order, close together: “stgs” is in “settings”. The first starts a word. */
function lettersOf(word: string, text: string): { score: number; ranges: [number, number][] } | undefined {
  let best: { score: number; ranges: [number, number][] } | undefined
  for (let start = wordStart(text, word[0]!, 0); start >= 0;) {
    const ranges: [number, number][] = []
    let at = start
    for (const letter of word) {
      at = text.indexOf(letter, at)
      if (at < 0) break
      const last = ranges.at(-1)
      if (last?.[1] === at) last[1]++
      else ranges.push([at, at + 1])
      at++
    }
    if (at < 0) break
    const spread = at - start - word.length
    // Letters scattered over a sentence are a coincidence.
    if (spread <= 3 * word.length) {
      const score = LOOSE * 2 - 6 * spread - 10 * ranges.length
      if (!best || score > best.score) best = { score, ranges }
    }
    const next = text.slice(start + 1).search(/[^\p{L}\p{N}][\p{L}\p{N}]/u)
    start = next < 0 ? -1 : wordStart(text, word[0]!, start + 1 + next)
  }
  return best
}

function marksOf({ places, text }: Folded, ranges: [number, number][]): [number, number][] {
  if (places.length === 0) return ranges
  return ranges.map(([from, to]) => [
    places[from] ?? 0,
    (to < text.length ? places[to] : undefined) ?? (places[to - 1] ?? 0) + 1,
  ])
}
