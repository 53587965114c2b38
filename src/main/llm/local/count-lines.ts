/**
 * The tokens of a text, given lines that are one token each; each line feed is another. The rest is counted by `count`,
 * which takes texts without line feeds.
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
