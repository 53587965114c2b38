import {
  anyCharacter,
  charactersOf,
  type CharacterSet,
  removeCharacters,
  joinCharacters,
} from './gbnf-rules.ts'

/** The parsed form of a regular expression. */
export type Form =
  | { kind: 'set'; set: CharacterSet }
  | { kind: 'row'; of: readonly Form[] }
  | { kind: 'choice'; of: readonly Form[] }
  | { kind: 'repeat'; of: Form; min: number; max: number | undefined }

const LONGEST = 1_000
const MOST_REPEATED = 500

const digit: CharacterSet = [[0x30, 0x39]]
const word = joinCharacters(charactersOf('_'), [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
])
const space = charactersOf(' \t\n\r\f\v\u00a0\ufeff\u2028\u2029')
const CLASSES: Record<string, CharacterSet> = {
  d: digit,
  w: word,
  s: space,
  D: removeCharacters(anyCharacter, digit),
  W: removeCharacters(anyCharacter, word),
  S: removeCharacters(anyCharacter, space),
}
const CONTROLS: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' }
const lines = charactersOf('\n\r\u2028\u2029')

/**
 * Parse a JSON Schema regular expression that starts with `^`. Undefined for an unanchored pattern, and for
 * what a grammar cannot express, such as lookaheads and backreferences. The string is then not restricted.
 */
export function readPattern(pattern: string): Form | undefined {
  if (pattern.length > LONGEST || !pattern.startsWith('^')) return undefined
  const letters = Array.from(pattern)
  const endsHere = letters.at(-1) === '$' && letters.at(-2) !== '\\'
  let at = 1
  const end = endsHere ? letters.length - 1 : letters.length
  let fails = false
  const fail = (): Form => {
    fails = true
    at = end
    return { kind: 'row', of: [] }
  }

  const isAtBar = () => at >= end || letters[at] === '|' || letters[at] === ')'

  const readChoice = (depth: number): Form => {
    const options = [readRow(depth)]
    while (at < end && letters[at] === '|') {
      at++
      options.push(readRow(depth))
    }
    // In `^a|b$` only the first alternative is anchored at the start, and only the second at the end.
    if (depth === 0 && options.length > 1) return fail()
    return options.length === 1 ? options[0]! : { kind: 'choice', of: options }
  }
  const readRow = (depth: number): Form => {
    const of: Form[] = []
    while (!isAtBar()) of.push(readRepeat(depth))
    if (depth === 0 && letters[at] === ')' && at < end) return fail()
    return of.length === 1 ? of[0]! : { kind: 'row', of }
  }
  const readRepeat = (depth: number): Form => {
    const of = readOne(depth)
    const count = /^(?:([*+?])|\{(\d{1,4})(,?)(\d{0,4})\})\??/.exec(
      letters.slice(at, Math.min(end, at + 14)).join(''),
    )
    if (!count) return '*+?{'.includes(letters[at] ?? ' ') && at < end ? fail() : of
    at += count[0].length
    const [, sign, from, comma, to] = count
    const min = sign ? (sign === '+' ? 1 : 0) : Number(from)
    const max = sign ? (sign === '?' ? 1 : undefined) : !comma ? min : to === '' ? undefined : Number(to)
    const isTooMuch = Math.max(min, max ?? 0) > MOST_REPEATED || (max !== undefined && max < min)
    // Repeating an empty match would let a grammar loop without writing anything.
    if (isTooMuch || (max !== 1 && formMayBeEmpty(of)) || '*+?{'.includes(letters[at] ?? ' ')) return fail()
    return { kind: 'repeat', of, min, max }
  }
  const readOne = (depth: number): Form => {
    const letter = letters[at++]!
    if (letter === '(') {
      const opener = /^\?(?::|<[A-Za-z_]\w*>)/.exec(letters.slice(at, at + 40).join(''))
      if (letters[at] === '?' && !opener) return fail()
      at += opener?.[0].length ?? 0
      if (depth > 20) return fail()
      const inner = readChoice(depth + 1)
      if (letters[at] !== ')' || at >= end) return fail()
      at++
      return inner
    }
    if (letter === '[') return readSet()
    if (letter === '.') return { kind: 'set', set: removeCharacters(anyCharacter, lines) }
    if (letter === '\\') return setOf(readEscape())
    if ('^$*+?{}])'.includes(letter)) return fail()
    return { kind: 'set', set: charactersOf(letter) }
  }
  const setOf = (set: CharacterSet | undefined): Form =>
    set && set.length > 0 ? { kind: 'set', set } : fail()
  const readEscape = (): CharacterSet | undefined => {
    if (at >= end) return undefined
    const letter = letters[at++]!
    if (Object.hasOwn(CLASSES, letter)) return CLASSES[letter]
    if (Object.hasOwn(CONTROLS, letter)) return charactersOf(CONTROLS[letter]!)
    const hex = letter === 'x' ? 2 : letter === 'u' ? 4 : 0
    const digits = letters.slice(at, at + hex).join('')
    if (hex > 0 && digits.length === hex && /^[\da-f]+$/i.test(digits)) {
      at += hex
      return charactersOf(String.fromCharCode(Number.parseInt(digits, 16)))
    }
    return /[A-Za-z0-9]/.test(letter) ? undefined : charactersOf(letter)
  }
  const readSet = (): Form => {
    const isNegated = letters[at] === '^'
    if (isNegated) at++
    let set: CharacterSet = []
    while (at < end && letters[at] !== ']') {
      const from = readMember()
      if (!from) return fail()
      const isRange = letters[at] === '-' && letters[at + 1] !== ']'
      if (isRange) at++
      const to = isRange ? readMember() : from
      const [low, high] = [from[0]![0], to?.at(-1)![1] ?? -1]
      if (isRange && (high < low || from.length > 1 || to!.length > 1)) return fail()
      set = joinCharacters(set, isRange ? [[low, high]] : from)
    }
    if (at >= end) return fail()
    at++
    return setOf(isNegated ? removeCharacters(anyCharacter, set) : set)
  }
  const readMember = (): CharacterSet | undefined => {
    const letter = letters[at++]
    if (letter === undefined || at > end) return undefined
    return letter === '\\' ? readEscape() : charactersOf(letter)
  }

  const form = readChoice(0)
  if (fails) return undefined
  const rest: Form = { kind: 'repeat', of: { kind: 'set', set: anyCharacter }, min: 0, max: undefined }
  return endsHere ? form : { kind: 'row', of: [form, rest] }
}

/** Whether a form matches the empty string. */
export function formMayBeEmpty(form: Form): boolean {
  switch (form.kind) {
    case 'set':
      return false
    case 'row':
      return form.of.every(formMayBeEmpty)
    case 'choice':
      return form.of.some(formMayBeEmpty)
    case 'repeat':
      return form.min === 0 || formMayBeEmpty(form.of)
  }
}
