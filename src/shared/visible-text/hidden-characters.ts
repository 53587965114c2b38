/** A part of a text, in UTF-16 units; `to` is exclusive. */
export type Span = { from: number; to: number }

/**
 * Letters and marks of joining scripts, where a non-joiner belongs to the spelling (Persian, Urdu, Syriac).
 */
const JOINING =
  '[[\\p{scx=Arabic}\\p{scx=Syriac}\\p{scx=Nko}\\p{scx=Adlam}\\p{scx=Mongolian}]&&[\\p{L}\\p{M}]]'

/**
 * Letters and marks of scripts with conjuncts, where both joiners belong to the spelling (Hindi, Bengali,
 * Sinhala).
 */
const CONJOINING =
  '[[\\p{scx=Devanagari}\\p{scx=Bengali}\\p{scx=Gurmukhi}\\p{scx=Gujarati}\\p{scx=Oriya}\\p{scx=Tamil}\\p{scx=Telugu}' +
  '\\p{scx=Kannada}\\p{scx=Malayalam}\\p{scx=Sinhala}\\p{scx=Myanmar}\\p{scx=Khmer}\\p{scx=Tibetan}\\p{scx=Javanese}' +
  '\\p{scx=Balinese}]&&[\\p{L}\\p{M}]]'

/** The sign in these scripts that removes a vowel; a joiner may follow it at the end of a word. */
const VIRAMA =
  '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u17d2\\ua9c0\\u1b44]'

/** Scripts without spaces between words, where a zero-width space marks the end of a word. */
const UNSPACED = '[\\p{scx=Khmer}\\p{scx=Lao}\\p{scx=Thai}\\p{scx=Myanmar}\\p{scx=Javanese}]'

const CJK =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\u3001-\\u303f\\uff01-\\uffee]'

const PICTURE = '\\p{Extended_Pictographic}(?:[\\ufe0e\\ufe0f]|\\p{Emoji_Modifier})?'

/**
 * Sequences in which an invisible character belongs to the writing. Sources: UTS 51 (emoji), UAX 31
 * (joiners), UTS 37 (ideographs).
 */
const ORTHOGRAPHIC = [
  // The flags of England, Scotland and Wales; other sequences of tags can carry any text.
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  `${PICTURE}(?:\\u200d${PICTURE})*`,
  '[0-9#*]\\ufe0f?\\u20e3',
  '\\p{sc=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '[\\u2190-\\u22ff\\u2a00-\\u2aff\\u1000-\\u109f\\ua840-\\ua877]\\ufe00',
  '[\\u3001\\u3002\\uff01\\uff0c\\uff0e\\uff1a\\uff1b\\uff1f][\\ufe00\\ufe01]',
  '(?<=\\p{sc=Mongolian})[\\u180b-\\u180d\\u180f]|(?<=\\p{sc=Mongolian})\\u180e(?=\\p{sc=Mongolian})',
  `(?<=[\\p{L}\\p{M}\\p{Nd}])\\u200c(?=${JOINING})`,
  `(?<=${JOINING})\\u200d(?=${JOINING}|[^\\p{L}\\p{C}]|$)`,
  `(?<=${CONJOINING})[\\u200c\\u200d](?=${CONJOINING})|(?<=${VIRAMA})[\\u200c\\u200d](?![\\p{C}\\p{Script=Latin}])`,
  `(?<=${UNSPACED})\\u200b(?=${UNSPACED})`,
  '(?<=\\p{sc=Egyptian_Hieroglyphs})[\\u{13430}-\\u{1343f}]',
  // Arabic, Syriac and Kaithi signs of this category are visible.
  '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
  // Spaces of typography: groups of digits, units, French punctuation, Ogham.
  '(?<=\\p{Nd})[\\u00a0\\u202f\\u2009](?=\\p{Nd}{3}(?!\\p{Nd})|[%‰°€£¥₽₴]|\\p{L}{1,3}(?![\\p{L}\\p{N}]))',
  '(?<=[\\p{L}\\p{N}\\p{Sc}%‰°\\)»"”’])[\\u00a0\\u202f](?=[!?;:»])|(?<=«)[\\u00a0\\u202f]',
  '(?<=\\p{sc=Ogham})\\u1680|\\u1680(?=\\p{sc=Ogham})',
]

/** Diacritics for letters of any script. */
const DIACRITIC = '[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]'

/** Letters of scripts that write five or six marks on one letter: points, vowels and accents of readings. */
const MARKED_LETTER =
  '[[\\p{scx=Hebrew}\\p{scx=Arabic}\\p{scx=Syriac}\\p{scx=Devanagari}\\p{scx=Bengali}\\p{scx=Gurmukhi}\\p{scx=Gujarati}' +
  '\\p{scx=Oriya}\\p{scx=Tamil}\\p{scx=Telugu}\\p{scx=Kannada}\\p{scx=Malayalam}\\p{scx=Sinhala}\\p{scx=Myanmar}\\p{scx=Khmer}' +
  '\\p{scx=Javanese}\\p{scx=Balinese}]&&\\p{L}]'
/** Signs that enclose the letter before them and its surroundings. Only Cyrillic numbers use them. */
const ENCLOSING = '[\\u0488\\u0489\\ua670-\\ua672]'

/**
 * Zero-width characters and controls that are always hidden. A run of them is one span, because a hostile
 * text may have nothing else.
 */
const RUNS = '[\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff]{2,64}|[\\0-\\x08\\x0b-\\x1f]{2,64}'

const HIDDEN = [
  RUNS,
  // Controls, formats, private use, unassigned, lone surrogates; line separators; fillers; selectors; unusual
  // spaces.
  '[[\\p{C}\\p{Zl}\\p{Zp}\\p{Zs}\\p{Default_Ignorable_Code_Point}\\u{16fe4}\\u{1d159}\\ufffc]--[\\t\\n\\u0020]]',
  // Marks without a letter, and piles of marks, which cover the surrounding text.
  `(?<![\\p{L}\\p{M}\\u25cc[[\\p{N}\\p{S}]--\\p{ASCII}]])${DIACRITIC}`,
  // Tibetan letters below another letter are marks.
  `(?<=\\p{M}{4})${DIACRITIC}|(?<=\\p{M}{4})(?<!${MARKED_LETTER}\\p{M}{4,5})(?<![\\p{sc=Tibetan}&&\\p{L}]\\p{M}{4,7})\\p{M}`,
  `(?<![\\p{sc=Cyrillic}&&\\p{L}])${ENCLOSING}`,
]

/** Texts without any of these characters need no further check. */
const SUSPICIOUS = new RegExp(
  `[[\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u{16fe4}\\u{1d159}\\ufffc\\u2800${DIACRITIC}${ENCLOSING}]--[\\t\\n\\u0020]]|\\p{M}{5}`,
  'v',
)
/** Compiled at the first suspicious text: the character sets take 25 ms, which most starts do not need. */
let compiled: { finder: RegExp; cjk: RegExp } | undefined
const patterns = () =>
  (compiled ??= {
    finder: new RegExp(`${ORTHOGRAPHIC.join('|')}|([\\u2800-\\u28ff]+|\\u3000+)|(${HIDDEN.join('|')})`, 'gv'),
    cjk: new RegExp(`^${CJK}$`, 'v'),
  })

/**
 * The characters of a text that cannot be seen, or that reorder or cover others. Emoji and the spelling of
 * languages stay.
 */
export function* hiddenSpans(text: string): Generator<Span> {
  if (!SUSPICIOUS.test(text)) return
  for (const { index, 1: blanks, 2: hidden } of text.matchAll(patterns().finder)) {
    if (hidden !== undefined) yield { from: index, to: index + hidden.length }
    else if (blanks !== undefined && !areSpaces(text, index, blanks))
      for (let at = index; at < index + blanks.length; at++) yield { from: at, to: at + 1 }
  }
}

/** Whether Braille blanks or wide spaces are among characters of their script. */
function areSpaces(text: string, index: number, blanks: string): boolean {
  if (!blanks.startsWith('\u3000')) return /[^\u2800]/.test(blanks)
  const { cjk } = patterns()
  return cjk.test(text[index - 1] ?? '') || cjk.test(text[index + blanks.length] ?? '')
}
