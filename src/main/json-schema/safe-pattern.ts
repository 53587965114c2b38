import { RE2JS } from 're2js'

/** What a pattern of a schema is asked. Ajv takes two patterns of one text for the same. */
type Pattern = { test(text: string): boolean; toString(): string }

/**
 * A regular expression of a server, which may be made to keep this process busy for ever on the right text. RE2 takes linear
 * time for any; what it does not know (looking ahead, counts above 1,000) runs as it is where nothing can be tried in many
 * ways. Undefined for what is not a regular expression, and for the rest.
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
    // Its errors share no class that it exports as one.
    return undefined
  }
}

/** No repeated group, no reference back, and at most one part of open length. */
function hasOneWay(source: string): boolean {
  const bare = source.replaceAll(/\\[^1-9k]/g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
  const open = bare.match(/[*+]|\{\d+,(?:\d{2,})?\}/g) ?? []
  return !/\)[*+?{]|\\[1-9k]/.test(bare) && open.length <= 1
}

/** About how many states a pattern has: what it may cost for each character of a text. */
export function patternCost(source: string): number {
  const counts = [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, from, to]) => Number(to || from) || 1)
  return source.length + (counts.length > 0 ? counts.reduce((product, count) => product * count, 1) : 0)
}
