import { PatternProblem } from './pattern-parts.ts'
import { asLiteral, readWith, type SearchPattern } from './search-pattern.ts'

/** Another way to read a pattern that has found nothing, and the text that explains it. */
export type OtherReading = { pattern: SearchPattern; because: string }

/**
 * Yield what a pattern may have meant if it finds nothing as written, the likeliest first: grep’s basic
 * syntax, escaped angle brackets, surrounding slashes or quotes, literal characters, a match across lines.
 */
export function* otherReadings(pattern: string): Generator<OtherReading> {
  for (const read of [inAnotherForm, asCharacters, acrossLines]) {
    const reading = attempt(read, pattern)
    if (reading) yield reading
  }
}

function attempt(
  read: (pattern: string) => OtherReading | undefined,
  pattern: string,
): OtherReading | undefined {
  try {
    return read(pattern)
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error
    return undefined
  }
}

function inAnotherForm(pattern: string): OtherReading | undefined {
  if (/\\\||\\\{,?\d|(?:\]|\.|\\[dswDSW])\\\+(?!\\\+)/.test(pattern))
    return {
      pattern: readWith(asExtended(pattern)),
      because:
        'As it is written it matches nothing. In the basic form of grep, where \\| is “or” and \\+ repeats:',
    }
  if (/\\[<>]/.test(pattern))
    return {
      pattern: readWith(pattern, { plainAngles: true }),
      because: 'With \\< and \\> as the ends of words it matches nothing. With the characters < and >:',
    }
  const framed = /^(?:\/(?<body>.+)\/(?<flags>[gimsuvxy]*)|(?<quote>["'`])(?<quoted>.+)\k<quote>)$/s.exec(
    pattern,
  )?.groups
  if (!framed) return undefined
  const flags = (framed['flags'] ?? '').replaceAll(/[^imsx]/g, '')
  return {
    pattern: readWith(`${flags === '' ? '' : `(?${flags})`}${framed['body'] ?? framed['quoted']}`),
    because: `With the ${framed['quote'] === undefined ? 'slashes' : 'quotes'} around it the pattern matches nothing. Without them:`,
  }
}

/** Syntax of regular expressions only. Literal text is tried only if other special characters remain. */
const SURELY_EXPRESSION =
  /^\(\?[a-z]+\)|\.[*+]\??|\\[bBdDsSwW](?:[*+?]|\{\d*,?\d*\})?|\[[^\]]+\](?:[*+?]|\{\d*,?\d*\})|^\^|\$$/g

/** Read a pattern as literal text, such as `run(task)` and `$HOME` in code. */
function asCharacters(pattern: string): OtherReading | undefined {
  if (!/[$()*+?[\]{}^\\]/.test(pattern.replaceAll(SURELY_EXPRESSION, ''))) return undefined
  const { flags = '', text = '' } = /^(?<flags>(?:\(\?[a-z]+\))?)(?<text>.*)$/s.exec(pattern)!.groups!
  return {
    pattern: readWith(flags + asLiteral(text)),
    because: 'As a regular expression it matches nothing. The characters as they are:',
  }
}

/** Let a pattern such as `one\s+two` match across a line break. */
function acrossLines(pattern: string): OtherReading | undefined {
  if (!/\\[sSDWH]|\[\^|\[:(?:\^|space)/.test(pattern)) return undefined
  const whole = readWith(pattern, { wholeFile: true })
  return { pattern: whole, because: 'Within a line it matches nothing. Across lines:' }
}

/** Convert a basic grep pattern, in which `\|`, `\(` and `\+` are the operators, to an extended one. */
function asExtended(pattern: string): string {
  return pattern.replaceAll(/\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\\.|[(){}|+?]/gs, found => {
    if (/^\\[(){}|+?]$/.test(found)) return found.slice(1)
    return found.length === 1 ? `\\${found}` : found
  })
}
