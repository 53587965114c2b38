/** Shortens a text to a single line of at most `most` characters, for button names and short sentences. */
export function oneLine(text: string, most = 80): string {
  const line = text.trim().replaceAll(/\s+/gu, ' ')
  if (line.length <= most) return line
  const start = line.slice(0, most - 1).toWellFormed()
  return `${start.trimEnd()}…`
}
