import { Namespace, isEqual, type Arguments, type Callable, type Value } from './values.ts'
import { List } from './values.ts'

/** The `loop` object of a template. `at` is the index of the current item. */
export class Loop extends Namespace {
  at = 0
  readonly #items: readonly Value[]
  readonly #depth: number
  #last: Value
  constructor(items: readonly Value[], depth: number, again: Callable | undefined) {
    super(new Map(), again)
    this.#items = items
    this.#depth = depth
  }

  override get(name: string): Value {
    const { at } = this
    const count = this.#items.length
    if (name === 'index') return at + 1
    if (name === 'index0') return at
    if (name === 'first') return at === 0
    if (name === 'last') return at === count - 1
    if (name === 'length') return count
    if (name === 'revindex') return count - at
    if (name === 'revindex0') return count - at - 1
    if (name === 'previtem') return this.#items[at - 1]
    if (name === 'nextitem') return this.#items[at + 1]
    if (name === 'depth') return this.#depth
    if (name === 'depth0') return this.#depth - 1
    if (name === 'cycle') return ({ list }: Arguments) => list[at % list.length]
    if (name === 'changed') return ({ list }: Arguments) => this.#hasChanged(list)
    return undefined
  }

  #hasChanged(values: readonly Value[]): boolean {
    const now = new List(values)
    const isSame = this.#last !== undefined && isEqual(this.#last, now)
    this.#last = now
    return !isSame
  }
}

/** Create the `loop` object of a loop over items. `again` runs the same loop over other items. */
export const createLoop = (items: readonly Value[], depth: number, again: Callable | undefined): Loop =>
  new Loop(items, depth, again)
