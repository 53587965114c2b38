/** Tabs, line breaks, and characters that join or turn letters and emoji in normal texts. */
const HARMLESS = /\s|[\u200c-\u200f]|[\ufe0e\ufe0f]|[\u{e0020}-\u{e007f}]/gu
/** Characters that are invisible or show only as a box: invalid bytes, controls and unassigned characters. */
const NO_TEXT = /[\ufffd\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/gu
/** Minimum number of such characters, and minimum share of the text. Normal texts have far fewer. */
const FEWEST = 20
const SHARE = 0.3
/** How many characters at the end count, so that garbage after a long good answer is noticed too. */
const END = 400

/** Whether a text has any visible character. */
export const hasVisible = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)

/**
 * Whether the end of a text is unreadable bytes and marks. A damaged model file, or one with a different
 * vocabulary, writes such text.
 */
export function isUnreadable(text: string): boolean {
  const end = text.slice(-END).toWellFormed().replace(HARMLESS, '')
  const bad = end.match(NO_TEXT)?.length ?? 0
  return bad >= FEWEST && bad >= SHARE * end.length
}

/** The part of an unreadable text to keep: its beginning, with one mark in place of each unreadable run. */
export const readableStart = (text: string): string =>
  text
    .replaceAll(/(?:(?!\s)[\ufffd\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]\s*)+/gu, '\ufffd')
    .slice(0, 200)
    .toWellFormed()
