import { foldText } from './index-words.ts'

// Words of German and the languages of the North are written in two ways: Straße and Strasse, Grün and Gruen, Århus and
// Aarhus, Tromsø and Tromsoe. The word index knows letters without their accents and keeps ß, ø and æ.

/** How each letter may stand in the index instead. */
const LETTERS: Record<string, readonly string[]> = {
  ä: ['a', 'ae'],
  ö: ['o', 'oe', 'ø'],
  ü: ['u', 'ue'],
  å: ['a', 'aa'],
  ß: ['ß', 'ss'],
  ø: ['ø', 'oe', 'o'],
  æ: ['æ', 'ae', 'a'],
  œ: ['œ', 'oe'],
  ss: ['ss', 'ß'],
  ae: ['ae', 'æ'],
  oe: ['oe', 'ø', 'œ'],
}
/** What two letters may stand for although the index does not tell: “pot” is in it for pöt, but mostly for pot. */
const DOUBTFUL: Record<string, string> = { ae: 'a', oe: 'o', ue: 'u', aa: 'a' }
/** What two letters stand for in a text. */
const WRITTEN: Record<string, readonly string[]> = {
  ss: ['ß'],
  ae: ['ä', 'æ'],
  oe: ['ö', 'ø'],
  ue: ['ü'],
  aa: ['å'],
  ä: ['ae'],
  ö: ['oe', 'ø'],
  ü: ['ue'],
  å: ['aa'],
  ß: ['ss'],
  ø: ['oe', 'ö'],
  æ: ['ae', 'ä'],
}
const PIECE = /ss|ae|oe|ue|aa|./gsu
const SPECIAL = /[äöüßåøæœł]/u

/** More ways to write one word are not looked for. */
const MOST = 12

/** A word with its accents taken off, and with the letters that have none to take off in two. */
export function foldWord(text: string): string {
  const folded = foldText(text)
  return SPECIAL.test(folded) ? folded.replace(/[ßøæœł]/gu, letter => PLAIN[letter] ?? letter) : folded
}
const PLAIN: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l' }

/** A text with every such letter written in two, so that both ways to write a word are one. */
export function spellOut(text: string): string {
  const lower = text.toLowerCase().normalize('NFC')
  return foldText(
    SPECIAL.test(lower) ? lower.replace(/[äöüßåøæœ]/gu, letter => TWO[letter] ?? letter) : lower,
  )
}
const TWO: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ß: 'ss', ø: 'oe', æ: 'ae', œ: 'oe' }

/** Whether a text has a letter that is written in two ways. */
export const hasSpecial = (text: string): boolean => SPECIAL.test(text.toLowerCase().normalize('NFC'))

/** How a word may stand in the index; the second list only if the text there says so. The word itself is first. */
export function spellingsOf(word: string): { sure: string[]; doubtful: string[] } {
  const pieces = piecesOf(word)
  const sure = combine(pieces.map(piece => LETTERS[piece] ?? [piece]))
  const all = pieces.some(piece => DOUBTFUL[piece] !== undefined)
    ? combine(
        pieces.map(piece => [...(LETTERS[piece] ?? [piece]), ...(DOUBTFUL[piece] ? [DOUBTFUL[piece]] : [])]),
      )
    : []
  return { sure, doubtful: all.filter(each => !sure.includes(each)) }
}

/** Letters of which the index keeps what looks like an accent: Tromso for Tromsø, Lodz for Łódź. */
const KEPT: Record<string, string> = { o: 'ø', l: 'ł' }

/** How a word that is written without accents may stand in the index with such a letter: one of them, or all. */
export function keptSpellings(word: string): string[] {
  const letters = Array.from(foldText(word))
  const at = [...letters.keys()].filter(index => KEPT[letters[index]!] !== undefined)
  const withKept = (places: readonly number[]) =>
    letters.map((letter, index) => (places.includes(index) ? KEPT[letter] : letter)).join('')
  return at.length === 0
    ? []
    : [...new Set([...at.map(index => withKept([index])), withKept(at)])].slice(0, MOST)
}

/** How a word may be written in a text, in small letters, but for those that SQLite does not make small. */
export function writingsOf(word: string): string[] {
  const small = combine(piecesOf(word).map(piece => [piece, ...(WRITTEN[piece] ?? [])]))
  const large = small.flatMap(each => {
    const first = each.slice(0, 1)
    return /^[^\0-\x7f]/.test(first) ? [first.toUpperCase() + each.slice(1)] : []
  })
  return [...small, ...large].slice(0, MOST)
}

const piecesOf = (word: string): string[] => word.toLowerCase().normalize('NFC').match(PIECE) ?? []

/** Every way to choose one of each, the first of each first. */
function combine(choices: readonly (readonly string[])[]): string[] {
  let found = ['']
  for (const each of choices)
    found = each
      .flatMap(choice => found.map(begun => begun + choice))
      .slice(0, each.length > 1 ? MOST : undefined)
  return [...new Set(found)]
}
