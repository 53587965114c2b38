/** Deeper values would end whoever goes down into them, such as `JSON.stringify`, at the bottom of the stack. */
const MOST_DEPTH = 200
/** Most values of a body. More would take seconds and gigabytes to read, in which no window is answered. */
const MOST_VALUES = 1_000_000

/** The signs that give JSON its shape. Numbers, words and blanks between them are skipped at once. */
const SIGNS = /["[\]{},:]/g

/** Why a text must not be read as JSON; undefined where it may be, whether it is JSON or not. */
export function shapeProblem(text: string): string | undefined {
  let depth = 0
  let values = 0
  // Counted too: `""""…` is not JSON, but finding the end of each string would take seconds.
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

/** Where a string ends that begins at `start`. Pictures are strings of megabytes, so it is searched and not walked through. */
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
