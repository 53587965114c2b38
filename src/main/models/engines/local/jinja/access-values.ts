import { findDictMethod, findListMethod } from './functions/list-methods.ts'
import { printValue } from './print-values.ts'
import type { RunLimits } from './run-limits.ts'
import { findTextMethod } from './functions/text-methods.ts'
import {
  Dict,
  List,
  Namespace,
  charactersOf,
  keyOf,
  lengthOf,
  nameType,
  numberOf,
  type Arguments,
  type Value,
} from './values.ts'

/** Get `object.name`: methods come before keys, as in Jinja. Undefined if there is neither. */
export function getAttribute(object: Value, name: string, limits: RunLimits): Value {
  if (typeof object === 'string') return findTextMethod(object, name, limits)
  if (object instanceof Dict) return findDictMethod(object, name) ?? object.entries.get(name)
  if (object instanceof List) return findListMethod(object, name)
  return object instanceof Namespace ? object.get(name) : undefined
}

/** Get `object[key]`: items come before methods. */
export function getItem(object: Value, key: Value, limits?: RunLimits): Value {
  if (object instanceof Dict) {
    const known = keyOf(key)
    if (object.entries.has(known)) return object.entries.get(known)
    return typeof key === 'string' ? findDictMethod(object, key) : undefined
  }
  const at = numberOf(key)
  if (at !== undefined && object instanceof List) return object.items.at(at)
  if (at !== undefined && typeof object === 'string') return characterAt(object, at)
  return typeof key === 'string' && limits ? getAttribute(object, key, limits) : undefined
}

function characterAt(text: string, at: number): string | undefined {
  return /[\uD800-\uDFFF]/.test(text) ? charactersOf(text).at(at) : text.at(at)
}

/** Get `object[from:to:step]` of a text, a list or a tuple. */
export function sliceValue(object: Value, from: Value, to: Value, step: Value): Value {
  if (object === undefined) return undefined
  const items =
    object instanceof List ? object.items : typeof object === 'string' ? charactersOf(object) : undefined
  if (!items) throw new Error(`'${nameType(object)}' object cannot be sliced`)
  const by = numberOf(step) ?? 1
  if (by === 0) throw new Error('slice step cannot be zero')
  const size = lengthOf(object)
  const bound = (value: Value, unset: number): number => {
    const number = numberOf(value)
    if (number === undefined) return unset
    const at = number < 0 ? number + size : number
    return by > 0 ? Math.min(Math.max(at, 0), size) : Math.min(Math.max(at, -1), size - 1)
  }
  const [first, last] = by > 0 ? [bound(from, 0), bound(to, size)] : [bound(from, size - 1), bound(to, -1)]
  const taken: Value[] = []
  for (let at = first; by > 0 ? at < last : at > last; at += by) taken.push(items[at])
  return object instanceof List ? new List(taken, object.isTuple) : taken.map(printValue).join('')
}

/** Call a function, a macro or a loop. */
export function callValue(callee: Value, args: Arguments, limits: RunLimits): Value {
  limits.tick()
  if (typeof callee === 'function') return callee(args)
  if (callee instanceof Namespace && callee.call) return callee.call(args)
  throw new Error(
    callee === undefined ? 'it calls something undefined' : `'${nameType(callee)}' object is not callable`,
  )
}
