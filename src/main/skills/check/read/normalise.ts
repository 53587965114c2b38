/** Letters of other scripts that look like Latin letters. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...pairs('аеіјорсухԁһѕԛԝьв', 'aeijopcyxdhsqwbb'),
    ...pairs('АВЕЅІЈКМНОРСТУХԌԚԜ', 'abesijkmhopctyxgqw'),
    ...pairs('οανικτρυχεηωγ', 'oavikrpuxenwy'),
    ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abezhikmnoptyx'),
    ...pairs('ɑɡıοߋꓲꓳℓ', 'agiooiol'),
  ].map(([from, to]) => [from!, to!]),
)

function pairs(from: string, to: string): string[][] {
  return Array.from(from, (letter, n) => [letter, to[n]!])
}

const MIXED = /[a-z\u0370-\u03ff\u0400-\u052f\u0251\u0261\u0131]{2,64}/giu
const LATIN = /[a-z]/i
const LOOKALIKE = new RegExp(`[${Object.keys(LOOKALIKES).join('')}]`, 'u')
const ALL_LOOKALIKES = new RegExp(`[${Object.keys(LOOKALIKES).join('')}]`, 'gu')

/**
 * Normalise one line for the rules: compatibility forms and look-alike letters become plain letters, accents
 * and invisible characters are removed, text is lower case, and each gap is one space.
 */
export function normaliseLine(line: string): string {
  let text = line
  if (!isPlain(line)) {
    text = withoutInvisible(line.normalize('NFKC'))
      .replace(/[\u00c0-\u024f]/g, letter => letter.normalize('NFD'))
      .replace(/[\u0300-\u036f]/g, '')
      .replace(/[‘’‚′`]/g, letter => (letter === '`' ? letter : "'"))
      .replace(/[“”„″]/g, '"')
      .replace(/[‐-―]/g, '-')
    text = foldLookalikes(text)
  }
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Words that mix Latin letters with look-alikes, which does not happen in natural language. */
export const mixedWords = (line: string): string[] =>
  isPlain(line)
    ? []
    : [...line.normalize('NFKC').matchAll(MIXED)]
        .map(([word]) => word)
        .filter(
          word => LATIN.test(word) && /[\u0400-\u052fοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u.test(word) && LOOKALIKE.test(word),
        )

const foldLookalikes = (text: string) =>
  text.replace(MIXED, word =>
    LATIN.test(word) && LOOKALIKE.test(word)
      ? word.replace(ALL_LOOKALIKES, letter => LOOKALIKES[letter] ?? letter)
      : word,
  )

// eslint-disable-next-line no-control-regex
const isPlain = (line: string) => /^[\x00-\x7f]*$/.test(line)

const ZERO_WIDTH_RANGES = ['\\u180e', '\\u200b-\\u200d', '\\u2060-\\u2064', '\\ufeff']
const INVISIBLE_RANGES = [
  ...ZERO_WIDTH_RANGES,
  // Soft hyphen, joiners and fillers.
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u3164\\uffa0',
  // Direction marks.
  '\\u200e\\u200f\\u202a-\\u202e\\u2065-\\u206f',
  // Variation selectors and tags.
  '\\ufe00-\\ufe0f\\u{e0000}-\\u{e0fff}',
]

/** Zero-width characters between visible ones. */
export const ZERO_WIDTH = new RegExp(`[${ZERO_WIDTH_RANGES.join('')}]`, 'gu')

/** Invisible characters: zero width, joiners, soft hyphen, tags, variation selectors, directions. */
const INVISIBLE = new RegExp(`[${INVISIBLE_RANGES.join('')}]`, 'gu')

/** The text without invisible characters. */
const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '')

/** The text with a space for each invisible character. */
export const invisibleAsGaps = (text: string): string => text.replace(INVISIBLE, ' ')

/**
 * The text in Unicode tag characters, which mirror ASCII invisibly. Flag emoji use them too and are skipped.
 */
export function tagText(text: string): string {
  const withoutFlags = text.replace(/\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/gu, '')
  return [...withoutFlags.matchAll(/[\u{e0020}-\u{e007e}]/gu)]
    .map(([tag]) => String.fromCharCode(tag.codePointAt(0)! - 0xe0000))
    .join('')
}

/** The text with a name in place of each invisible or control character, cut to `length` characters. */
export function visibleText(text: string, length = 160): string {
  const shown = text
    .slice(0, length * 4)
    .replace(INVISIBLE, named)
    .replace(/\p{Cc}/gu, character => (character === '\t' ? ' ' : named(character)))
    .replace(/ {2,}/g, ' ')
    .trim()
  return shown.length > length ? `${shown.slice(0, length - 1)}…` : shown
}

const named = (character: string) =>
  `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`
