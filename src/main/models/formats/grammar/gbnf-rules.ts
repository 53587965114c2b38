/** The rules of a GBNF grammar being written. */
export type Rules = {
  /** The name of a rule with this body. Equal bodies share one rule; a body that is only a name is kept. */
  rule(body: string): string
  /** A rule whose body is defined later, for recursion. */
  later(): { name: string; define(body: string): void }
  /** The whole grammar; `root` is the body of its first rule. */
  text(root: string): string
}

/** Start a grammar. */
export function createRules(): Rules {
  const bodies = new Map<string, string>()
  const names = new Map<string, string>()
  const nextName = () => `r${bodies.size.toString(36)}`
  return {
    rule(body) {
      if (/^[a-z0-9]+$/.test(body)) return body
      const known = names.get(body)
      if (known) return known
      const name = nextName()
      names.set(body, name)
      bodies.set(name, body)
      return name
    },
    later() {
      const name = nextName()
      bodies.set(name, '')
      return { name, define: body => void bodies.set(name, body) }
    },
    text: root => [['root', root], ...bodies].map(([name, body]) => `${name} ::= ${body}`).join('\n'),
  }
}

const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\' }

/** A literal text in GBNF; empty for an empty text. */
export function literal(text: string): string {
  if (text === '') return ''
  if (/^[ !#-[\]-~]+$/.test(text)) return `"${text}"`
  const written = Array.from(text, letter => {
    if (letter in NAMED) return NAMED[letter]
    const code = letter.codePointAt(0)!
    // A lone surrogate cannot be written, and no tokenizer produces one.
    if (code >= 0xd800 && code <= 0xdfff) return '\uFFFD'
    return code < 0x20 || code === 0x7f ? writeClass(charactersOf(letter)).slice(1, -1) : letter
  })
  return `"${written.join('')}"`
}

/** Parts in sequence. */
export const sequence = (...parts: readonly string[]): string => parts.filter(part => part !== '').join(' ')

/** Alternatives, each of which may be a sequence. An empty one becomes an empty literal; no duplicates. */
export const alternatives = (options: readonly string[]): string =>
  [...new Set(options)].map(option => (option === '' ? '""' : option)).join(' | ')

/** Alternatives in parentheses, for use inside a sequence. */
export const groupedAlternatives = (options: readonly string[]): string =>
  new Set(options).size === 1 && /^("(?:[^"\\]|\\.)*"|\w+)$/.test(options[0]!)
    ? options[0]!
    : `(${alternatives(options)})`

/** A set of characters: ranges of code points, sorted and disjoint. */
export type CharacterSet = readonly (readonly [from: number, to: number])[]

const LAST = 0x10ffff
const SURROGATES = [0xd800, 0xdfff] as const

/** Every character that a text can contain. */
export const anyCharacter: CharacterSet = [
  [0, SURROGATES[0] - 1],
  [SURROGATES[1] + 1, LAST],
]

/** The characters of a text. */
export const charactersOf = (text: string): CharacterSet =>
  joinCharacters(
    [],
    Array.from(text, letter => [letter.codePointAt(0)!, letter.codePointAt(0)!] as const),
  )

/** The union of two sets. The second may be unsorted. */
export function joinCharacters(one: CharacterSet, other: CharacterSet): CharacterSet {
  const sorted = [...one, ...other].toSorted((a, b) => a[0] - b[0])
  const joined: [number, number][] = []
  for (const [from, to] of sorted) {
    const last = joined.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

/** The characters of the first set that are not in the second. */
export function removeCharacters(one: CharacterSet, other: CharacterSet): CharacterSet {
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

export const sharedCharacters = (one: CharacterSet, other: CharacterSet): CharacterSet =>
  removeCharacters(one, removeCharacters(one, other))

export const hasCharacter = (set: CharacterSet, letter: string): boolean => {
  const code = letter.codePointAt(0)!
  return set.some(([from, to]) => from <= code && code <= to)
}

/** A non-empty set as a GBNF character class, positive or negated, whichever is shorter. */
export function writeClass(set: CharacterSet): string {
  const rest = removeCharacters(anyCharacter, set)
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

/** A word, and the rules for what follows it. */
export type Word = readonly [text: string, behind: string]

/** One of several words. Common prefixes are written once, so a grammar tracks fewer alternatives. */
export function writeWords(words: readonly Word[]): string {
  const byFirst = new Map<string, Word[]>()
  for (const [text, behind] of words) {
    const [first = ''] = text
    byFirst.set(first, [...(byFirst.get(first) ?? []), [text, behind]])
  }
  const options = [...byFirst].flatMap(([first, some]) => {
    if (first === '') return some.map(([, behind]) => behind)
    const shared = sharedStart(some.map(([text]) => text))
    if (some.length === 1) return [sequence(literal(shared), some[0]![1])]
    const rest = some.map(([text, behind]): Word => [text.slice(shared.length), behind])
    return [sequence(literal(shared), inGroup(writeWords(rest)))]
  })
  return alternatives(options)
}

const inGroup = (options: string) => (options === '""' ? '' : `(${options})`)

function sharedStart(texts: readonly string[]): string {
  let shared = texts[0] ?? ''
  for (const text of texts) {
    let length = 0
    while (length < shared.length && shared[length] === text[length]) length++
    shared = shared.slice(0, length)
  }
  // Do not split a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(shared) ? shared.slice(0, -1) : shared
}

/** A non-empty word of these characters other than `words`. */
export function writeOtherWord(rules: Rules, words: readonly string[], characters: CharacterSet): string {
  const more = rules.rule(`${writeClass(characters)}*`)
  const write = (left: readonly string[]): string => {
    const firsts = [...new Set(left.map(word => Array.from(word)[0]).filter(first => first !== undefined))]
    const others = removeCharacters(characters, charactersOf(firsts.join('')))
    return rules.rule(
      alternatives([
        ...(left.includes('') ? [] : ['']),
        ...(others.length > 0 ? [sequence(writeClass(others), more)] : []),
        ...firsts.map(first =>
          sequence(
            literal(first),
            groupedAlternatives([
              write(left.filter(word => word.startsWith(first)).map(word => word.slice(first.length))),
            ]),
          ),
        ),
      ]),
    )
  }
  return write([...words, ''])
}
