import { HASH, isSpace, LF, SLASH, STAR } from '../characters.ts'
import { END, type Input, type Reading, sees } from '../input.ts'

/** Skip white space and comments. A comment that does not close soon is none, and is left where it is. */
export function* skipComments(input: Input): Reading<void> {
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (isSpace(code)) input.at++
    else if (code === HASH || (code === SLASH && (yield* sees(input, '//')))) yield* skipLine(input)
    else if (code !== SLASH || !(yield* sees(input, '/*')) || !(yield* skipBlock(input))) return
  }
}

function* skipLine(input: Input): Reading<void> {
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || code === LF) return
    input.at++
  }
}

function* skipBlock(input: Input): Reading<boolean> {
  const from = input.at
  while (input.at - from < 500) {
    while (input.lacks(1)) yield
    if (input.code() === END) break
    if (input.code() === STAR && (yield* sees(input, '*/'))) {
      input.at += 2
      return true
    }
    input.at++
  }
  input.at = from
  return false
}
