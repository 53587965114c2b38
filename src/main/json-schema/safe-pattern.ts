import { RE2JS } from 're2js'

/** The methods of a pattern that Ajv calls. Ajv treats two patterns with the same text as one. */
type Pattern = { test(text: string): boolean; toString(): string }

/**
 * Compile a server's regular expression safely: on a malicious text it could keep this process busy for ever.
 * RE2 takes linear time for any pattern that it supports. Other patterns (lookahead, counts above 1,000) run
 * as they are if they cannot backtrack. Undefined for unsafe patterns and for invalid expressions.
 */
export function safePattern(source: string): Pattern | undefined {
  try {
    const plain = new RegExp(source, 'u')
    const compiled = linear(source)
    if (compiled) return { test: text => compiled.matcher(text).find(), toString: () => source }
    return hasOneWay(source) ? plain : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function linear(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source))
  } catch {
    // The errors of RE2 have no common exported class.
    return undefined
  }
}

/** Whether a pattern cannot backtrack: no repeated group, no back reference, at most one unbounded quantifier. */
function hasOneWay(source: string): boolean {
  const bare = source.replaceAll(/\\[^1-9k]/g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
  const open = bare.match(/[*+]|\{\d+,(?:\d{2,})?\}/g) ?? []
  return !/\)[*+?{]|\\[1-9k]/.test(bare) && open.length <= 1
}

/** The approximate number of states of a pattern: its maximum cost for each character of a text. */
export function patternCost(source: string): number {
  const counts = [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, from, to]) => Number(to || from) || 1)
  return source.length + (counts.length > 0 ? counts.reduce((product, count) => product * count, 1) : 0)
}
