import {
  anyCharacter,
  charactersOf,
  type CharacterSet,
  hasCharacter,
  without,
  union,
  writeClass,
} from './character-set.ts'
import { either, type Rules } from './gbnf-rules.ts'

/** How the characters of a string are written. */
export type TextEncoding = {
  /** Characters that are written as they are. */
  characters: CharacterSet
  /** Characters with a short backslash escape; undefined where a backslash is an ordinary character. */
  escapes?: Readonly<Record<string, string>>
  /** Texts that a string must not contain, because readers would take them for its end. */
  avoid: readonly string[]
}

const controls: CharacterSet = [
  [0, 0x1f],
  [0x7f, 0x7f],
]
const inQuotes = without(anyCharacter, union(controls, charactersOf('"\\')))
const asItStands = without(anyCharacter, without(controls, charactersOf('\t\n\r')))

/** Between double quotes with JSON’s escapes, which Python understands as well. */
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
  avoid.reduce((left, text) => without(left, charactersOf(Array.from(text)[0]!)), characters)

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

/** A rule for all escapes of an encoding; undefined if it has none. A surrogate pair counts as one character. */
export function escapeRule(rules: Rules, { escapes }: TextEncoding): string | undefined {
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
