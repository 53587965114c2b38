import {
  bindArguments,
  expectNumber,
  expectText,
  List,
  charactersOf,
  itemsOf,
  lengthOf,
  type Arguments,
  type Callable,
  type Value,
} from '../values.ts'
import { formatBraces } from './format-text.ts'
import {
  joinTexts,
  replaceText,
  splitText,
  stripText,
  capitalizeText,
  titleText,
  alignText,
} from './text-operations.ts'
import type { RunLimits } from '../run-limits.ts'

type Method = (text: string, args: Arguments, limits: RunLimits) => Value

const plain =
  (change: (text: string) => Value): Method =>
  (text, args) => {
    bindArguments(args)
    return change(text)
  }

const strip =
  (side: 'both' | 'start' | 'end'): Method =>
  (text, args) => {
    const [chars] = bindArguments(args, 'chars')
    return stripText(text, chars === undefined || chars === null ? undefined : expectText(chars), side)
  }

const split =
  (fromEnd: boolean): Method =>
  (text, args) => {
    const [sep, most] = bindArguments(args, 'sep', 'maxsplit')
    const separator = sep === undefined || sep === null ? undefined : expectText(sep)
    return new List(splitText(text, separator, expectNumber(most, -1), fromEnd))
  }

/** Convert a position from UTF-16 units to characters. */
const place = (text: string, at: number): number => (at <= 0 ? at : lengthOf(text.slice(0, at)))

const find =
  (fromEnd: boolean, isStrict: boolean): Method =>
  (text, args) => {
    const [wanted, from, to] = bindArguments(args, 'sub', 'start', 'end')
    const [start] = [expectNumber(from, 0)]
    const part =
      from === undefined && to === undefined
        ? text
        : charactersOf(text).slice(start, expectNumber(to, text.length)).join('')
    const at = fromEnd ? part.lastIndexOf(expectText(wanted)) : part.indexOf(expectText(wanted))
    if (at < 0 && isStrict) throw new Error('substring not found')
    return at < 0 ? -1 : place(part, at) + (start < 0 ? Math.max(0, lengthOf(text) + start) : start)
  }

const touches =
  (test: (text: string, affix: string) => boolean): Method =>
  (text, args) => {
    const [affix, from, to] = bindArguments(args, 'prefix', 'start', 'end')
    const part =
      from === undefined
        ? text
        : charactersOf(text).slice(expectNumber(from), expectNumber(to, text.length)).join('')
    const affixes = affix instanceof List ? affix.items : [affix]
    return affixes.some(each => test(part, expectText(each)))
  }

const partition =
  (fromEnd: boolean): Method =>
  (text, args) => {
    const separator = expectText(bindArguments(args, 'sep')[0])
    const at = fromEnd ? text.lastIndexOf(separator) : text.indexOf(separator)
    if (at < 0) return new List(fromEnd ? ['', '', text] : [text, '', ''], true)
    return new List([text.slice(0, at), separator, text.slice(at + separator.length)], true)
  }

const align =
  (side: 'start' | 'end' | 'both'): Method =>
  (text, args, limits) => {
    const [width, fill] = bindArguments(args, 'width', 'fillchar')
    limits.allowText(expectNumber(width))
    return alignText(text, expectNumber(width), fill === undefined ? ' ' : expectText(fill), side)
  }

const isOnly = (pattern: RegExp): Method => plain(text => text !== '' && pattern.test(text))
const hasCase = (text: string): boolean => text.toLowerCase() !== text.toUpperCase()

function zeroFill(text: string, args: Arguments, limits: RunLimits): string {
  const width = expectNumber(bindArguments(args, 'width')[0])
  limits.allowText(width)
  const sign = /^[+-]/.exec(text)?.[0] ?? ''
  return sign + text.slice(sign.length).padStart(width - sign.length, '0')
}

const methods: Record<string, Method> = {
  upper: plain(text => text.toUpperCase()),
  lower: plain(text => text.toLowerCase()),
  casefold: plain(text => text.toLowerCase().replaceAll('ß', 'ss')),
  capitalize: plain(capitalizeText),
  title: plain(titleText),
  swapcase: plain(text =>
    charactersOf(text)
      .map(each => (each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase()))
      .join(''),
  ),
  strip: strip('both'),
  lstrip: strip('start'),
  rstrip: strip('end'),
  split: split(false),
  rsplit: split(true),
  splitlines: (text, args) => {
    const [keepsEnds] = bindArguments(args, 'keepends')
    const lines = text.match(/[^\n\r\v\f]*(?:\r\n|[\n\r\v\f])|[^\n\r\v\f]+$/g) ?? []
    return new List(keepsEnds === true ? lines : lines.map(line => line.replace(/(?:\r\n|[\n\r\v\f])$/, '')))
  },
  startswith: touches((text, affix) => text.startsWith(affix)),
  endswith: touches((text, affix) => text.endsWith(affix)),
  removeprefix: (text, args) => {
    const affix = expectText(bindArguments(args, 'prefix')[0])
    return text.startsWith(affix) ? text.slice(affix.length) : text
  },
  removesuffix: (text, args) => {
    const affix = expectText(bindArguments(args, 'suffix')[0])
    return affix !== '' && text.endsWith(affix) ? text.slice(0, -affix.length) : text
  },
  replace: (text, args, limits) => {
    const [old, fresh, count] = bindArguments(args, 'old', 'new', 'count')
    return replaceText(text, expectText(old), expectText(fresh), expectNumber(count, -1), limits)
  },
  find: find(false, false),
  rfind: find(true, false),
  index: find(false, true),
  rindex: find(true, true),
  count: (text, args) => {
    const wanted = expectText(bindArguments(args, 'sub')[0])
    return wanted === '' ? lengthOf(text) + 1 : text.split(wanted).length - 1
  },
  join: (text, args, limits) =>
    joinTexts(itemsOf(bindArguments(args, 'iterable')[0]).map(expectText), text, limits),
  partition: partition(false),
  rpartition: partition(true),
  format: (text, args, limits) => formatBraces(text, args, limits),
  center: align('both'),
  ljust: align('start'),
  rjust: align('end'),
  zfill: zeroFill,
  expandtabs: (text, args) =>
    text.replaceAll('\t', ' '.repeat(Math.min(100, expectNumber(bindArguments(args, 'tabsize')[0], 8)))),
  isdigit: isOnly(/^[\p{Nd}\u00B2\u00B3\u00B9\u2070-\u2079\u2080-\u2089]+$/u),
  isdecimal: isOnly(/^\p{Nd}+$/u),
  isnumeric: isOnly(/^\p{N}+$/u),
  isalpha: isOnly(/^\p{L}+$/u),
  isalnum: isOnly(/^[\p{L}\p{N}]+$/u),
  isspace: isOnly(/^\s+$/),
  isidentifier: isOnly(/^[\p{L}_][\p{L}\p{N}_]*$/u),
  isascii: plain(text => !/[\u0080-\uFFFF]/.test(text)),
  isupper: plain(text => hasCase(text) && text === text.toUpperCase()),
  islower: plain(text => hasCase(text) && text === text.toLowerCase()),
  istitle: plain(text => hasCase(text) && text === titleText(text)),
}

/** Find a method of Python's strings. */
export function findTextMethod(text: string, name: string, limits: RunLimits): Callable | undefined {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined
  return method && (args => method(text, args, limits))
}
