import { isSpace } from '../char-codes.ts'
import { END, type Input, type Reading } from '../input.ts'

const ENDS_NAME = new Set(Array.from('<>()[]{}"\'`,;=|#“”', letter => letter.charCodeAt(0)))
const LONGEST = 128

/** Read the name of a tool or a parameter. The text may be neither, or empty. */
export function* readName(input: Input): Reading<string> {
  const from = input.at
  while (input.at - from < LONGEST) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || isSpace(code) || ENDS_NAME.has(code)) break
    input.at++
  }
  while (input.empty) yield
  return input.slice(from)
}

/** Read a name while its letters still match a known one. */
export function* readKnownName(
  input: Input,
  mayBecome: (letters: string) => boolean,
): Reading<string | undefined> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || isSpace(code) || ENDS_NAME.has(code)) return input.slice(from)
    input.at++
    if (!mayBecome(input.slice(from))) return undefined
  }
}
