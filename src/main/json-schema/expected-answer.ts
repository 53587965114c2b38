import { parseJson } from '../lib/expected-errors.ts'
import { answerConstraint, type Constraint } from '../models/formats/grammar/constraint.ts'

/** The form that the last answer of a turn must have. */
export type ExpectedAnswer = {
  /** Constrains a local model to the form; other engines ignore it. */
  constraint: Constraint
  /** Why a text does not have the form, as text for the model; undefined if it does. */
  problemOf(text: string): string | undefined
  /** The text for the model if its answer does not have the form. */
  correction(problem: string): string
}

/** Expect JSON that fits a schema; `problemOf` judges the parsed value. */
export function expectJson(
  schema: Record<string, unknown>,
  problemOf: (value: unknown) => string | undefined,
): ExpectedAnswer {
  const shown = JSON.stringify(schema)
  return {
    constraint: answerConstraint(schema),
    problemOf(text) {
      const value = jsonIn(text)
      return value === undefined ? 'it is not JSON' : problemOf(value)
    },
    correction: problem =>
      `Your answer does not have the form that was asked for: ${problem}. Answer again, with nothing but JSON that fits this schema: ${shown}`,
  }
}

/** The JSON of an answer, which may be in a code block; undefined if there is none. */
function jsonIn(text: string): unknown {
  const inBlock = jsonBlock(text)
  return parseJson((inBlock ?? text).trim())
}

/**
 * The content of the first JSON code block in a text. The last fence is found first: without one, the pattern
 * would read to the end of the text from every opening fence, in quadratic time.
 */
export function jsonBlock(text: string): string | undefined {
  const last = text.lastIndexOf('\n```')
  if (last < 0) return undefined
  return /```(?:json)?\s*\n([^]*?)\n```/.exec(text.slice(0, last + '\n```'.length))?.[1]
}
