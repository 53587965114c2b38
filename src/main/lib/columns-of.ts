import { stripVTControlCharacters } from 'node:util'
import { eastAsianWidth } from 'get-east-asian-width'

const SIMPLE = /^[ -~]*$/
/** Matches characters that are drawn as one picture. */
const PICTURE = /\p{Emoji_Presentation}|\uFE0F|\p{Regional_Indicator}/u
const NO_COLUMN = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11FF]$/u
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Count the columns of a text in a monospaced font, as in a terminal: Chinese letters and pictures take two,
 * accents and vowel signs above take none.
 */
export function columnsOf(text: string): number {
  const plain = stripVTControlCharacters(text)
  if (SIMPLE.test(plain)) return plain.length
  let width = 0
  for (const { segment } of letters.segment(plain)) {
    if (PICTURE.test(segment)) width += 2
    else
      for (const letter of segment)
        if (!NO_COLUMN.test(letter)) width += eastAsianWidth(letter.codePointAt(0) ?? 0)
  }
  return width
}
