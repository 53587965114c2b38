import { describeValue, printFloat, printValue } from '../print-values.ts'
import type { RunLimits } from '../run-limits.ts'
import { Dict, Float, List, lengthOf, nameType, numberOf, type Arguments, type Value } from '../values.ts'
import { alignText } from './text-operations.ts'

/** Format a text like Python's `'{} {name}'.format(…)`. */
export function formatBraces(text: string, { list, named }: Arguments, limits: RunLimits): string {
  let next = 0
  const written = text.replaceAll(
    /\{\{|\}\}|\{([^{}!:]*)(?:!([rsa]))?(?::([^{}]*(?:\{[^{}]*\}[^{}]*)*))?\}|[{}]/g,
    (all: string, ...groups: (string | undefined)[]) => {
      if (all === '{{' || all === '}}') return all.charAt(0)
      if (all.length === 1) throw new Error('a single brace in a format')
      const [path = '', shown, spec = ''] = groups
      const [, head = '', rest = ''] = /^([^.[]*)(.*)$/s.exec(path) ?? []
      const key = head === '' ? String(next++) : head
      let value: Value
      if (/^\d+$/.test(key)) {
        if (Number(key) >= list.length) throw new Error('a format has more places than values')
        value = list[Number(key)]
      } else {
        if (!named.has(key)) throw new Error(`a format misses '${key}'`)
        value = named.get(key)
      }
      for (const [, item, dotted] of rest.matchAll(/\[([^\]]*)\]|\.(\w+)/g))
        value = partOf(value, item ?? dotted ?? '')
      const own =
        shown === 'r' || shown === 'a' ? describeValue(value) : shown === 's' ? printValue(value) : value
      return formatSpec(own, spec, limits)
    },
  )
  limits.allowText(written.length)
  return written
}

function partOf(value: Value, key: string): Value {
  if (value instanceof List) return value.items.at(Number(key))
  return value instanceof Dict ? value.entries.get(key) : undefined
}

const specPattern = /^(?:(.)?([<>=^]))?([-+ ])?#?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/su

/** Format a value by a specification such as `>8` or `.2f`. */
function formatSpec(value: Value, spec: string, limits: RunLimits): string {
  if (spec === '') return printValue(value)
  const found = specPattern.exec(spec)
  if (!found) throw new Error(`the format '${spec}' is unknown`)
  const [, fill = ' ', side, sign = '', zero, width = '0', group = '', precision, kind = ''] = found
  limits.allowText(Number(width))
  const number = typeof value === 'string' ? undefined : numberOf(value)
  if (number === undefined || kind === 's') {
    const text = printValue(value)
    const cut = precision === undefined ? text : Array.from(text).slice(0, Number(precision)).join('')
    return alignText(cut, Number(width), fill, sideOf(side, 'start'))
  }
  const isFloat = value instanceof Float
  const digits = grouped(writeNumber(Math.abs(number), kind, precision, isFloat), group)
  const front = number < 0 ? '-' : sign === '-' ? '' : sign
  if (zero !== undefined || side === '=') {
    const padding = zero === undefined ? fill : '0'
    return front + padding.repeat(Math.max(0, Number(width) - front.length - lengthOf(digits))) + digits
  }
  return alignText(front + digits, Number(width), fill, sideOf(side, 'end'))
}

const sideOf = (side: string | undefined, missing: 'start' | 'end'): 'start' | 'end' | 'both' =>
  side === '<' ? 'start' : side === '>' ? 'end' : side === '^' ? 'both' : missing

function writeNumber(value: number, kind: string, precision: string | undefined, isFloat: boolean): string {
  const places = Math.min(100, precision === undefined ? 6 : Number(precision))
  if (kind === 'f' || kind === 'F') return printFixed(value, places)
  if (kind === '%') return `${printFixed(value * 100, places)}%`
  if (kind === 'e' || kind === 'E') {
    const text = value.toExponential(places).replace(/e([+-])(\d)$/, 'e$10$2')
    return kind === 'E' ? text.toUpperCase() : text
  }
  if (kind === 'x') return value.toString(16)
  if (kind === 'X') return value.toString(16).toUpperCase()
  if (kind === 'o') return value.toString(8)
  if (kind === 'b') return value.toString(2)
  if (kind === 'c') return String.fromCodePoint(value)
  if (kind === 'g' || kind === 'G' || precision !== undefined)
    return String(Number(value.toPrecision(Math.max(1, places))))
  return isFloat ? printFloat(value) : String(value)
}

/** Print with fixed decimal places. A half goes to the even digit. */
function printFixed(value: number, places: number): string {
  const scaled = value * 10 ** places
  const below = Math.floor(scaled)
  return scaled - below === 0.5 && below % 2 === 0
    ? (below / 10 ** places).toFixed(places)
    : value.toFixed(places)
}

const grouped = (digits: string, sign: string): string =>
  sign === '' ? digits : digits.replace(/^\d+/, whole => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, sign))

/** Format a text like Python's `'%s is %d' % (…)`. */
export function formatPercent(text: string, given: Value, limits: RunLimits): string {
  const values = given instanceof List && given.isTuple ? [...given.items] : [given]
  let used = 0
  const take = (): Value => {
    if (used >= values.length) throw new Error('not enough arguments for format string')
    return values[used++]
  }
  const written = text.replaceAll(
    /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\d+))?([%a-zA-Z])/g,
    (
      _,
      name: string | undefined,
      flags: string,
      size: string | undefined,
      precision: string | undefined,
      kind: string,
    ) => {
      if (kind === '%') return '%'
      const width = size === '*' ? (numberOf(take()) ?? 0) : Number(size ?? 0)
      limits.allowText(width)
      const value = name === undefined ? take() : given instanceof Dict ? given.entries.get(name) : undefined
      const written = writePlace(value, kind, flags, precision)
      if (flags.includes('-')) return alignText(written, width, ' ', 'start')
      if (!flags.includes('0') || 'sra'.includes(kind)) return alignText(written, width, ' ', 'end')
      const sign = /^[-+ ]/.exec(written)?.[0] ?? ''
      return sign + written.slice(sign.length).padStart(width - sign.length, '0')
    },
  )
  if (used < values.length && !(given instanceof Dict))
    throw new Error('not all arguments converted during string formatting')
  limits.allowText(written.length)
  return written
}

function writePlace(value: Value, kind: string, flags: string, precision: string | undefined): string {
  if ('sra'.includes(kind)) {
    const text = kind === 's' ? printValue(value) : describeValue(value)
    return precision === undefined ? text : Array.from(text).slice(0, Number(precision)).join('')
  }
  const number = numberOf(value)
  if (kind === 'c' && typeof value === 'string') return value
  if (number === undefined || !'diufFeEgGxXoc'.includes(kind))
    throw new Error(`%${kind} format: a number is required, not ${nameType(value)}`)
  const isWhole = 'diu'.includes(kind)
  const digits = writeNumber(
    isWhole ? Math.trunc(Math.abs(number)) : Math.abs(number),
    isWhole ? '' : kind,
    isWhole ? undefined : precision,
    false,
  )
  const front = number < 0 ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  return front + (isWhole ? digits.padStart(Number(precision ?? 0), '0') : digits)
}
