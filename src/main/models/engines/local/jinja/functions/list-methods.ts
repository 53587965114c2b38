import {
  bindArguments,
  Dict,
  List,
  isEqual,
  keyOf,
  type Arguments,
  type Callable,
  type Value,
} from '../values.ts'

/** Methods that change a value. They are refused, as in transformers. */
const refused = [
  'append',
  'extend',
  'insert',
  'pop',
  'remove',
  'clear',
  'update',
  'setdefault',
  'popitem',
  'sort',
  'reverse',
]

const refuse = (name: string): Callable | undefined =>
  refused.includes(name)
    ? () => {
        throw new Error(`it calls ${name}(), but a template may not change lists and dictionaries`)
      }
    : undefined

const dictMethods: Record<string, (dict: Dict, args: Arguments) => Value> = {
  get: ({ entries }, args) => {
    const [key, missing = null] = bindArguments(args, 'key', 'default')
    const known = keyOf(key)
    return entries.has(known) ? entries.get(known) : missing
  },
  items: ({ entries }) => new List([...entries].map(entry => new List(entry, true))),
  keys: ({ entries }) => new List([...entries.keys()]),
  values: ({ entries }) => new List([...entries.values()]),
  copy: ({ entries }) => new Dict(new Map(entries)),
}

/** Find a method of Python's dictionaries. */
export function findDictMethod(dict: Dict, name: string): Callable | undefined {
  const method = Object.hasOwn(dictMethods, name) ? dictMethods[name] : undefined
  if (method) return args => method(dict, args)
  return dict.entries.has(name) ? undefined : refuse(name)
}

/** Find a method of Python's lists and tuples. */
export function findListMethod(list: List, name: string): Callable | undefined {
  if (name === 'count')
    return args => list.items.filter(item => isEqual(item, bindArguments(args, 'value')[0])).length
  if (name === 'index')
    return args => {
      const at = list.items.findIndex(item => isEqual(item, bindArguments(args, 'value')[0]))
      if (at < 0) throw new Error('the value is not in the list')
      return at
    }
  if (name === 'copy') return () => new List([...list.items], list.isTuple)
  return refuse(name)
}
