/** A Python float: `2.0` is printed with its decimal point. */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** A list, or a tuple, which is printed in parentheses. */
export class List {
  readonly items: readonly Value[]
  readonly isTuple: boolean
  constructor(items: readonly Value[], isTuple = false) {
    this.items = items
    this.isTuple = isTuple
  }
}

/** A dictionary. The number 1 and the text "1" are different keys. */
export class Dict {
  readonly entries: Map<Value, Value>
  constructor(entries: Map<Value, Value> = new Map()) {
    this.entries = entries
  }
}

/** An object with attributes that a template may set, or the `loop` object. */
export class Namespace {
  readonly values: Map<string, Value>
  readonly call: Callable | undefined
  constructor(values: Map<string, Value> = new Map(), call?: Callable) {
    this.values = values
    this.call = call
  }
  get(name: string): Value {
    return this.values.get(name)
  }
}

/** The arguments of a call. */
export type Arguments = { list: readonly Value[]; named: ReadonlyMap<string, Value> }
/** A function that a template can call. */
export type Callable = (args: Arguments) => Value
/** A Jinja value. `undefined` is Jinja's undefined, and `null` its none. */
export type Value = undefined | null | boolean | number | string | Float | List | Dict | Namespace | Callable

/** No arguments. */
export const nothing: Arguments = { list: [], named: new Map() }

/** Convert data of our code to Jinja values. */
export function toValue(data: unknown): Value {
  if (data === undefined || data === null) return data
  if (typeof data === 'string' || typeof data === 'boolean') return data
  if (typeof data === 'number') return Number.isInteger(data) ? data : new Float(data)
  if (Array.isArray(data)) return new List(data.map(toValue))
  if (typeof data !== 'object') return undefined
  return new Dict(new Map(Object.entries(data).map(([key, value]): [Value, Value] => [key, toValue(value)])))
}

/** Whether a value counts as true. */
export function isTrue(value: Value): boolean {
  if (value instanceof List) return value.items.length > 0
  if (value instanceof Dict) return value.entries.size > 0
  if (value instanceof Float) return value.value !== 0
  return Boolean(value)
}

/** Return the numeric value; undefined if there is none. As in Python, true is 1 and false is 0. */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (value instanceof Float) return value.value
  return typeof value === 'boolean' ? Number(value) : undefined
}

/** Return Python's name for the type of a value. */
export function nameType(value: Value): string {
  if (value === undefined) return 'undefined'
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'int'
  if (typeof value === 'string') return 'str'
  if (value instanceof Float) return 'float'
  if (value instanceof List) return value.isTuple ? 'tuple' : 'list'
  if (value instanceof Dict) return 'dict'
  return value instanceof Namespace ? 'namespace' : 'function'
}

/** Split a text into characters as Python counts them. */
export const charactersOf = (text: string): string[] => Array.from(text)

/** Return the items that a loop visits: letters of a text, keys of a dictionary. */
export function itemsOf(value: Value): readonly Value[] {
  if (value === undefined) return []
  if (value instanceof List) return value.items
  if (typeof value === 'string') return charactersOf(value)
  if (value instanceof Dict) return [...value.entries.keys()]
  throw new Error(`'${nameType(value)}' object is not iterable`)
}

/** Return the number of items or characters of a value. */
export function lengthOf(value: Value): number {
  if (typeof value === 'string')
    return /[\uD800-\uDFFF]/.test(value) ? charactersOf(value).length : value.length
  if (value instanceof List) return value.items.length
  if (value instanceof Dict) return value.entries.size
  if (value === undefined) return 0
  throw new Error(`object of type '${nameType(value)}' has no len()`)
}

/** Whether two values are equal in Python. */
export function isEqual(left: Value, right: Value): boolean {
  if (left === right) return true
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== undefined && b !== undefined) return a === b
  if (left instanceof List && right instanceof List)
    return (
      left.isTuple === right.isTuple &&
      left.items.length === right.items.length &&
      left.items.every((item, at) => isEqual(item, right.items[at]))
    )
  if (left instanceof Dict && right instanceof Dict)
    return (
      left.entries.size === right.entries.size &&
      [...left.entries].every(
        ([key, item]) => right.entries.has(key) && isEqual(item, right.entries.get(key)),
      )
    )
  return false
}

/** Compare two values for order. */
export function compareValues(left: Value, right: Value): number {
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== undefined && b !== undefined) return a - b
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0
  if (left instanceof List && right instanceof List) {
    const at = left.items.findIndex((item, index) => !isEqual(item, right.items[index]))
    if (at < 0) return left.items.length - right.items.length
    return at < right.items.length ? compareValues(left.items[at], right.items[at]) : 1
  }
  throw new Error(`'${nameType(left)}' and '${nameType(right)}' cannot be compared`)
}

/** Whether a value contains another: an item, a key or a part of a text. */
export function containsValue(container: Value, item: Value): boolean {
  if (container === undefined) return false
  if (typeof container === 'string') {
    if (typeof item !== 'string') throw new Error(`'in <string>' requires a text, not '${nameType(item)}'`)
    return container.includes(item)
  }
  if (container instanceof Dict) return container.entries.has(keyOf(item))
  return itemsOf(container).some(each => isEqual(each, item))
}

/** Return the dictionary key for a value: `1.0` and `True` are the key `1`. */
export const keyOf = (value: Value): Value => numberOf(value) ?? value

/** Return the arguments of a call in the order of the given parameter names. */
export function bindArguments(args: Arguments, ...names: string[]): Value[] {
  for (const name of args.named.keys())
    if (!names.includes(name)) throw new Error(`there is no argument '${name}'`)
  if (args.list.length > names.length) throw new Error(`at most ${names.length} arguments are taken`)
  return names.map((name, at) => (at < args.list.length ? args.list[at] : args.named.get(name)))
}

/** Return an argument that must be a text. */
export function expectText(value: Value): string {
  if (typeof value !== 'string') throw new Error(`a text is expected, not '${nameType(value)}'`)
  return value
}

/** Return an argument that must be a number; `missing` is the default. */
export function expectNumber(value: Value, missing?: number): number {
  const number = value === undefined || value === null ? missing : numberOf(value)
  if (number === undefined) throw new Error(`a number is expected, not '${nameType(value)}'`)
  return number
}
