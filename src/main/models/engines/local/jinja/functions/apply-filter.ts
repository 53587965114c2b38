import { applyTest } from './apply-test.ts'
import { followPath, listFilters } from './list-filters.ts'
import type { RunLimits } from '../run-limits.ts'
import { printValue } from '../print-values.ts'
import { textFilters } from './text-filters.ts'
import { List, isTrue, itemsOf, type Arguments, type Value } from '../values.ts'

type Filter = (value: Value, args: Arguments, limits: RunLimits) => Value

/** Return the items for a filter. Any value that counts as false, such as none or zero, has no items. */
const itemsIfAny = (value: Value): readonly Value[] => (isTrue(value) ? itemsOf(value) : [])

const map: Filter = (value, { list, named }, limits) => {
  const items = itemsIfAny(value)
  if (named.has('attribute')) {
    const path = named.get('attribute')
    return new List(
      items.map(item => {
        const found = followPath(item, path, limits)
        return found === undefined && named.has('default') ? named.get('default') : found
      }),
    )
  }
  const [name, ...rest] = list
  return new List(items.map(item => applyFilter(printValue(name), item, { list: rest, named }, limits)))
}

const choose =
  (wanted: boolean, byAttribute: boolean): Filter =>
  (value, { list, named }, limits) => {
    const [path, rest] = byAttribute ? [list[0], list.slice(1)] : [undefined, list]
    const [test, ...others] = rest
    return new List(
      itemsIfAny(value).filter(item => {
        limits.tick()
        const tested = byAttribute ? followPath(item, path, limits) : item
        const passes =
          test === undefined ? isTrue(tested) : applyTest(printValue(test), tested, { list: others, named })
        return passes === wanted
      }),
    )
  }

const filters: Record<string, Filter> = {
  ...textFilters,
  ...listFilters,
  map,
  select: choose(true, false),
  reject: choose(false, false),
  selectattr: choose(true, true),
  rejectattr: choose(false, true),
}

/** Whether Jinja has a filter with this name. */
export const hasFilter = (name: string): boolean => Object.hasOwn(filters, name)

/** Apply a Jinja filter to a value. */
export function applyFilter(name: string, value: Value, args: Arguments, limits: RunLimits): Value {
  const filter = hasFilter(name) ? filters[name] : undefined
  if (!filter) throw new Error(`it uses the filter "${name}", which Jinja does not have`)
  limits.tick()
  return filter(value, args, limits)
}
