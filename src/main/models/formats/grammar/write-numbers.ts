import { alternatives, groupedAlternatives, literal, sequence, type Rules } from './gbnf-rules.ts'

/** The bounds of a number. `above` and `below` are exclusive. */
export type Bounds = { min?: number; max?: number; above?: number; below?: number }

/** The number of digits that every double represents exactly. */
const DIGITS = 15
const LARGEST = 10 ** DIGITS - 1

/** An integer within its bounds. */
export function writeInteger(rules: Rules, bounds: Bounds): string {
  const { min, max } = wholeBounds(bounds)
  if (min === undefined && max === undefined) return rules.rule(sequence('"-"?', anyWhole(rules)))
  if (min !== undefined && max !== undefined && min > max) return writeInteger(rules, {})
  const options = [
    ...(max === undefined || max >= 0 ? [writeRange(rules, Math.max(0, min ?? 0), max)] : []),
    ...(min === undefined || min < 0
      ? [
          sequence(
            '"-"',
            groupedAlternatives([
              writeRange(rules, Math.max(1, -(max ?? -1)), min === undefined ? undefined : -min),
            ]),
          ),
        ]
      : []),
  ]
  return rules.rule(alternatives(options))
}

/** A number within its bounds. Fractional bounds are widened to the next integers. */
export function writeNumber(rules: Rules, bounds: Bounds): string {
  const edges = edgesOf(bounds)
  if (!edges) {
    const exponent = rules.rule('[eE] [-+]? [0-9]{1,2}')
    return rules.rule(sequence('"-"?', anyWhole(rules), `${fraction(rules)}?`, `${exponent}?`))
  }
  const { low, high } = edges
  const options = [
    ...(!high || high.at >= 0
      ? [writeSize(rules, low && low.at >= 0 ? low : { at: 0, isOut: false }, high)]
      : []),
    ...(!low || low.at < 0
      ? [
          sequence(
            '"-"',
            groupedAlternatives([
              writeSize(
                rules,
                high && high.at < 0 ? { at: -high.at, isOut: high.isOut } : { at: 0, isOut: true },
                low && { at: -low.at, isOut: low.isOut },
              ),
            ]),
          ),
        ]
      : []),
  ].filter(option => option !== '')
  return options.length === 0 ? writeNumber(rules, {}) : rules.rule(alternatives(options))
}

type Edge = { at: number; isOut: boolean }

function edgesOf(bounds: Bounds): { low: Edge | undefined; high: Edge | undefined } | undefined {
  const edge = (at: number | undefined, out: number | undefined, isLow: boolean): Edge | undefined => {
    const isOut = out !== undefined && (at === undefined || (isLow ? out >= at : out <= at))
    const value = isOut ? out : at
    if (value === undefined || Math.abs(value) > LARGEST) return undefined
    const whole = isLow ? Math.floor(value) : Math.ceil(value)
    return { at: whole, isOut: isOut && whole === value }
  }
  const low = edge(bounds.min, bounds.above, true)
  const high = edge(bounds.max, bounds.below, false)
  if (!low && !high) return undefined
  return low && high && low.at > high.at ? undefined : { low, high }
}

/** An unsigned number from `low` to `high`; empty if there is none. */
function writeSize(rules: Rules, low: Edge, high: Edge | undefined): string {
  const options: string[] = []
  const first = low.isOut ? low.at + 1 : low.at
  if (low.isOut && (!high || low.at < high.at))
    options.push(sequence(literal(`${low.at}.`), '"0"{0,9} [1-9] [0-9]{0,5}'))
  if (!high || first < high.at)
    options.push(
      sequence(groupedAlternatives([writeRange(rules, first, high && high.at - 1)]), `${fraction(rules)}?`),
    )
  if (high && !high.isOut && high.at >= first)
    options.push(sequence(literal(String(high.at)), '("." "0"{1,3})?'))
  return alternatives(options)
}

const anyWhole = (rules: Rules) => rules.rule(`"0" | [1-9] [0-9]{0,${DIGITS - 1}}`)
const fraction = (rules: Rules) => rules.rule('"." [0-9]{1,15}')

function wholeBounds({ min, max, above, below }: Bounds): { min?: number; max?: number } {
  const low = Math.max(Math.ceil(min ?? -Infinity), Math.floor(above ?? -Infinity) + 1)
  const high = Math.min(Math.floor(max ?? Infinity), Math.ceil(below ?? Infinity) - 1)
  return { ...(low >= -LARGEST ? { min: low } : {}), ...(high <= LARGEST ? { max: high } : {}) }
}

/** Non-negative integers from `low` to `high`. */
function writeRange(rules: Rules, low: number, high: number | undefined): string {
  if (low > LARGEST) return anyWhole(rules)
  if (high === undefined) {
    if (low === 0) return anyWhole(rules)
    const digits = String(low).length
    const options = writeDigits(String(low), '9'.repeat(digits))
    if (digits < DIGITS) options.push(`[1-9] [0-9]{${digits},${DIGITS - 1}}`)
    return rules.rule(alternatives(options))
  }
  const options: string[] = []
  for (let from = low; from <= high;) {
    const to = Math.min(high, 10 ** String(from).length - 1)
    options.push(...writeDigits(String(from), String(to)))
    from = to + 1
  }
  return rules.rule(alternatives(options))
}

/** Numbers between two of the same length, as alternatives that differ in their first digits. */
function writeDigits(low: string, high: string): string[] {
  if (low === high) return [literal(low)]
  const length = low.length
  if (/^0*$/.test(low) && /^9*$/.test(high)) return [length === 1 ? '[0-9]' : `[0-9]{${length}}`]
  if (low[0] === high[0])
    return [sequence(literal(low[0]!), groupedAlternatives(writeDigits(low.slice(1), high.slice(1))))]
  if (length === 1) return [`[${low}-${high}]`]
  const options: string[] = []
  let [from, to] = [Number(low[0]), Number(high[0])]
  if (!/^0*$/.test(low.slice(1))) {
    options.push(
      sequence(literal(low[0]!), groupedAlternatives(writeDigits(low.slice(1), '9'.repeat(length - 1)))),
    )
    from++
  }
  const hasLast = /^9*$/.test(high.slice(1))
  if (!hasLast) to--
  if (from <= to)
    options.push(
      sequence(
        from === to ? literal(String(from)) : `[${from}-${to}]`,
        length === 2 ? '[0-9]' : `[0-9]{${length - 1}}`,
      ),
    )
  if (!hasLast)
    options.push(
      sequence(literal(high[0]!), groupedAlternatives(writeDigits('0'.repeat(length - 1), high.slice(1)))),
    )
  return options
}
