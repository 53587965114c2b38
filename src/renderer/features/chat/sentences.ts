/** The end of a sentence: a stop that is followed by space, one that needs none, or the end of a line. */
const ENDS = /[.!?…](?=["'”’)\]]*\s)["'”’)\]]*|[。！？]|\n/gu

/** Signs of Markdown that nobody wants to hear. */
const MARKS = /[*_`#>|~]+/gu

/**
 * Take the finished sentences of a growing text from `from` on. `upTo` is where the next call goes on; with `all`, what
 * is left at the end is taken too.
 */
export function takeSentences(text: string, from: number, all = false): { text: string; upTo: number } {
  const rest = text.slice(from)
  const end = all
    ? rest.length
    : [...rest.matchAll(ENDS)].reduce((at, match) => match.index + match[0].length, 0)
  return { text: rest.slice(0, end).replaceAll(MARKS, '').trim(), upTo: from + end }
}
