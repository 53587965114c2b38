import { isFrontMap, textOf, type FrontMap, type FrontValue } from './front-yaml.ts'
import { LICENCE_KEYS, LIST_KEYS } from './skill-fields.ts'

/** A piece of a value that YAML takes for something else. Lines count from 1 within the front matter. */
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
 * What the author of front matter probably wanted to say and YAML drops: a ` #` in a value without quotes begins a remark, as in
 * `Fix issue #42`, and a first word that begins with `!` or `&` is a sign for programs. A blank behind the `#` makes it a real remark.
 */
export function lostText(front: string, map: FrontMap): LostText[] {
  const lost: LostText[] = []
  let key = ''
  // Whether the lines below the field go on with its value: only in values without quotes, brackets and blocks.
  let isPlain = false
  let hasText = false
  const add = (line: number, text: string | undefined) => {
    const piece = text?.trim() ?? ''
    if (piece !== '' && lost.length < MOST && !says(map[key], piece))
      lost.push({ line, key, text: shortened(piece) })
  }
  const lines = front.split('\n')
  // All fields may be indented alike.
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

/** What looks like a word or a number behind a `#`: people write remarks with a blank between. */
const remarkIn = (value: string): string | undefined =>
  /(?:^|[ \t])(#(?:[^\s#]|[ \t]{1,3}\d).*)$/.exec(value)?.[1]

/** What stands behind a value in quotes; any other value as it is. */
const behindQuotes = (value: string): string =>
  /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(.*)$/.exec(value)?.[1] ?? (/^["']/.test(value) ? '' : value)

const signIn = (value: string): string | undefined => /^([!&][^\s!]\S*)(?:\s|$)/.exec(value)?.[1]

/** Whether a piece is in the value all the same, because it was read as text. */
const says = (value: FrontValue | undefined, piece: string): boolean =>
  Array.isArray(value)
    ? value.some(each => says(each, piece))
    : !isFrontMap(value) && (textOf(value)?.includes(piece) ?? false)

const shortened = (text: string) =>
  text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN).toWellFormed()}…` : text
