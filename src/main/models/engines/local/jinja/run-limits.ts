import type { Value } from './values.ts'

/** A template does more than a prompt can need. The message says what. */
class TooMuchError extends Error {}

const mostCharacters = 32_000_000
const mostItems = 1_000_000
const mostDepth = 150
const ticksPerLook = 256

/** Counts the work of a template while it runs, because templates are untrusted programs. */
export class RunLimits {
  readonly #until: number
  #ticks = 0
  #depth = 0
  constructor(until: number) {
    this.#until = until
  }

  /** Count one more step of a loop or a call. */
  tick(): void {
    if (++this.#ticks % ticksPerLook === 0) this.lookAtClock()
  }

  /** Stop a template whose time is over. */
  lookAtClock(): void {
    if (performance.now() > this.#until) throw new TooMuchError('it takes too long')
  }

  /** Refuse a text that is too long for any prompt. */
  allowText(length: number): void {
    if (length > mostCharacters) throw new TooMuchError('it writes a text of more than 32 million characters')
    if (length > 100_000) this.lookAtClock()
  }

  /** Refuse a list that is too long. */
  allowItems(count: number): void {
    if (count > mostItems) throw new TooMuchError('it makes a list of more than a million items')
    if (count > 10_000) this.lookAtClock()
  }

  /** Run a macro, unless too many calls are still open. */
  enter<T>(work: () => T): T {
    this.tick()
    if (++this.#depth > mostDepth) throw new TooMuchError('its macros call themselves without an end')
    try {
      return work()
    } finally {
      this.#depth--
    }
  }
}

/** The variables of a block. Unknown names are looked up in the enclosing block. */
export class Scope {
  readonly #variables = new Map<string, Value>()
  readonly parent: Scope | undefined
  readonly limits: RunLimits
  constructor(parent: Scope | undefined, limits: RunLimits) {
    this.parent = parent
    this.limits = limits
  }
  set(name: string, value: Value): void {
    this.#variables.set(name, value)
  }
  get(name: string): Value {
    if (this.#variables.has(name)) return this.#variables.get(name)
    return this.parent?.get(name)
  }
}

/** The text that a block has written. */
export class Output {
  text = ''
  readonly #limits: RunLimits
  constructor(limits: RunLimits) {
    this.#limits = limits
  }
  add(text: string): void {
    this.text += text
    this.#limits.allowText(this.text.length)
  }
}

/** A compiled expression. */
export type Expression = (scope: Scope) => Value
/** A compiled statement. The result says whether to leave the loop or start its next round. */
export type Statement = (scope: Scope, out: Output) => 'break' | 'continue' | undefined
