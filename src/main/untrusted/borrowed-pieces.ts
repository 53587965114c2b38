import {
  findBorrowed,
  DIGITS,
  makeHolds,
  plainText,
  RUN,
  sayWords,
  splitWords,
  TIME,
  weighWords,
  type Compared,
} from './borrowed-words.ts'

/** Minimum number of words in a piece, and of digits in a piece of a number. Shorter ones are too common. */
const PIECE = 3
const PIECE_DIGITS = /(?<!\d)\d{3,}(?!\d)/g
/** Minimum number of digits for a part of a longer number. */
const PART_DIGITS = 8
/** How far around a piece other pieces are searched, in characters. */
const AROUND = 500
/** Maximum number of places of a piece in one text; more mean that the piece is common. */
const MOST_PLACES = 20

/**
 * Find what a text and earlier ones together take from others' texts. Pieces count if they are adjacent in
 * the source, whatever the order in which they were sent, and form a run of eight words or a number of six
 * digits.
 */
export function findInPieces(text: string, earlier: readonly string[], { others, own }: Compared): string[] {
  const [newest, ...before] = [text, ...earlier].map(plainText)
  const numbers = [digitsIn(newest!), before.flatMap(digitsIn)] as const
  const words = [piecesOf(newest!), before.flatMap(piecesOf)] as const
  const said = words[0].map(piece => ({ piece, holds: makeHolds(piece) }))
  const found = others.flatMap(other => {
    const here = said.flatMap(({ piece, holds }) => (holds(other) ? [piece] : []))
    return [
      ...coveredIn(other.words, here, words[1]).filter(part => weighWords(part) >= RUN),
      ...coveredIn(other.numbers, numbers[0], numbers[1]).filter(
        part =>
          part.length >= PART_DIGITS || (part.length >= DIGITS && ` ${other.numbers} `.includes(` ${part} `)),
      ),
    ]
  })
  return [...new Set(found)].filter(
    part =>
      !own.some(({ words: mine, numbers: count }) => mine.includes(` ${part} `) || count.includes(part)),
  )
}

const digitsIn = (plain: string): string[] =>
  (plain.match(PIECE_DIGITS) ?? []).filter(found => !TIME.test(found))

/** Every three consecutive words of a text, joined. Longer pieces consist of these. */
function piecesOf(plain: string): string[] {
  const words = splitWords(plain)
  return words.flatMap((_, at) => (at + PIECE <= words.length ? [sayWords(words.slice(at, at + PIECE))] : []))
}

type Place = { from: number; to: number; isNew: boolean }

/** The stretches of a text that pieces cover without a gap, if at least one piece is new. */
function coveredIn(said: string, newest: readonly string[], before: readonly string[]): string[] {
  const found: string[] = []
  let done = 0
  for (const from of newest.flatMap(piece => placesIn(said, piece)).toSorted((a, b) => a - b)) {
    if (from < done) continue
    const window = said.slice(Math.max(0, from - AROUND), from + AROUND)
    done = from + AROUND / 2
    found.push(...stretchesIn(window, newest, before))
  }
  return found
}

function stretchesIn(said: string, newest: readonly string[], before: readonly string[]): string[] {
  const placed = (pieces: readonly string[], isNew: boolean): Place[] =>
    pieces.flatMap(piece => placesIn(said, piece).map(from => ({ from, to: from + piece.length, isNew })))
  const stretches: Place[] = []
  for (const place of [...placed(newest, true), ...placed(before, false)].toSorted(
    (a, b) => a.from - b.from,
  )) {
    const last = stretches.at(-1)
    if (last && place.from <= last.to) {
      last.to = Math.max(last.to, place.to)
      last.isNew ||= place.isNew
    } else stretches.push(place)
  }
  return stretches.flatMap(({ from, to, isNew }) => (isNew ? [said.slice(from, to).trim()] : []))
}

function placesIn(said: string, piece: string): number[] {
  const places: number[] = []
  for (let at = said.indexOf(piece); at >= 0 && places.length < MOST_PLACES; at = said.indexOf(piece, at + 1))
    places.push(at)
  return places
}

/** Minimum letters and words of a stretch without blanks; fewer occur in long words of some languages. */
const JOINED = { letters: 24, words: 4 }
const MOST_JOINED = 4

/** Whether a text is a disguised copy: reversed, rotated by 13 letters, or without blanks. */
export function isDisguised(text: string, compared: Compared, least = RUN): boolean {
  const plain = plainText(text)
  const forms = [
    splitWords(plain).toReversed().join(' '),
    Array.from(plain).toReversed().join(''),
    plain.replaceAll(/[a-z]/g, letter => String.fromCodePoint(((letter.codePointAt(0)! - 84) % 26) + 97)),
  ]
  return forms.some(form => findBorrowed(form, compared, least).length > 0) || isJoined(plain, compared)
}

function isJoined(plain: string, { others, own }: Compared): boolean {
  const long = splitWords(plain).filter(word => word.length >= JOINED.letters && /^\p{L}+$/u.test(word))
  return long.slice(0, MOST_JOINED).some(word => {
    const start = Array.from(word).slice(0, JOINED.letters).join(' ?')
    const end = Array.from(word).slice(-JOINED.letters).join(' ?')
    const spread = new RegExp(`${start}|${end}`, 'u')
    const holds = ({ words }: { words: string }) =>
      (spread.exec(words)?.[0].split(' ').length ?? 0) >= JOINED.words
    return others.some(holds) && !own.some(holds) && !own.some(({ words }) => words.includes(word))
  })
}
