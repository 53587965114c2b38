/**
 * Maximum length of a formula with its own definitions after expansion. A few lines of definitions could
 * expand to millions.
 */
const MOST_EXPANDED = 8_000
const DEFINES = /\\(?:[egx]?def|(?:re)?new(?:command|environment)|providecommand|(?:future)?let)\b/
/** Maximum nesting of braces. KaTeX needs minutes for some thousands, and real formulas have a few. */
const DEEPEST = 100

/**
 * Options to render a formula so that it loads nothing, links nowhere and ends soon; undefined if it is
 * nested too deeply.
 */
export function formulaOptions(tex: string, isDisplay: boolean) {
  if (depthOf(tex) > DEEPEST) return undefined
  return {
    displayMode: isDisplay,
    throwOnError: true,
    trust: false,
    strict: 'ignore',
    maxSize: 20,
    maxExpand: DEFINES.test(tex) ? Math.max(4, Math.floor(MOST_EXPANDED / tex.length)) : 1_000,
    macros: {},
  } as const
}

function depthOf(tex: string): number {
  let depth = 0
  let most = 0
  for (const letter of tex) {
    if (letter === '{') most = Math.max(most, ++depth)
    else if (letter === '}') depth--
  }
  return most
}
