export { estimateTokens } from '../../shared/estimate-tokens.ts'

/**
 * Count the tokens of a text in which the given lines are a single token each, and so is each line feed. `count`
 * handles the other lines and never sees a line feed.
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
