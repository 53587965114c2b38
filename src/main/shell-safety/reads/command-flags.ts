/**
 * The flags of a command that only affect what it prints. `flags`: short ones without a value. `attached`:
 * short ones with an optional, attached value. `valued`: short ones with a value, attached or in the next
 * word. `long`: long ones, with or without `=value`. `most`: maximum number of operands. `lastOnly`: a short
 * flag with a value must end its cluster, because the command takes all values from the next words.
 */
export type Flags = {
  flags?: string
  attached?: string
  valued?: string
  long?: string
  most?: number
  lastOnly?: boolean
}

/** Return the operands of a command; undefined if a flag is unknown. Values of flags do not count. */
export function operandsOf<T>(
  words: readonly T[],
  known: Flags,
  textOf: (word: T) => string,
): T[] | undefined {
  const operands: T[] = []
  const long = known.long?.split(/\s+/) ?? []
  for (let at = 0; at < words.length; at++) {
    const text = textOf(words[at]!)
    if (text === '--') {
      operands.push(...words.slice(at + 1))
      break
    }
    if (text.startsWith('--')) {
      if (!long.includes(text.slice(2).split('=', 1)[0]!)) return undefined
    } else if (/^-\d+$/.test(text) && /[nC]/.test(known.valued ?? '')) {
      // `head -5`, `git log -5`, `diff -3`.
      continue
    } else if (/^-./.test(text)) {
      const read = readCluster(text.slice(1), known)
      if (read === 'unknown') return undefined
      if (read === 'takes next') {
        const value = words[++at]
        // Our table must not decide whether a command takes this as a value or as a flag.
        if (value === undefined || /^-\D/.test(textOf(value))) return undefined
      }
    } else operands.push(words[at]!)
  }
  return operands.length <= (known.most ?? Infinity) ? operands : undefined
}

/** Read combined short flags: `-la`, `-n5`, `-A 3`. */
function readCluster(letters: string, known: Flags): 'known' | 'takes next' | 'unknown' {
  for (const [at, letter] of Array.from(letters).entries()) {
    const isLast = at === letters.length - 1
    if (known.attached?.includes(letter)) return 'known'
    if (known.valued?.includes(letter)) {
      if (isLast) return 'takes next'
      return known.lastOnly ? 'unknown' : 'known'
    }
    if (!known.flags?.includes(letter)) return 'unknown'
  }
  return 'known'
}
