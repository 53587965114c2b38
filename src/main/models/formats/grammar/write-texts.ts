import {
  anyCharacter,
  charactersOf,
  type CharacterSet,
  hasCharacter,
  removeCharacters,
  joinCharacters,
  writeClass,
  sharedCharacters,
  alternatives,
  type Rules,
  literal,
  sequence,
  groupedAlternatives,
} from './gbnf-rules.ts'
import { MOST_COUNTED } from './schema-shape.ts'
import type { Form } from './read-pattern.ts'

/** An encoding: how the characters of a string are written. */
export type TextEncoding = {
  /** Characters that are written unchanged. */
  characters: CharacterSet
  /** Characters with a short backslash escape; undefined if a backslash is an ordinary character. */
  escapes?: Readonly<Record<string, string>>
  /** Texts that a string must not contain, because parsers would take them for its end. */
  avoid: readonly string[]
}

const controls: CharacterSet = [
  [0, 0x1f],
  [0x7f, 0x7f],
]
const inQuotes = removeCharacters(anyCharacter, joinCharacters(controls, charactersOf('"\\')))
const asItStands = removeCharacters(anyCharacter, removeCharacters(controls, charactersOf('\t\n\r')))

/** The encoding between double quotes, with JSON’s escapes, which Python understands as well. */
export const quotedText = (avoid: readonly string[] = []): TextEncoding => ({
  characters: inQuotes,
  escapes: { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
  avoid: avoid.filter(text => canStand(text, inQuotes)),
})

/** Text without escapes. */
export const plainText = (avoid: readonly string[]): TextEncoding => ({
  characters: asItStands,
  avoid: avoid.filter(text => canStand(text, asItStands)),
})

const canStand = (text: string, characters: CharacterSet) =>
  text !== '' && Array.from(text).every(letter => hasCharacter(characters, letter))

/** The characters that cannot start an avoided text. */
export const safeCharacters = ({ characters, avoid }: TextEncoding): CharacterSet =>
  avoid.reduce((left, text) => removeCharacters(left, charactersOf(Array.from(text)[0]!)), characters)

/** A string in this encoding, between its delimiters; undefined if it cannot be written. */
export function encodeText(text: string, { characters, escapes, avoid }: TextEncoding): string | undefined {
  if (!escapes)
    return canStand(text, characters) || text === '' ? (avoids(text, avoid) ? text : undefined) : undefined
  const spelled = JSON.stringify(text).slice(1, -1).replaceAll('\u007f', '\\u007f')
  if (avoids(spelled, avoid)) return spelled
  const starts = new Set(avoid.map(each => each[0]))
  return Array.from(spelled, letter => (starts.has(letter) ? escapeOf(letter) : letter)).join('')
}

const avoids = (text: string, avoid: readonly string[]) => !avoid.some(each => text.includes(each))
const escapeOf = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A rule for all escapes of an encoding; undefined if it has none. A surrogate pair is one character. */
function escapeRule(rules: Rules, { escapes }: TextEncoding): string | undefined {
  if (!escapes) return undefined
  const hex = rules.rule('[0-9a-fA-F]')
  const letters = writeClass(charactersOf(Object.keys(escapes).join('')))
  const codes = alternatives([
    `[0-9a-cA-CefEF] ${hex} ${hex} ${hex}`,
    `[dD] [0-7] ${hex} ${hex}`,
    `[dD] [89abAB] ${hex} ${hex} "\\\\u" [dD] [c-fC-F] ${hex} ${hex}`,
  ])
  return rules.rule(`"\\\\" (${letters} | "u" (${codes}))`)
}

/** Maximum length to count in strings where each possible start of an avoided text needs its own rules. */
const MOST_CHAINED = 128

/** Writes an arbitrary string, between its delimiters, with at least `min` and at most `max` characters. */
type WriteText = (length: { min?: number; max?: number | undefined }) => string

/** Create a function that writes strings in one encoding. It shares the rules for avoided texts. */
export function writeTextsIn(rules: Rules, script: TextEncoding): WriteText {
  if (script.avoid.length > 0) return writeAvoidingIn(rules, script)
  const one = rules.rule(
    alternatives([writeClass(script.characters), escapeRule(rules, script)].filter(isThere)),
  )
  return ({ min = 0, max }) => {
    const least = Math.min(min, MOST_COUNTED)
    const most = max !== undefined && max >= least && max <= MOST_COUNTED ? max : undefined
    if (most === 0) return ''
    return least === 0 && most === undefined ? `${one}*` : `${one}{${least},${most ?? ''}}`
  }
}

const isThere = (part: string | undefined) => part !== undefined

/**
 * A string of limited length without avoided texts. The first character of a possible avoided text counts
 * together with the next one.
 */
function writeAvoidingIn(rules: Rules, script: TextEncoding): WriteText {
  let free: string | undefined
  const escape = escapeRule(rules, script)
  const safe = safeCharacters(script)
  const starts = new Map<string, string>()
  for (const [first = '', second = ''] of script.avoid.map(text => Array.from(text)))
    starts.set(first, (starts.get(first) ?? '') + second)
  const known = new Map<string, string>()

  const write = (min: number, max: number | undefined): string => {
    if (max === 0) return ''
    if (min === 0 && max === undefined) return (free ??= writeFree(rules, script))
    const key = `${min},${max}`
    const written = known.get(key)
    if (written) return written
    const behind = (used: number) =>
      write(Math.max(0, min - used), max === undefined ? undefined : max - used)
    const pairs = max === 1 ? [] : [...starts]
    const options = [
      ...(min === 0 ? [''] : []),
      sequence(writeClass(safe), behind(1)),
      ...(escape ? [sequence(escape, behind(1))] : []),
      ...pairs.map(([first, seconds]) =>
        sequence(literal(first), writeClass(removeCharacters(safe, charactersOf(seconds))), behind(2)),
      ),
    ]
    const name = rules.rule(alternatives(options))
    known.set(key, name)
    return name
  }
  return ({ min = 0, max }) => {
    const least = Math.min(min, MOST_CHAINED)
    return write(least, max !== undefined && max >= least && max <= MOST_CHAINED ? max : undefined)
  }
}

/** A string of any length without avoided texts: an automaton whose states are the prefixes seen so far. */
function writeFree(rules: Rules, script: TextEncoding): string {
  const { avoid } = script
  const states = [...new Set(avoid.flatMap(text => prefixesOf(text)))]
  const written = new Map(states.map(state => [state, rules.later()]))
  const letters = [...new Set(avoid.flatMap(text => Array.from(text)))]
  const escape = escapeRule(rules, script)
  for (const state of states) {
    const byTarget = new Map<string, string>()
    for (const letter of letters) {
      const seen = state + letter
      const target = avoid.some(text => seen.endsWith(text)) ? undefined : longestEnd(seen, written)
      if (target !== undefined && target !== '') byTarget.set(target, (byTarget.get(target) ?? '') + letter)
      if (target === undefined) byTarget.set('never', (byTarget.get('never') ?? '') + letter)
    }
    const others = removeCharacters(script.characters, charactersOf([...byTarget.values()].join('')))
    const start = written.get('')!.name
    byTarget.delete('never')
    const options = [
      '',
      sequence(writeClass(others), start),
      ...[...byTarget].map(([target, some]) =>
        sequence(writeClass(charactersOf(some)), written.get(target)!.name),
      ),
      ...(escape ? [sequence(escape, start)] : []),
    ]
    written.get(state)!.define(alternatives(options))
  }
  return written.get('')!.name
}

/** Every proper prefix of a text, including the empty one. */
const prefixesOf = (text: string) => Array.from(text, (_, at) => Array.from(text).slice(0, at).join(''))

const longestEnd = (text: string, states: ReadonlyMap<string, unknown>): string => {
  let end = text
  while (!states.has(end)) end = end.slice(1)
  return end
}

/** A string of a form, between its delimiters; undefined if this encoding cannot write it. */
export function writeForm(rules: Rules, form: Form, script: TextEncoding): string | undefined {
  switch (form.kind) {
    case 'set':
      return writeSet(form.set, script)
    case 'row': {
      const parts = form.of.map(part => writeForm(rules, part, script))
      return allThere(parts) ? joinLiterals(parts) : undefined
    }
    case 'choice': {
      const parts = form.of.map(part => writeForm(rules, part, script))
      return allThere(parts) ? groupedAlternatives(parts) : undefined
    }
    case 'repeat': {
      const part = writeForm(rules, form.of, script)
      if (part === undefined || part === '') return part
      if (form.max === 0) return ''
      // A separate rule, because llama.cpp multiplies the counts of nested repetitions.
      return `${rules.rule(part)}${writeCount(form.min, form.max)}`
    }
  }
}

/** A sequence in which adjacent literals are joined into one. */
function joinLiterals(parts: readonly string[]): string {
  const joined: string[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last !== undefined && LITERAL.test(last) && LITERAL.test(part))
      joined.splice(-1, 1, last.slice(0, -1) + part.slice(1))
    else joined.push(part)
  }
  return sequence(...joined)
}

const LITERAL = /^"(?:[^"\\]|\\.)*"$/

const allThere = (parts: readonly (string | undefined)[]): parts is string[] =>
  parts.every(part => part !== undefined)

function writeCount(min: number, max: number | undefined): string {
  if (min === 0 && max === undefined) return '*'
  if (min === 1 && max === undefined) return '+'
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max ?? ''}}`
}

/** One character of a set, either unchanged or as its short escape. */
function writeSet(set: Parameters<typeof sharedCharacters>[0], script: TextEncoding): string | undefined {
  const raw = sharedCharacters(set, safeCharacters(script))
  const [only] = raw
  const short = Object.entries(script.escapes ?? {})
    .filter(([letter, means]) => letter !== '/' && sharedCharacters(set, charactersOf(means)).length > 0)
    .map(([letter]) => letter)
    .join('')
  const options = [
    ...(raw.length === 1 && only![0] === only![1] ? [literal(String.fromCodePoint(only![0]))] : []),
    ...(raw.length > 0 && !(raw.length === 1 && only![0] === only![1]) ? [writeClass(raw)] : []),
    ...(short === '' ? [] : [sequence(literal('\\'), writeClass(charactersOf(short)))]),
  ]
  return options.length === 0 ? undefined : options.length === 1 ? options[0] : `(${alternatives(options)})`
}
