import type { ConfigProblem, Key, Setting, Source } from '../../../shared/contract/settings.ts'
import { Fault } from '../../../shared/rpc.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { redactIn } from '../../untrusted/redact.ts'

/** A copy of a setting, without passwords in its values. */
export const maskSetting = (setting: Setting): Setting => ({
  ...setting,
  value: redactIn(setting.value),
  standard: redactIn(setting.standard),
})

/** Settings and keys in one table: name, value, where the value comes from. */
export function showTable(settings: readonly Setting[], keys: readonly Key[]): string {
  const groups = Object.entries(Object.groupBy(settings, each => each.section))
  const rows: [string, string, string][] = groups.flatMap(([section, group = []]) => [
    ['', '', ''],
    [section, '', ''],
    ...group.map(({ path, value, source, changed, standard }): [string, string, string] => [
      `  ${path.slice(section.length + 1)}`,
      shorten(showValue(value)),
      `${showSource(source)}${changed ? ` (default: ${shorten(showValue(standard))})` : ''}`,
    ]),
  ])
  const keyRows = keys.map((key): [string, string, string] => [
    `  ${key.name}`,
    shorten(showKeyValue(key)),
    key.source ? showSource(key.source) : whyWanted(key),
  ])
  const all = [...rows, ['', '', ''] as const, ['keys (.env)', '', ''] as const, ...keyRows]
  const width = (column: 0 | 1) => Math.max(...all.map(row => row[column].length))
  const [first, second] = [width(0), width(1)]
  return all
    .map(([a, b, c]) => `${a.padEnd(first)}  ${b.padEnd(second)}  ${c}`.trimEnd())
    .join('\n')
    .trim()
}

const MOST_SHOWN = 28
const shorten = (text: string) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text)
const showKeyValue = ({ value, source }: Key) => value ?? (source ? 'set' : 'not set')
const whyWanted = ({ missingFor }: Key) => (missingFor.length > 0 ? `needed by ${missingFor.join(', ')}` : '')

const SOURCES: Record<Source['from'], string> = {
  default: 'default',
  'config.yaml': 'config.yaml',
  '.env': '.env',
  vault: 'kept by the desktop app',
  environment: 'environment',
}
/** The source of a value, such as `config.yaml:3`. */
export const showSource = ({ from, line }: Source): string =>
  line === null ? SOURCES[from] : `${SOURCES[from]}:${line}`

/** Keys as lines, each with its description. Values of secrets are never shown. */
export const showKeys = (keys: readonly Key[]): string =>
  keys
    .map(key => {
      const { name, help, where, usedBy, source } = key
      const from = source ? `   (${showSource(source)})` : ''
      const wanted = whyWanted(key) === '' ? '' : `\n    Missing: ${whyWanted(key)}.`
      return `${name}: ${showKeyValue(key)}${from}\n    ${help}\n    Get it: ${where}\n    Used by: ${usedBy.join(', ')}.${wanted}`
    })
    .join('\n')

/** A line such as `/home/me/.talaria/config.yaml:3: unknown: there is no setting agnet.` */
export const showProblem = ({ file, line, text, kind }: ConfigProblem): string =>
  `${file}${line === null ? '' : `:${line}`}: ${kind === 'mistake' ? '' : `${kind}: `}${text}`

/** Settings as lines, each with its value and description. */
export function showSettings(settings: readonly Setting[]): string {
  return settings
    .map(({ path, value, changed, standard, help, where, usedBy, source }) => {
      const was = changed ? `   (default: ${showValue(standard)})` : ''
      const from = where === '' ? '' : ` What may be written: ${where}.`
      return `${path}: ${showValue(value)}${was}\n    ${help}${from}\n    Used by: ${usedBy.join(', ')}. From: ${showSource(source)}.`
    })
    .join('\n')
}

/** A value as a user would type it. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '(none)' : value
  if (Array.isArray(value) && value.every(each => typeof each === 'string'))
    return value.length === 0 ? '(none)' : value.join(', ')
  return JSON.stringify(value)
}

const YES = new Set(['true', 'yes', 'on'])
const NO = new Set(['false', 'no', 'off'])

/** A list written as JSON, as config.yaml shows it. */
function readList(path: string, text: string): string[] {
  const list: unknown = parseJson(text)
  if (Array.isArray(list) && list.every(each => typeof each === 'string')) return list
  throw new Fault('bad_input', `${path} is a list: write its entries as separate words, without brackets.`)
}

/**
 * Parse the value of a setting from the command line. Throws a `bad_input` Fault that says what is allowed.
 */
export function readValue({ path, kind }: Pick<Setting, 'path' | 'kind'>, words: readonly string[]): unknown {
  const word = words.join(' ')
  switch (kind.type) {
    case 'switch':
      if (YES.has(word.toLowerCase())) return true
      if (NO.has(word.toLowerCase())) return false
      throw new Fault('bad_input', `${path} is on or off.`)
    case 'number':
    case 'auto_number': {
      if (kind.type === 'auto_number' && word === 'auto') return word
      const number = Number(word)
      const or = kind.type === 'auto_number' ? '“auto” or ' : ''
      if (word === '' || !Number.isFinite(number))
        throw new Fault('bad_input', `${path} is ${or}a number from ${kind.min} to ${kind.max}.`)
      return number
    }
    case 'list':
      return word.startsWith('[') ? readList(path, word) : words.filter(each => each !== '')
    case 'choice':
    case 'text':
      return word
    case 'other':
      try {
        return JSON.parse(word)
      } catch {
        throw new Fault(
          'bad_input',
          `${path} takes JSON, such as ${path === 'models.options' ? '{}' : '[]'}.`,
        )
      }
  }
}
