/** Shorter words are too often words of their own. */
const SHORTEST = 6

/** Whether one letter of a known word is missing, doubled, other or exchanged with its neighbour; the first letter always counts. */
export function isOneMistake(word: string, known: string): boolean {
  if (word[0] !== known[0] || known.length < SHORTEST || Math.abs(word.length - known.length) > 1)
    return false
  let at = 0
  while (at < known.length && word[at] === known[at]) at++
  const rest = (text: string, from: number) => text.slice(from)
  if (word.length === known.length) {
    const isSwap = word[at] === known[at + 1] && word[at + 1] === known[at]
    return (
      rest(word, at + 1) === rest(known, at + 1) || (isSwap && rest(word, at + 2) === rest(known, at + 2))
    )
  }
  return word.length < known.length
    ? rest(word, at) === rest(known, at + 1)
    : rest(word, at + 1) === rest(known, at)
}
