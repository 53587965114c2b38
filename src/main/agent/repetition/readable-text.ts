/** Tabs, line breaks, and what joins or turns letters and emoji in honest texts. */
const HARMLESS = /\s|[\u200c-\u200f]|[\ufe0e\ufe0f]|[\u{e0020}-\u{e007f}]/gu
/** What a person sees nothing of, or only a box: bytes that are no text, controls, and what is no character. */
const NO_TEXT = /[\ufffd\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/gu
/** At least so many of them, and at least this share of what is written. Honest texts that show some have far less. */
const FEWEST = 20
const SHARE = 0.3
/** How much of the end counts, so that garbage after a long good answer is noticed too. */
const END = 400

/** Whether anything of a text can be seen. */
export const hasVisible = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)

/**
 * Whether the end of a text is made of bytes and marks that no person can read, as a damaged model file writes them, or one
 * with another vocabulary.
 */
export function isUnreadable(text: string): boolean {
  const end = text.slice(-END).toWellFormed().replace(HARMLESS, '')
  const bad = end.match(NO_TEXT)?.length ?? 0
  return bad >= FEWEST && bad >= SHARE * end.length
}

/** What is kept of such a text: its beginning, with one mark in place of each run of what cannot be read. */
export const readableStart = (text: string): string =>
  text
    .replaceAll(/(?:(?!\s)[\ufffd\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]\s*)+/gu, '\ufffd')
    .slice(0, 200)
    .toWellFormed()
