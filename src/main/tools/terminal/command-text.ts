/**
 * A command as a shell reads it: without a byte order mark, with line breaks as Unix writes them, and without one at the end.
 * A carriage return alone ends a line too, but not between quotes, where `tr -d` and `sed` may be about it.
 */
export function plainCommand(given: string): string {
  const text = given.replace(/^\uFEFF/, '').replace(/\r{1,99}\n/g, '\n')
  const lines = text.includes('\r') ? breakLines(text) : text
  // A pattern for the end would take the square of the time for line breaks in the middle.
  let end = lines.length
  while (lines[end - 1] === '\n') end--
  // A backslash before the last line break continues the line with nothing.
  return lines[end - 1] === '\\' ? lines : lines.slice(0, end)
}

/** Carriage returns outside of quotes become line breaks, and at the end nothing. */
function breakLines(text: string): string {
  let quote = ''
  let broken = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (letter === '\\' && quote !== "'") at++
    else if (letter === quote) quote = ''
    else if (quote === '' && (letter === "'" || letter === '"')) quote = letter
    else if (letter === '\r' && (quote === '' || at === text.length - 1)) {
      broken += `${text.slice(from, at)}\n`
      from = at + 1
    }
  }
  return broken + text.slice(from)
}
