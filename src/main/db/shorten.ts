const TITLE_LETTERS = 60
const PREVIEW_LETTERS = 140
/** A letter may have several code units, but what is shown is in the first of these. */
const MAX_READ = 2_000
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A title for a chat from its first message: the first line, up to 60 letters, cut between words. */
export function titleOf(text: string): string {
  const line =
    text
      .slice(0, 10 * MAX_READ)
      .split('\n')
      .map(tidy)
      .find(each => /[\p{L}\p{N}\p{S}]/u.test(each)) ?? ''
  return shorten(line.replace(/^[#>*\-\s]+(?=\S)/, ''), TITLE_LETTERS)
}

/** The beginning of a message on one line. */
export const previewOf = (text: string): string => shorten(tidy(text), PREVIEW_LETTERS)

/** Cut between words, or within one that is longer than half of what is allowed. */
function shorten(text: string, limit: number): string {
  const ends = letterEnds(text, limit + 1)
  if (ends.length <= limit) return text
  const start = text.slice(0, ends[limit - 2])
  const space = text.slice(0, ends[limit - 1]).lastIndexOf(' ')
  const cut = space > start.length / 2 ? start.slice(0, space) : start
  return `${cut.replace(/[\s,;:–-]+$/, '')}…`
}

/** Where each of the first letters ends, as a person counts letters. */
function letterEnds(text: string, count: number): number[] {
  const ends: number[] = []
  for (const { index, segment } of letters.segment(text)) {
    ends.push(index + segment.length)
    if (ends.length === count) break
  }
  return ends
}

const tidy = (text: string) =>
  text
    .slice(0, MAX_READ)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
