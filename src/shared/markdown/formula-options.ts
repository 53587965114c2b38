/** Letters that a formula with definitions of its own may grow to. A few lines of them could stand for millions. */
const MOST_EXPANDED = 8_000
const DEFINES = /\\(?:[egx]?def|(?:re)?new(?:command|environment)|providecommand|(?:future)?let)\b/
/** Braces in one another. KaTeX needs minutes for some thousands, and formulas that people write have a few. */
const DEEPEST = 100

/** With what a formula is set, so that it loads nothing, links nowhere and ends soon; undefined if it is nested too deeply. */
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
