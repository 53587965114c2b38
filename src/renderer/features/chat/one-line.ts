/** A text in one line of so many characters at most. */
export function oneLine(text: string, most = 80): string {
  const line = text.trim().replaceAll(/\s+/gu, ' ')
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
