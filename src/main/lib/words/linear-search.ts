/** Minimum length for linear search; for shorter texts the engine's own search is fast enough. */
const LONG = 64

/** Returns where a text starts in another one, from a position on; -1 if it does not occur. */
export type TextSearch = (text: string, from?: number) => number

/**
 * Prepare a search whose time grows with the sum of both lengths (Knuth, Morris and Pratt). The engine's own
 * search takes their product for texts that repeat one character: minutes for a megabyte.
 */
export function prepareSearch(wanted: string): TextSearch {
  if (wanted.length < LONG) return (text, from) => text.indexOf(wanted, from)
  const back = fallBack(wanted)
  return (text, from = 0) => {
    for (let at = from, same = 0; at < text.length; at++) {
      const letter = text.charCodeAt(at)
      while (same > 0 && letter !== wanted.charCodeAt(same)) same = back[same - 1]!
      if (letter === wanted.charCodeAt(same)) same++
      if (same === wanted.length) return at + 1 - same
    }
    return -1
  }
}

/** For each letter, return how many letters up to it are also the start of the text. */
function fallBack(wanted: string): Int32Array {
  const back = new Int32Array(wanted.length)
  for (let at = 1, same = 0; at < wanted.length; at++) {
    while (same > 0 && wanted.charCodeAt(at) !== wanted.charCodeAt(same)) same = back[same - 1]!
    if (wanted.charCodeAt(at) === wanted.charCodeAt(same)) same++
    back[at] = same
  }
  return back
}
