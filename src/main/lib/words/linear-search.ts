/** From this many letters on a text is sought in linear time; for shorter ones the engine's own search is fast and bounded enough. */
const LONG = 64

/** Where a text begins in another one, from a place on; -1 if it does not. */
export type TextSearch = (text: string, from?: number) => number

/**
 * Prepare to search for a text, in time that grows with the length of both only (Knuth, Morris and Pratt): the engine's own
 * search takes the product of both for texts that repeat one sign, minutes for a megabyte.
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

/** For each letter how many of those up to it begin the text as well. */
function fallBack(wanted: string): Int32Array {
  const back = new Int32Array(wanted.length)
  for (let at = 1, same = 0; at < wanted.length; at++) {
    while (same > 0 && wanted.charCodeAt(at) !== wanted.charCodeAt(same)) same = back[same - 1]!
    if (wanted.charCodeAt(at) === wanted.charCodeAt(same)) same++
    back[at] = same
  }
  return back
}
