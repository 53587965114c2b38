import {
  bindArguments,
  expectNumber,
  expectText,
  Dict,
  Float,
  List,
  charactersOf,
  isTrue,
  itemsOf,
  lengthOf,
  numberOf,
  type Arguments,
  type Value,
} from '../values.ts'
import { formatPercent } from './format-text.ts'
import { describeValue, printValue, writeJson } from '../print-values.ts'
import type { RunLimits } from '../run-limits.ts'
import { alignText, capitalizeText, replaceText, stripText } from './text-operations.ts'

type Filter = (value: Value, args: Arguments, limits: RunLimits) => Value

const change =
  (work: (text: string) => Value): Filter =>
  value =>
    work(printValue(value))

const asIs: Filter = value => value

const htmlEscapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}
const escapeHtml: Filter = value =>
  printValue(value).replaceAll(/[&<>"']/g, char => htmlEscapes[char] ?? char)

/** Return the default if the value is undefined, or with `boolean` also if it is false. */
const defaultTo: Filter = (value, args) => {
  const [missing = '', takesFalse] = bindArguments(args, 'default_value', 'boolean')
  return value === undefined || (isTrue(takesFalse) && !isTrue(value)) ? missing : value
}

const indent: Filter = (value, args, limits) => {
  const [width, first, blank] = bindArguments(args, 'width', 'first', 'blank')
  const by = typeof width === 'string' ? width : ' '.repeat(Math.min(1000, expectNumber(width, 4)))
  const [head = '', ...rest] = printValue(value).split('\n')
  limits.allowText((rest.length + 1) * by.length)
  const lines = rest.map(line => (line === '' && !isTrue(blank) ? line : by + line))
  return [isTrue(first) ? by + head : head, ...lines].join('\n')
}

const toJson: Filter = (value, args, limits) => {
  const [ascii, indentBy, separators, sorted] = bindArguments(
    args,
    'ensure_ascii',
    'indent',
    'separators',
    'sort_keys',
  )
  const size = numberOf(indentBy)
  const by =
    typeof indentBy === 'string'
      ? indentBy
      : size === undefined
        ? undefined
        : ' '.repeat(Math.min(100, Math.max(0, size)))
  const [between, afterKey] = separators instanceof List ? separators.items.map(printValue) : []
  const text = writeJson(value, {
    indent: by,
    separators: [between ?? (by === undefined ? ', ' : ','), afterKey ?? ': '],
    sortsKeys: isTrue(sorted),
    asciiOnly: isTrue(ascii),
  })
  limits.allowText(text.length)
  return text
}

const truncate: Filter = (value, args) => {
  const [length, cutsWords, ending, leeway] = bindArguments(args, 'length', 'killwords', 'end', 'leeway')
  const letters = charactersOf(printValue(value))
  const most = expectNumber(length, 255)
  const end = ending === undefined ? '...' : printValue(ending)
  if (letters.length <= most + expectNumber(leeway, 5)) return letters.join('')
  const cut = letters.slice(0, Math.max(0, most - lengthOf(end))).join('')
  if (isTrue(cutsWords)) return cut + end
  const space = cut.lastIndexOf(' ')
  return (space < 0 ? cut : cut.slice(0, space)) + end
}

/** Round as Python does: a half goes to the next even number. */
const round: Filter = (value, args) => {
  const [digits, method] = bindArguments(args, 'precision', 'method')
  const scale = 10 ** expectNumber(digits, 0)
  const scaled = expectNumber(value) * scale
  if (method === 'ceil') return new Float(Math.ceil(scaled) / scale)
  if (method === 'floor') return new Float(Math.floor(scaled) / scale)
  const below = Math.floor(scaled)
  const isHalf = scaled - below === 0.5
  const rounded = isHalf ? below + Math.abs(below % 2) : Math.round(scaled)
  return value instanceof Float ? new Float(rounded / scale) : rounded / scale
}

const toInteger: Filter = (value, args) => {
  const [missing = 0, base] = bindArguments(args, 'default', 'base')
  const number = numberOf(value)
  if (number !== undefined) return Math.trunc(number)
  const text = printValue(value).trim().replaceAll('_', '')
  const radix = expectNumber(base, 10)
  if (radix === 10 && /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(text)) return Math.trunc(Number(text))
  const parsed = radix === 10 ? Number.NaN : Number.parseInt(text.replace(/^0[xXoObB]/, ''), radix)
  return Number.isNaN(parsed) ? missing : parsed
}

const toFloat: Filter = (value, args) => {
  const [missing = new Float(0)] = bindArguments(args, 'default')
  const number =
    typeof value === 'string' ? Number(value.trim() === '' ? 'none' : value) : (numberOf(value) ?? Number.NaN)
  return Number.isNaN(number) ? missing : new Float(number)
}

const absolute: Filter = value => {
  const number = Math.abs(expectNumber(value))
  return value instanceof Float ? new Float(number) : number
}

const encodeUrl = (value: Value): string =>
  encodeURIComponent(printValue(value)).replaceAll(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Filters that create or change texts and numbers. */
export const textFilters: Record<string, Filter> = {
  upper: change(text => text.toUpperCase()),
  lower: change(text => text.toLowerCase()),
  capitalize: change(capitalizeText),
  title: change(text => text.replaceAll(/[^-\s([{<]+/gu, word => capitalizeText(word))),
  trim: (value, args) => {
    const [chars] = bindArguments(args, 'chars')
    return stripText(
      printValue(value),
      chars === undefined || chars === null ? undefined : expectText(chars),
      'both',
    )
  },
  string: change(text => text),
  safe: asIs,
  e: escapeHtml,
  escape: escapeHtml,
  forceescape: escapeHtml,
  default: defaultTo,
  d: defaultTo,
  indent,
  tojson: toJson,
  truncate,
  round,
  int: toInteger,
  float: toFloat,
  abs: absolute,
  pprint: value => describeValue(value),
  replace: (value, args, limits) => {
    const [old, fresh, count] = bindArguments(args, 'old', 'new', 'count')
    return replaceText(printValue(value), printValue(old), printValue(fresh), expectNumber(count, -1), limits)
  },
  format: (value, { list, named }, limits) =>
    formatPercent(
      printValue(value),
      named.size > 0 ? new Dict(new Map(named)) : new List(list, true),
      limits,
    ),
  center: (value, args, limits) => {
    const width = expectNumber(bindArguments(args, 'width')[0], 80)
    limits.allowText(width)
    return alignText(printValue(value), width, ' ', 'both')
  },
  wordcount: change(text => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
  striptags: change(text => withoutTags(text).split(/\s+/).filter(Boolean).join(' ')),
  urlencode: value =>
    value instanceof Dict || value instanceof List
      ? (value instanceof Dict ? [...value.entries] : value.items.map(itemsOf))
          .map(([key, item]) => `${encodeUrl(key)}=${encodeUrl(item)}`)
          .join('&')
      : encodeUrl(value).replaceAll('%2F', '/'),
}

/** Remove tags and comments. Text after the last possible end is skipped, to avoid quadratic time. */
function withoutTags(text: string): string {
  const lastComment = text.lastIndexOf('-->')
  const comments = lastComment < 0 ? 0 : lastComment + '-->'.length
  const tags = Math.max(comments, text.lastIndexOf('>') + 1)
  return (
    text.slice(0, comments).replaceAll(/<!--[^]*?-->|<[^>]*>/g, '') +
    text.slice(comments, tags).replaceAll(/<[^>]*>/g, '') +
    text.slice(tags)
  )
}
