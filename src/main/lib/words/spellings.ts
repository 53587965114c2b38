import { foldText } from './index-words.ts'

// German and Nordic words have two spellings: Straße and Strasse, Grün and Gruen, Århus and Aarhus, Tromsø
// and Tromsoe. The word index drops accents and keeps ß, ø and æ.

/** How each letter may appear in the index. */
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
/** Pairs that may mean an umlaut, which the index cannot tell: “pot” stands for pöt, but mostly for pot. */
const DOUBTFUL: Record<string, string> = { ae: 'a', oe: 'o', ue: 'u', aa: 'a' }
/** The letters that a pair may stand for in a text, and the reverse. */
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

/** Maximum number of spellings to search for per word. */
const MOST = 12

/** Return a word without accents, with letters such as ß and ø replaced too. */
export function foldWord(text: string): string {
  const folded = foldText(text)
  return SPECIAL.test(folded) ? folded.replace(/[ßøæœł]/gu, letter => PLAIN[letter] ?? letter) : folded
}
const PLAIN: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l' }

/** Return a text with all such letters spelled out, so that both spellings of a word are equal. */
export function spellOut(text: string): string {
  const lower = text.toLowerCase().normalize('NFC')
  return foldText(
    SPECIAL.test(lower) ? lower.replace(/[äöüßåøæœ]/gu, letter => TWO[letter] ?? letter) : lower,
  )
}
const TWO: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ß: 'ss', ø: 'oe', æ: 'ae', œ: 'oe' }

/** Return whether a text has a letter with two spellings. */
export const hasSpecial = (text: string): boolean => SPECIAL.test(text.toLowerCase().normalize('NFC'))

/** Return a word's spellings in the index, itself first. `doubtful` ones need confirmation by the text. */
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

/** Letters that the index keeps although they seem accented: Tromso for Tromsø, Lodz for Łódź. */
const KEPT: Record<string, string> = { o: 'ø', l: 'ł' }

/** Return how an unaccented word may appear in the index with such letters: one of them, or all. */
export function keptSpellings(word: string): string[] {
  const letters = Array.from(foldText(word))
  const at = [...letters.keys()].filter(index => KEPT[letters[index]!] !== undefined)
  const withKept = (places: readonly number[]) =>
    letters.map((letter, index) => (places.includes(index) ? KEPT[letter] : letter)).join('')
  return at.length === 0
    ? []
    : [...new Set([...at.map(index => withKept([index])), withKept(at)])].slice(0, MOST)
}

/** Return how a word may be written in a text, in lower case, plus capitals that SQLite does not fold. */
export function writingsOf(word: string): string[] {
  const small = combine(piecesOf(word).map(piece => [piece, ...(WRITTEN[piece] ?? [])]))
  const large = small.flatMap(each => {
    const first = each.slice(0, 1)
    return /^[^\0-\x7f]/.test(first) ? [first.toUpperCase() + each.slice(1)] : []
  })
  return [...small, ...large].slice(0, MOST)
}

const piecesOf = (word: string): string[] => word.toLowerCase().normalize('NFC').match(PIECE) ?? []

/** Return the combinations of one choice each, first choices first. */
function combine(choices: readonly (readonly string[])[]): string[] {
  let found = ['']
  for (const each of choices)
    found = each
      .flatMap(choice => found.map(begun => begun + choice))
      .slice(0, each.length > 1 ? MOST : undefined)
  return [...new Set(found)]
}
