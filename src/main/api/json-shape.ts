/** Maximum depth: deeper values would overflow the stack of recursive code such as `JSON.stringify`. */
const MOST_DEPTH = 200
/** Maximum number of values in a body. More would take seconds and gigabytes, and block every window. */
const MOST_VALUES = 1_000_000

/** The structural characters of JSON. Everything between them is skipped quickly. */
const SIGNS = /["[\]{},:]/g

/** Return why a text must not be parsed as JSON; undefined if it may, whether it is JSON or not. */
export function shapeProblem(text: string): string | undefined {
  let depth = 0
  let values = 0
  // Count strings too: `""""…` is not JSON, but finding the end of each string would take seconds.
  let strings = 0
  SIGNS.lastIndex = 0
  for (let found = SIGNS.exec(text); found; found = SIGNS.exec(text)) {
    const [sign] = found
    if (sign === '"') {
      SIGNS.lastIndex = endOfString(text, found.index) + 1
      strings += 1
    } else {
      if (sign === '[' || sign === '{') depth += 1
      else if (sign === ']' || sign === '}') depth -= 1
      values += 1
    }
    if (depth > MOST_DEPTH) return `The body is nested more than ${MOST_DEPTH} deep.`
    if (values > MOST_VALUES || strings > MOST_VALUES + 1)
      return `The body has more than ${MOST_VALUES.toLocaleString('en')} values.`
  }
  return undefined
}

/** Return the end of the string that starts at `start`. It searches, because pictures are megabytes long. */
function endOfString(text: string, start: number): number {
  let from = start + 1
  for (;;) {
    const end = text.indexOf('"', from)
    if (end < 0) return text.length
    let slashes = 0
    while (end - 1 - slashes >= from && text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end
    from = end + 1
  }
}
