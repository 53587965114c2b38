/** Minimum length of a part of a page in characters, however small the window is. */
const LEAST_PART = 1_000

/**
 * Cut a long page into parts of at most `most` characters: between blocks if one ends in the second half of a
 * part, else between lines or words. Equal pages give equal parts.
 */
export function cutPage(markdown: string, most: number): readonly string[] {
  const limit = Math.max(LEAST_PART, most)
  const parts: string[] = []
  let rest = markdown.trim()
  while (rest.length > limit) {
    const at = cutPoint(rest, limit)
    parts.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return [...parts, rest]
}

function cutPoint(text: string, limit: number): number {
  for (const sign of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(sign, limit)
    if (at > limit / 2) return at
  }
  // Do not split a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text[limit - 1]!) ? limit - 1 : limit
}
