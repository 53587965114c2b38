import { HASH, isSpace, LF, SLASH, STAR } from '../char-codes.ts'
import { END, type Input, type Reading, comesNext } from '../input.ts'

/** Skip white space and comments. A block comment that does not close soon is not a comment and is not skipped. */
export function* skipComments(input: Input): Reading<void> {
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (isSpace(code)) input.at++
    else if (code === HASH || (code === SLASH && (yield* comesNext(input, '//')))) yield* skipLine(input)
    else if (code !== SLASH || !(yield* comesNext(input, '/*')) || !(yield* skipBlock(input))) return
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
    if (input.code() === STAR && (yield* comesNext(input, '*/'))) {
      input.at += 2
      return true
    }
    input.at++
  }
  input.at = from
  return false
}
