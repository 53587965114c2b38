/** Pixels that providers count as a token, and the maximum tokens of a picture: they shrink larger ones. */
const PIXELS_A_TOKEN = 750
const MOST_PICTURE_TOKENS = 1_600

/** Estimate the tokens that a picture takes on a server. A picture of unknown size counts as a large one. */
export const pictureTokens = ({
  width,
  height,
}: {
  width?: number | undefined
  height?: number | undefined
}): number =>
  width === undefined || height === undefined
    ? MOST_PICTURE_TOKENS
    : Math.min(MOST_PICTURE_TOKENS, Math.ceil((width * height) / PIXELS_A_TOKEN) + 8)

/**
 * Count the tokens of a text in which the given lines are a single token each, and so is each line feed.
 * `count` handles the other lines and never sees a line feed.
 */
export function countWithLines(
  text: string,
  lines: ReadonlySet<string>,
  count: (text: string) => number,
): number {
  if (lines.size === 0) return count(text)
  const parts = text.split('\n')
  return parts.reduce((sum, line) => sum + (lines.has(line) ? 1 : count(line)), parts.length - 1)
}
