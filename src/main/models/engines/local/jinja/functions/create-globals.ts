import {
  bindArguments,
  expectNumber,
  Dict,
  List,
  Namespace,
  itemsOf,
  keyOf,
  type Arguments,
  type Callable,
  type Value,
} from '../values.ts'
import { writeEnglishDate } from './english-date.ts'
import { printValue } from '../print-values.ts'
import { Scope, type RunLimits } from '../run-limits.ts'

/** The template itself refuses a conversation, with its own message. */
class RefusedError extends Error {}

/** Create the functions that transformers provides to templates. */
export function createGlobals(limits: RunLimits, now: Date): Scope {
  const scope = new Scope(undefined, limits)
  const functions: Record<string, Callable> = {
    range: args => new List(rangeOf(args, limits)),
    dict: args => new Dict(new Map(entriesOf(args))),
    namespace: args =>
      new Namespace(new Map([...entriesOf(args)].map(([key, value]) => [printValue(key), value]))),
    cycler: ({ list }) => createCycler(list),
    joiner: args => createJoiner(args),
    lipsum: () => '',
    raise_exception: args => {
      throw new RefusedError(printValue(bindArguments(args, 'message')[0]))
    },
    strftime_now: args => writeEnglishDate(now, printValue(bindArguments(args, 'format')[0])),
  }
  for (const [name, work] of Object.entries(functions)) scope.set(name, work)
  return scope
}

function rangeOf(args: Arguments, limits: RunLimits): number[] {
  const [first, second, third] = bindArguments(args, 'start', 'stop', 'step').map(value =>
    value === undefined ? undefined : expectNumber(value),
  )
  const [from, to] = second === undefined ? [0, first ?? 0] : [first ?? 0, second]
  const step = third ?? 1
  if (step === 0) throw new Error('range() arg 3 must not be zero')
  const count = Math.max(0, Math.ceil((to - from) / step))
  limits.allowItems(count)
  return Array.from({ length: count }, (_, at) => from + at * step)
}

function* entriesOf({ list, named }: Arguments): Generator<[Value, Value]> {
  for (const source of list)
    if (source instanceof Dict) yield* source.entries
    else
      for (const pair of itemsOf(source)) {
        const [key, value] = itemsOf(pair)
        yield [keyOf(key), value]
      }
  yield* named
}

function createCycler(items: readonly Value[]): Namespace {
  let at = 0
  const cycler = new Namespace()
  const show = () => cycler.values.set('current', items[at])
  cycler.values.set('next', () => {
    const item = items[at]
    at = items.length === 0 ? 0 : (at + 1) % items.length
    show()
    return item
  })
  cycler.values.set('reset', () => {
    at = 0
    show()
    return null
  })
  show()
  return cycler
}

function createJoiner(args: Arguments): Callable {
  const [between = ', '] = bindArguments(args, 'sep')
  let isFirst = true
  return () => {
    const text = isFirst ? '' : between
    isFirst = false
    return text
  }
}
