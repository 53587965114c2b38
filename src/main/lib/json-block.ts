/**
 * What stands in the first code block of JSON of a text. In time that grows with the text: from a fence that nothing closes the
 * pattern would read to the end of the text, and from the next one again.
 */
export function jsonBlock(text: string): string | undefined {
  const last = text.lastIndexOf('\n```')
  if (last < 0) return undefined
  return /```(?:json)?\s*\n([^]*?)\n```/.exec(text.slice(0, last + '\n```'.length))?.[1]
}
