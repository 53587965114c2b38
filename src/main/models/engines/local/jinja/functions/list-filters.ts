import { getAttribute, getItem } from '../access-values.ts'
import {
  bindArguments,
  expectNumber,
  Dict,
  List,
  Namespace,
  charactersOf,
  compareValues,
  isEqual,
  isTrue,
  itemsOf,
  lengthOf,
  type Arguments,
  type Value,
} from '../values.ts'
import { calculateValues } from '../calculate.ts'
import { printValue } from '../print-values.ts'
import type { RunLimits } from '../run-limits.ts'
import { joinTexts } from './text-operations.ts'

type Filter = (value: Value, args: Arguments, limits: RunLimits) => Value

/** Follow a path such as `function.name` or `0`. */
export function followPath(value: Value, path: Value, limits: RunLimits): Value {
  const steps = typeof path === 'string' ? path.split('.') : [path]
  return steps.reduce<Value>(
    (at, step) =>
      typeof step === 'string' && /^\d+$/.test(step) ? getItem(at, Number(step)) : getItem(at, step, limits),
    value,
  )
}

/** Fold a text to lower case, unless the filter is case-sensitive. */
const foldCase = (value: Value, isExact: Value): Value =>
  typeof value === 'string' && !isTrue(isExact) ? value.toLowerCase() : value

const keyReader = (attribute: Value, isExact: Value, limits: RunLimits) => (item: Value) => {
  if (attribute === undefined || attribute === null) return foldCase(item, isExact)
  const paths = typeof attribute === 'string' ? attribute.split(',') : [attribute]
  const keys = paths.map(path => foldCase(followPath(item, path, limits), isExact))
  return keys.length === 1 ? keys[0] : new List(keys)
}

function sortItems(items: readonly Value[], keyFor: (item: Value) => Value, isReversed: Value): Value[] {
  const sign = isTrue(isReversed) ? -1 : 1
  return items
    .map(item => ({ item, key: keyFor(item) }))
    .toSorted((a, b) => sign * compareValues(a.key, b.key))
    .map(({ item }) => item)
}

const sort: Filter = (value, args, limits) => {
  const [isReversed, isExact, attribute] = bindArguments(args, 'reverse', 'case_sensitive', 'attribute')
  return new List(sortItems(itemsOf(value), keyReader(attribute, isExact, limits), isReversed))
}

const dictSort: Filter = (value, args) => {
  const [isExact, by, isReversed] = bindArguments(args, 'case_sensitive', 'by', 'reverse')
  if (!(value instanceof Dict)) throw new Error('dictsort needs a dictionary')
  const pairs = [...value.entries].map(entry => new List(entry, true))
  const at = by === 'value' ? 1 : 0
  return new List(sortItems(pairs, pair => foldCase(getItem(pair, at), isExact), isReversed))
}

const extreme =
  (sign: number): Filter =>
  (value, args, limits) => {
    const [isExact, attribute] = bindArguments(args, 'case_sensitive', 'attribute')
    const keyFor = keyReader(attribute, isExact, limits)
    const [first, ...rest] = itemsOf(value)
    return rest.reduce(
      (best, item) => (sign * compareValues(keyFor(item), keyFor(best)) > 0 ? item : best),
      first,
    )
  }

const unique: Filter = (value, args, limits) => {
  const [isExact, attribute] = bindArguments(args, 'case_sensitive', 'attribute')
  const keyFor = keyReader(attribute, isExact, limits)
  const seen: Value[] = []
  const kept = itemsOf(value).filter(item => {
    limits.tick()
    const key = keyFor(item)
    if (seen.some(each => isEqual(each, key))) return false
    seen.push(key)
    return true
  })
  return new List(kept)
}

const groupBy: Filter = (value, args, limits) => {
  const [attribute, missing, isExact] = bindArguments(args, 'attribute', 'default', 'case_sensitive')
  const keyFor = (item: Value) => followPath(item, attribute, limits) ?? missing
  const groups: { key: Value; folded: Value; items: Value[] }[] = []
  for (const item of sortItems(itemsOf(value), each => foldCase(keyFor(each), isExact), false)) {
    const key = keyFor(item)
    const folded = foldCase(key, isExact)
    const last = groups.at(-1)
    if (last && isEqual(last.folded, folded)) last.items.push(item)
    else groups.push({ key, folded, items: [item] })
  }
  return new List(groups.map(({ key, items }) => new List([key, new List(items)], true)))
}

const batch: Filter = (value, args, limits) => {
  const [count, fill] = bindArguments(args, 'linecount', 'fill_with')
  const items = itemsOf(value)
  const size = Math.max(1, expectNumber(count))
  limits.allowItems(size)
  const rows = Array.from({ length: Math.ceil(items.length / size) }, (_, row) => {
    const part = items.slice(row * size, (row + 1) * size)
    const missing = fill === undefined || fill === null ? 0 : size - part.length
    return new List([...part, ...Array.from({ length: missing }, () => fill)])
  })
  return new List(rows)
}

const slice: Filter = (value, args, limits) => {
  const [count, fill] = bindArguments(args, 'slices', 'fill_with')
  const items = itemsOf(value)
  const slices = Math.max(1, expectNumber(count))
  limits.allowItems(slices)
  const each = Math.floor(items.length / slices)
  const longer = items.length % slices
  let at = 0
  const parts = Array.from({ length: slices }, (_, index) => {
    const size = each + (index < longer ? 1 : 0)
    const part: Value[] = items.slice(at, at + size)
    at += size
    if (fill !== undefined && fill !== null && index >= longer && longer > 0) part.push(fill)
    return new List(part)
  })
  return new List(parts)
}

const reverse: Filter = value =>
  typeof value === 'string'
    ? charactersOf(value).toReversed().join('')
    : new List(itemsOf(value).toReversed())

const join: Filter = (value, args, limits) => {
  const [between, attribute] = bindArguments(args, 'd', 'attribute')
  const items = itemsOf(value)
  const found =
    attribute === undefined || attribute === null
      ? items
      : items.map(item => followPath(item, attribute, limits))
  return joinTexts(found.map(printValue), printValue(between), limits)
}

const sum: Filter = (value, args, limits) => {
  const [attribute, start = 0] = bindArguments(args, 'attribute', 'start')
  return itemsOf(value).reduce<Value>((total, item) => {
    const part = attribute === undefined || attribute === null ? item : followPath(item, attribute, limits)
    return calculateValues('+', total, part, limits)
  }, start)
}

const attr: Filter = (value, args, limits) => {
  const name = printValue(bindArguments(args, 'name')[0])
  return value instanceof Namespace
    ? value.get(name)
    : value instanceof Dict
      ? undefined
      : getAttribute(value, name, limits)
}

const items: Filter = value => {
  if (value === undefined) return new List([])
  if (!(value instanceof Dict)) throw new Error('items needs a dictionary')
  return new List([...value.entries].map(entry => new List(entry, true)))
}

/** Filters that read lists and dictionaries. */
export const listFilters: Record<string, Filter> = {
  length: value => lengthOf(value),
  count: value => lengthOf(value),
  first: value => itemsOf(value)[0],
  last: value => itemsOf(value).at(-1),
  // Always the first item: a prompt that differs each time would be read again in each turn.
  random: value => itemsOf(value)[0],
  list: value => new List(itemsOf(value)),
  join,
  sort,
  dictsort: dictSort,
  min: extreme(-1),
  max: extreme(1),
  sum,
  unique,
  groupby: groupBy,
  batch,
  slice,
  reverse,
  attr,
  items,
}
