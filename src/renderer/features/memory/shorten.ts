/** The beginning of a text, in one line, for the name of a button or a sentence about it. */
export function shorten(text: string, most = 60): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`
}
