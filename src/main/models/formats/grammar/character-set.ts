/** A set of characters: stretches of code points, in order and apart from each other. */
export type Characters = readonly (readonly [from: number, to: number])[]

const LAST = 0x10ffff
const SURROGATES = [0xd800, 0xdfff] as const

/** Every character that text can hold. */
export const anyCharacter: Characters = [
  [0, SURROGATES[0] - 1],
  [SURROGATES[1] + 1, LAST],
]

/** The characters of a text. */
export const charactersOf = (text: string): Characters =>
  union(
    [],
    Array.from(text, letter => [letter.codePointAt(0)!, letter.codePointAt(0)!] as const),
  )

/** What is in either of two sets; the second may be in any order. */
export function union(one: Characters, other: Characters): Characters {
  const sorted = [...one, ...other].toSorted((a, b) => a[0] - b[0])
  const joined: [number, number][] = []
  for (const [from, to] of sorted) {
    const last = joined.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

/** What is in the first set but not in the second. */
export function minus(one: Characters, other: Characters): Characters {
  let left = [...one]
  for (const [from, to] of other) {
    left = left.flatMap(([start, end]): [number, number][] =>
      [
        ...(start < from ? [[start, Math.min(end, from - 1)] as [number, number]] : []),
        ...(end > to ? [[Math.max(start, to + 1), end] as [number, number]] : []),
      ].filter(([a, b]) => a <= b),
    )
  }
  return left
}

/** What is in both sets. */
export const both = (one: Characters, other: Characters): Characters => minus(one, minus(one, other))

/** Whether a set has a character. */
export const has = (set: Characters, letter: string): boolean => {
  const code = letter.codePointAt(0)!
  return set.some(([from, to]) => from <= code && code <= to)
}

/** A set in the notation of GBNF, by what is in it or by what is not, whichever is shorter. The set is not empty. */
export function writeClass(set: Characters): string {
  const rest = minus(anyCharacter, set)
  const positive = set.map(writeStretch).join('')
  const negative = rest.map(writeStretch).join('')
  return rest.length > 0 && negative.length < positive.length ? `[^${negative}]` : `[${positive}]`
}

const writeStretch = ([from, to]: readonly [number, number]) =>
  from === to ? writeCode(from) : `${writeCode(from)}-${writeCode(to)}`

function writeCode(code: number): string {
  const letter = String.fromCodePoint(code)
  if (/[!-~ ]/.test(letter)) return /[\\\][^-]/.test(letter) ? hexOf(code) : letter
  if (code < 0x100) return hexOf(code)
  const hex = code.toString(16).toUpperCase()
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

const hexOf = (code: number) => `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`
