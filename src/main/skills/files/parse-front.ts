import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { inUsualCase } from './field-case.ts'
import { lostText } from './lost-text.ts'
import {
  frontMap,
  type FrontMap,
  parseSimple,
  yamlFront,
  FORBIDDEN_KEYS,
  type FrontValue,
} from './front-yaml.ts'

/** Parsed front matter and its issues. Lines count from 1 within the front matter. */
type ParsedFront = {
  map: FrontMap
  issues: { line: number; rule: string; text: string }[]
}

const LONGEST = 32_000

/** Read front matter: fast parser, else YAML, else field by field. Names may have any case. Never throws. */
export function parseFront(front: string): ParsedFront {
  const { map, issues } = parseFields(front)
  const usual = inUsualCase(map)
  const lines = usual.renamed.length > 0 ? front.split('\n') : []
  const spelt = usual.renamed.map(({ from, to }) => ({
    line: lines.findIndex(line => line.replace(/^\s*["']?/, '').startsWith(from)) + 1 || 1,
    rule: 'field-case',
    text: `\`${from}\` was read as \`${to}\`. Write it so: other agents may not know it.`,
  }))
  const lost = lostText(front, usual.map).map(({ line, key, text }) => ({
    line,
    rule: 'lost-text',
    text: `YAML leaves \`${text.replaceAll('`', "'")}\` out of the ${key}. If it belongs there, put the whole value in double quotes.`,
  }))
  return { map: usual.map, issues: [...issues, ...spelt, ...lost] }
}

/** Like `parseFront`, but with field names as written. */
export function parseFields(front: string): ParsedFront {
  if (front.trim() === '') return { map: frontMap(), issues: [] }
  const issues: ParsedFront['issues'] = []
  let text = front
  if (text.length > LONGEST) {
    text = text.slice(0, text.lastIndexOf('\n', LONGEST) + 1)
    const said = `The front matter is far too long; only its first ${LONGEST.toLocaleString('en')} characters were read.`
    issues.push({
      line: 1,
      rule: 'front-matter-length',
      text: `${said} Move what is no field into the body.`,
    })
  }
  const simple = parseSimple(text)
  if (simple !== undefined && !isMisread(simple)) return { map: simple, issues }
  const read = yamlFront(text)
  if ('map' in read && !isMisread(read.map)) {
    for (const { line, key } of read.dropped) {
      const name = key === '' ? 'A field without a plain name' : `The field \`${key}\``
      issues.push({ line, rule: 'field-name', text: `${name} was left out. Give it another name.` })
    }
    return { map: read.map, issues }
  }
  const fields = recoverFront(text)
  for (const { line, key, trouble } of fields) {
    if (trouble === undefined) continue
    const said = `\`${key}\` is no valid YAML (${trouble.replace(/\.$/, '')}), so it was read as plain text.`
    issues.push({
      line,
      rule: 'yaml',
      text: `${said} Put a space after the colon and the value in double quotes.`,
    })
  }
  if (!fields.some(field => field.trouble !== undefined)) {
    const { line, why } = isRefusal(read)
      ? { line: read.line, why: read.refused }
      : { line: 1, why: 'a colon is misplaced' }
    const said = `The front matter is no valid YAML (${why.replace(/\.$/, '')}), so it was read field by field.`
    issues.push({ line, rule: 'yaml', text: `${said} Write each field as \`name: value\`.` })
  }
  return { map: mapOf(fields), issues }
}

/** One field of front matter that as a whole is invalid YAML. */
type RecoveredField = {
  key: string
  value: FrontValue
  /** 1-based, within the front matter. */
  line: number
  /** Its lines unchanged, with line ends. */
  source: string
  /** The reason why it was read as text instead of YAML; undefined if it is valid YAML. */
  trouble: string | undefined
}

const KNOWN = ['name', 'description', 'license', 'licence', 'tags', 'platforms', 'allowed-tools']
const FIELD = /^([A-Za-z_][\w.-]{0,63})[ \t]*:(?!\/\/)(.*)$/
const DEEPEST = 3
// Longer fields are read as text; the limit is in characters.
const LONGEST_FIELD = 20_000
const MOST_FIELDS = 200

/** Read front matter field by field: valid YAML is parsed, and the rest is taken as text. */
export function recoverFront(front: string, depth = 0): RecoveredField[] {
  const fields: RecoveredField[] = []
  for (const { key, rest, lines, line } of entriesOf(front).slice(0, MOST_FIELDS)) {
    if (FORBIDDEN_KEYS.has(key) || fields.some(field => field.key === key)) continue
    const source = lines.map(each => `${each}\n`).join('')
    const read = readAlone(key, source)
    const mended = 'value' in read ? read : mend(key, rest, lines, depth)
    fields.push({
      key,
      value: mended.value,
      line,
      source,
      trouble: 'value' in read ? undefined : read.refused,
    })
  }
  return fields
}

/** A map of recovered fields. */
function mapOf(fields: readonly RecoveredField[]): FrontMap {
  const map = frontMap()
  for (const { key, value } of fields) map[key] = value
  return map
}

/**
 * Whether valid YAML was clearly meant differently, such as `description:"a: b"`, which is a field of that
 * name.
 */
const isMisread = (map: FrontMap): boolean =>
  Object.keys(map).some(key => KNOWN.some(known => key.toLowerCase().startsWith(`${known}:`)))

type Entry = { key: string; rest: string; lines: string[]; line: number }

function entriesOf(front: string): Entry[] {
  const entries: Entry[] = []
  for (const [index, line] of front.split('\n').entries()) {
    const [, key, rest = ''] = FIELD.exec(line) ?? []
    const isField =
      key !== undefined && (/^(?:$|[ \t"'[{>|])/.test(rest) || KNOWN.includes(key.toLowerCase()))
    if (isField) entries.push({ key, rest, lines: [line], line: index + 1 })
    else entries.at(-1)?.lines.push(line)
  }
  // Drop the empty line after the last line end.
  if (front.endsWith('\n')) entries.at(-1)?.lines.pop()
  return entries
}

function readAlone(key: string, source: string): { value: FrontValue } | Refusal {
  if (source.length > LONGEST_FIELD) return { refused: 'it is too long' }
  const simple = parseSimple(source)
  if (simple !== undefined && key in simple) return { value: simple[key]! }
  const read = yamlFront(source)
  if (isRefusal(read)) return read
  return key in read.map && Object.keys(read.map).length === 1
    ? { value: read.map[key]! }
    : { refused: 'a space is missing after the colon' }
}

/** The most likely intended value. */
function mend(key: string, rest: string, lines: readonly string[], depth: number): { value: FrontValue } {
  const below = lines.slice(1)
  const spaced = [`${key}: ${rest.trim()}`, ...below]
    .map(line => `${line.replace(/^[ \t]+/, space => space.replaceAll('\t', '  '))}\n`)
    .join('')
  const read = readAlone(key, spaced)
  if ('value' in read) return read
  const indent = Math.min(...below.filter(line => line.trim() !== '').map(line => line.search(/\S/)))
  if (rest.trim() === '' && indent > 0 && indent < Infinity && depth < DEEPEST) {
    const inner = recoverFront(below.map(line => `${line.slice(indent)}\n`).join(''), depth + 1)
    if (inner.length > 0) return { value: mapOf(inner) }
  }
  return { value: asText([rest, ...below]) }
}

function asText(lines: readonly string[]): string {
  const text = lines
    .map(line => line.trim())
    .filter((line, index) => line !== '' && !(index === 0 && /^[>|][-+\d]*$/.test(line)))
    .join(' ')
  const inner = /^(["'])(.*)\1$/.exec(text)?.[2] ?? text.replace(/^["'](?=[^"']*$)/, '')
  return inner.replaceAll('\\"', '"')
}
