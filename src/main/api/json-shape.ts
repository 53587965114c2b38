/** Deeper values would end whoever goes down into them, such as `JSON.stringify`, at the bottom of the stack. */
const MOST_DEPTH = 200
/** Most values of a body. More would take seconds and gigabytes to read, in which no window is answered. */
const MOST_VALUES = 1_000_000

const [QUOTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from('",:[]{}', sign =>
  sign.charCodeAt(0),
)

/** Why a text must not be read as JSON; undefined where it may be, whether it is JSON or not. */
export function shapeProblem(text: string): string | undefined {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) {
      at = endOfString(text, at)
      continue
    }
    if (sign === OPEN_LIST || sign === OPEN_OBJECT) depth += 1
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth -= 1
    else if (sign !== COMMA && sign !== COLON) continue
    values += 1
    if (depth > MOST_DEPTH) return `The body is nested more than ${MOST_DEPTH} deep.`
    if (values > MOST_VALUES) return `The body has more than ${MOST_VALUES.toLocaleString('en')} values.`
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
