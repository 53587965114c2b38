import { isFrontMap, textOf, type FrontMap, type FrontValue } from './front-yaml.ts'
import { LICENCE_KEYS, LIST_KEYS } from './skill-fields.ts'

/** A piece of a value that YAML does not read as text. Lines count from 1 within the front matter. */
export type LostText = { line: number; key: string; text: string }

const KEYS: ReadonlySet<string> = new Set([
  'name',
  'description',
  ...LICENCE_KEYS,
  ...Object.values(LIST_KEYS).flat(),
])
const FIELD = /^(["']?)([A-Za-z_][\w.-]{0,63})\1[ \t]*:(?:[ \t]+(.*))?$/
const LONGEST_SHOWN = 80
const MOST = 10

/**
 * Find text in front matter that YAML drops although the author probably meant it. In a value without quotes
 * ` #` starts a comment, as in `Fix issue #42`, and a first word with `!` or `&` is a tag or an anchor. A `#`
 * followed by a space is taken as a real comment.
 */
export function lostText(front: string, map: FrontMap): LostText[] {
  const lost: LostText[] = []
  let key = ''
  // Whether the lines below continue the value, as they do without quotes, brackets and block markers.
  let isPlain = false
  let hasText = false
  const add = (line: number, text: string | undefined) => {
    const piece = text?.trim() ?? ''
    if (piece !== '' && lost.length < MOST && !says(map[key], piece))
      lost.push({ line, key, text: shortened(piece) })
  }
  const lines = front.split('\n')
  // All fields may be indented by the same amount.
  const indent = /^[ \t]*/.exec(lines.find(line => line.trim() !== '') ?? '')![0]
  for (const [index, whole] of lines.entries()) {
    const line = whole.startsWith(indent) ? whole.slice(indent.length) : whole
    const field = FIELD.exec(line)
    if (field) {
      const value = (field[3] ?? '').trim()
      key = KEYS.has(field[2]!.toLowerCase()) ? field[2]!.toLowerCase() : ''
      isPlain = !/^["'[{|>*]/.test(value)
      hasText = value !== '' && !value.startsWith('#')
      if (key !== '') add(index + 1, remarkIn(behindQuotes(value)) ?? signIn(value))
      continue
    }
    if (key === '' || !isPlain || !/^[ \t]|^- /.test(line)) continue
    const [, item] = /^\s*-\s+(.*)$/.exec(line) ?? []
    if (item !== undefined && !hasText) {
      add(index + 1, remarkIn(behindQuotes(item)) ?? signIn(item))
    } else if (hasText) add(index + 1, remarkIn(line.trim()))
  }
  return lost
}

/** A word or number after a `#`. In a real comment a space comes between. */
const remarkIn = (value: string): string | undefined =>
  /(?:^|[ \t])(#(?:[^\s#]|[ \t]{1,3}\d).*)$/.exec(value)?.[1]

/** The text after a quoted value; any other value unchanged. */
const behindQuotes = (value: string): string =>
  /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(.*)$/.exec(value)?.[1] ?? (/^["']/.test(value) ? '' : value)

const signIn = (value: string): string | undefined => /^([!&][^\s!]\S*)(?:\s|$)/.exec(value)?.[1]

/** Whether the value contains a piece anyway, because it was read as text. */
const says = (value: FrontValue | undefined, piece: string): boolean =>
  Array.isArray(value)
    ? value.some(each => says(each, piece))
    : !isFrontMap(value) && (textOf(value)?.includes(piece) ?? false)

const shortened = (text: string) =>
  text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN).toWellFormed()}…` : text
