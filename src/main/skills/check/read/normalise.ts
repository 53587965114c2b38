import { withoutInvisible } from './invisible.ts'

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
export function normalise(line: string): string {
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

/** Words that mix Latin letters with look-alikes, which no natural language does. */
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
