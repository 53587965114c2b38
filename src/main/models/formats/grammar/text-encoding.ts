import { anyCharacter, charactersOf, type Characters, has, minus, union, writeClass } from './characters.ts'
import { either, type Rules } from './rules.ts'

/** How the characters of a text are put on paper. */
export type Script = {
  /** What may stand there as it is. */
  characters: Characters
  /** Characters with a short escape behind a backslash; undefined where a backslash is a character like any other. */
  escapes?: Readonly<Record<string, string>>
  /** What a text must never contain, because readers would take it for its end. */
  avoid: readonly string[]
}

const controls: Characters = [
  [0, 0x1f],
  [0x7f, 0x7f],
]
const inQuotes = minus(anyCharacter, union(controls, charactersOf('"\\')))
const asItStands = minus(anyCharacter, minus(controls, charactersOf('\t\n\r')))

/** Between double quotes with JSON’s escapes, which Python’s readers know as well. */
export const quoted = (avoid: readonly string[] = []): Script => ({
  characters: inQuotes,
  escapes: { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
  avoid: avoid.filter(text => canStand(text, inQuotes)),
})

/** Text in which every character means itself. */
export const plain = (avoid: readonly string[]): Script => ({
  characters: asItStands,
  avoid: avoid.filter(text => canStand(text, asItStands)),
})

const canStand = (text: string, characters: Characters) =>
  text !== '' && Array.from(text).every(letter => has(characters, letter))

/** The characters after which nothing that is avoided can have begun. */
export const safeIn = ({ characters, avoid }: Script): Characters =>
  avoid.reduce((left, text) => minus(left, charactersOf(Array.from(text)[0]!)), characters)

/** One text as it is written in this script, between its delimiters; undefined if it cannot be. */
export function spell(text: string, { characters, escapes, avoid }: Script): string | undefined {
  if (!escapes)
    return canStand(text, characters) || text === '' ? (avoids(text, avoid) ? text : undefined) : undefined
  const spelled = JSON.stringify(text).slice(1, -1).replaceAll('\u007f', '\\u007f')
  if (avoids(spelled, avoid)) return spelled
  const starts = new Set(avoid.map(each => each[0]))
  return Array.from(spelled, letter => (starts.has(letter) ? escapeOf(letter) : letter)).join('')
}

const avoids = (text: string, avoid: readonly string[]) => !avoid.some(each => text.includes(each))
const escapeOf = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

/** All escapes of a script as a rule; nothing if it has none. A pair of surrogates counts as the one character it is. */
export function escapeRule(rules: Rules, { escapes }: Script): string | undefined {
  if (!escapes) return undefined
  const hex = rules.rule('[0-9a-fA-F]')
  const letters = writeClass(charactersOf(Object.keys(escapes).join('')))
  const codes = either([
    `[0-9a-cA-CefEF] ${hex} ${hex} ${hex}`,
    `[dD] [0-7] ${hex} ${hex}`,
    `[dD] [89abAB] ${hex} ${hex} "\\\\u" [dD] [c-fC-F] ${hex} ${hex}`,
  ])
  return rules.rule(`"\\\\" (${letters} | "u" (${codes}))`)
}
