import type { Span } from './hidden-characters.ts'

/** Letters that look like a Latin letter in most fonts. Source: confusables of UTS 39. */
const CYRILLIC = new Set('аАВеЕКМНоОрРсСТуУхХѕЅіІјЈһҺԁԛԚԝԜѵѴӏӀүҮҽԌѡ')
/** Letters that look alike only in some fonts, so they do not make a Russian word look Latin. */
const ROUGHLY_CYRILLIC = new Set('вгзЗкмнптьЬєЄԀԍ')
const GREEK = new Set('οΟΝιΙκΚρΡυΥχΧΑΒΕΖΗΜΤϲϹϳͿ')
/** Letters that also occur next to one or two Latin letters in formulas, such as `αx`. */
const GREEK_OF_FORMULAS = new Set('αβγεηνστωςϱ')
/** Latin letters that look like Cyrillic or Greek letters. */
const LATIN = new Set('aAbBcCdDeEgGhHiIjJkKmMnNoOpPqQrsStTuvVwWxXyYzZ')

/**
 * Scripts that are never mixed with Latin letters in one word, so each of their letters is suspicious there.
 */
const RARE =
  /[\p{sc=Armenian}\p{sc=Cherokee}\p{sc=Coptic}\p{sc=Lisu}\p{sc=Deseret}\p{sc=Gothic}\p{sc=Old_Italic}\p{sc=Carian}\p{sc=Lycian}\p{sc=Lydian}\p{sc=Osage}\p{sc=Warang_Citi}\p{sc=Tifinagh}\p{sc=Canadian_Aboriginal}\p{sc=Bamum}\p{sc=Runic}\p{sc=Glagolitic}\p{sc=Vai}]/v

const WORD = /[\p{L}\p{M}\p{N}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gv
const ONE_SCRIPT = /^(?:\w+|[\p{sc=Cyrillic}\p{M}\d]+|[\p{sc=Greek}\p{M}\d]+|[\p{sc=Arabic}\p{M}\d]+)$/v
const LETTER = /\p{L}\p{M}*/gv
const isLatin = (letter: string) => /^\p{sc=Latin}/v.test(letter)
const isAscii = (letter: string) => /^[A-Za-z]$/.test(letter)
const FULL_WIDTH = /^[\uff01-\uff5e]/
const STYLED = /^[\u2100-\u214f\u{1d400}-\u{1d7ff}]/v
const ONE_SCRIPT_LOOK_ALIKES = /^[\u0251\u0261\u212a]$/

/** Characters that can be look-alikes; most texts have none. */
const WORTH_READING =
  /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Hebrew}\p{sc=Arabic}\u0251\u0261\u2100-\u214f\u{1d400}-\u{1d7ff}\uff01-\uff5e]/v

/** Characters that look like characters of a command line and have no other use at that position. */
const SIGNS =
  /\u1fef|\u2024|\ua789|(?<!\d)\u2044|(?<=\p{L})\u2215|(?<!\p{L})[\u01c0\u01c3](?!\p{L})|(?<=\s|^)[\u2010\u2011\u2212\u2013](?=[a-z])/gv
const SIGNS_OUTSIDE = [
  { sign: /\u037e/g, home: /\p{sc=Greek}/v },
  { sign: /[\u05be\u05c3]/g, home: /[\u05d0-\u05ea]/ },
  { sign: /\u0589/g, home: /[\u0531-\u0587]/ },
  {
    sign: /[\uff01-\uff5e]/g,
    home: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/v,
  },
]

/**
 * The characters of a text that imitate others: letters of another script within a word, such as a Cyrillic
 * `а` in `pаypal`, styled and full-width letters in place of plain letters, and characters that look like
 * characters of a command line. A word entirely in one script is not reported, even if it looks like another
 * word.
 */
export function* lookAlikeSpans(text: string): Generator<Span> {
  yield* spansOf(text, SIGNS)
  for (const { sign, home } of SIGNS_OUTSIDE)
    if (text.search(sign) >= 0 && !home.test(text)) yield* spansOf(text, sign)
  if (!WORTH_READING.test(text) && !RARE.test(text)) return
  for (const { index, 0: word } of text.matchAll(WORD))
    if (!ONE_SCRIPT.test(word))
      for (const { from, to } of inWord(word)) yield { from: index + from, to: index + to }
}

function* spansOf(text: string, pattern: RegExp): Generator<Span> {
  for (const { index, 0: found } of text.matchAll(pattern)) yield { from: index, to: index + found.length }
}

type Letter = Span & { text: string; plain: string }

function inWord(word: string): Span[] {
  const letters = Array.from(word.matchAll(LETTER), ({ index, 0: text }): Letter => {
    const [plain = ''] = text.normalize('NFD')
    return { from: index, to: index + text.length, text, plain }
  })
  const latin = letters.filter(({ text }) => isLatin(text))
  return [...foreignLetters(letters, latin), ...disguisedLatin(letters, latin)]
}

/** Letters of another script than most of the word. */
function foreignLetters(letters: readonly Letter[], latin: readonly Letter[]): Letter[] {
  if (latin.length === 0) {
    const greek = letters.filter(({ plain }) => GREEK.has(plain) || GREEK_OF_FORMULAS.has(plain))
    const cyrillic = letters.filter(({ text }) => /^\p{sc=Cyrillic}/v.test(text))
    return greek.length <= cyrillic.length && cyrillic.length > 0
      ? greek
      : cyrillic.length < greek.length
        ? cyrillic
        : []
  }
  if (latin.length === letters.length) return []
  const others = letters.filter(({ text }) => /^[\p{sc=Cyrillic}\p{sc=Greek}]/v.test(text))
  const rare = letters.filter(({ text }) => RARE.test(text))
  const isAlike = ({ plain }: Letter) =>
    CYRILLIC.has(plain) || GREEK.has(plain) || (latin.length > 2 && GREEK_OF_FORMULAS.has(plain))
  const alike = others.filter(isAlike)
  // In a Russian word with one Latin letter, that one is foreign.
  if (others.length > latin.length && alike.length < others.length)
    return latin.filter(({ plain }) => LATIN.has(plain))
  const rough = others.filter(({ plain }) => ROUGHLY_CYRILLIC.has(plain))
  return [...alike, ...rough, ...rare, ...surrounded(letters)]
}

/**
 * Hebrew or Arabic letters between Latin letters; at the ends of a word they are grammatical prefixes and
 * suffixes.
 */
const surrounded = (letters: readonly Letter[]) =>
  letters.filter(
    ({ text }, at) =>
      /^[\p{sc=Hebrew}\p{sc=Arabic}]/v.test(text) &&
      isLatin(letters[at - 1]?.text ?? '') &&
      isLatin(letters[at + 1]?.text ?? ''),
  )

/** Styled, full-width and phonetic letters among plain letters, and whole styled words. */
function disguisedLatin(letters: readonly Letter[], latin: readonly Letter[]): Letter[] {
  const plain = letters.filter(({ text }) => isAscii(text)).length
  const styled = letters.filter(({ text }) => STYLED.test(text) && isAscii(text.normalize('NFKC')))
  const wide = plain > 0 ? letters.filter(({ text }) => FULL_WIDTH.test(text)) : []
  const odd = latin.filter(({ text }) => ONE_SCRIPT_LOOK_ALIKES.test(text))
  const isWordOfAscii = plain > 2 && plain + odd.length === letters.length
  return [...(styled.length + plain > 1 ? styled : []), ...wide, ...(isWordOfAscii ? odd : [])]
}
