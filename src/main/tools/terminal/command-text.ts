/**
 * Return a command as a shell reads it: with Unix line breaks, without a byte order mark and without line
 * breaks at the end. A single carriage return also ends a line, but not within quotes, where `tr -d` and
 * `sed` may need it.
 */
export function plainCommand(given: string): string {
  const text = given.replace(/^\uFEFF/, '').replace(/\r{1,99}\n/g, '\n')
  const lines = text.includes('\r') ? breakLines(text) : text
  // A regular expression for the end would take quadratic time on line breaks in the middle.
  let end = lines.length
  while (lines[end - 1] === '\n') end--
  // After a backslash, the last line break is a continuation and must stay.
  return lines[end - 1] === '\\' ? lines : lines.slice(0, end)
}

/** Replace carriage returns outside quotes by line breaks, and remove those at the end. */
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
