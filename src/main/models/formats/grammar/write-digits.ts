import { alternatives, groupedAlternatives, literal, type Rules, sequence } from './gbnf-rules.ts'

/** A bound without its sign, reduced to its remaining digits. `isOut`: the bound itself is not allowed. */
export type Edge = { whole: string; fraction: string; isOut: boolean }

type Digits = {
  /** Maximum number of decimal places. */
  decimals: number
  /** The number without its point, and with all its decimal places, is a multiple of this. */
  times: number
  /** Maximum number of digits before the point if there is no upper bound. */
  most: number
}

/**
 * Write unsigned numbers between two edges, digit by digit. A rule knows the number of remaining digits,
 * which edges are still in reach, and the remainder of the preceding digits.
 */
export function writeSizes(rules: Rules, { decimals, times, most }: Digits) {
  const known = new Map<string, string | undefined>()
  const fractions = new Map<string, string[]>()

  /** One digit of a range with its continuation; empty if no digit can continue. */
  function eachDigit(from: number, to: number, next: (digit: number) => string | undefined): string[] {
    const digits = new Map<string, string>()
    for (let digit = from; digit <= to; digit++) {
      const following = next(digit)
      if (following !== undefined) digits.set(following, (digits.get(following) ?? '') + digit)
    }
    return [...digits].map(([following, some]) => sequence(digitIn(some), following))
  }

  /** Write from `least` to `most` further digits before the point, with no edge in reach. */
  function free(least: number, most: number, rest: number): string | undefined {
    if (times === 1) return sequence(counted(least, most), end(undefined, undefined, 0) ?? '')
    const key = `${least},${most},${rest}`
    if (known.has(key)) return known.get(key)
    const stop = least === 0 ? end(undefined, undefined, rest) : undefined
    const more =
      most === 0
        ? []
        : eachDigit(0, 9, digit => free(Math.max(0, least - 1), most - 1, (rest * 10 + digit) % times))
    const options = [...(stop === undefined ? [] : [stop]), ...more]
    const written =
      options.length === 0
        ? undefined
        : options.every(each => each === '')
          ? ''
          : rules.rule(alternatives(options))
    known.set(key, written)
    return written
  }

  /** Write the last `left` digits before the point. */
  function whole(
    low: Edge | undefined,
    high: Edge | undefined,
    left: number,
    rest: number,
  ): string | undefined {
    const least = low && !isZero(low) ? low : undefined
    if (!least && !high) return free(left, left, rest)
    if (left === 0) return end(least, high, rest)
    const [from, to] = [Number(least?.whole[0] ?? 0), Number(high?.whole[0] ?? 9)]
    const options = eachDigit(from, to, digit =>
      whole(
        digit === from ? behind(least) : undefined,
        digit === to ? behind(high) : undefined,
        left - 1,
        (rest * 10 + digit) % times,
      ),
    )
    return options.length === 0 ? undefined : groupedAlternatives(options)
  }

  /** Write the point and the following digits, if any. */
  function end(low: Edge | undefined, high: Edge | undefined, rest: number): string | undefined {
    const mayStop = isAllowed(low, high, decimals, rest)
    const digits = decimals === 0 ? [] : fraction(low, high, decimals, rest)
    if (digits.length === 0) return mayStop ? '' : undefined
    return rules.rule(
      mayStop ? `("." ${groupedAlternatives(digits)})?` : sequence('"."', groupedAlternatives(digits)),
    )
  }

  /** Write at least one and at most `left` decimal places. */
  function fraction(low: Edge | undefined, high: Edge | undefined, left: number, rest: number): string[] {
    if (!low && high?.fraction === '' && times === 1) return high.isOut ? [] : [`"0"{1,${Math.min(left, 3)}}`]
    if (low || high) return edgeFraction(low, high, left, rest)
    if (times === 1) return [`[0-9]{1,${left}}`]
    const key = `.${left},${rest}`
    const written = fractions.get(key) ?? edgeFraction(low, high, left, rest)
    fractions.set(key, written)
    return written
  }

  function edgeFraction(low: Edge | undefined, high: Edge | undefined, left: number, rest: number): string[] {
    const [from, to] = [Number(low?.fraction[0] ?? 0), high ? Number(high.fraction[0] ?? 0) : 9]
    return eachDigit(from, to, digit => {
      const least = digit === from && low ? { ...low, fraction: low.fraction.slice(1) } : undefined
      const most = digit === to && high ? { ...high, fraction: high.fraction.slice(1) } : undefined
      const lower = least && (least.isOut || least.fraction !== '') ? least : undefined
      if (!lower && !most && times === 1) return counted(0, left - 1)
      const remainder = (rest * 10 + digit) % times
      const more = left === 1 ? [] : fraction(lower, most, left - 1, remainder)
      const mayStop = isAllowed(lower, most, left - 1, remainder)
      if (more.length === 0) return mayStop ? '' : undefined
      return rules.rule(mayStop ? `(${alternatives(more)})?` : alternatives(more))
    })
  }

  /** Whether the number may end with `left` of its decimal places missing. */
  const isAllowed = (low: Edge | undefined, high: Edge | undefined, left: number, rest: number) =>
    (!low || (!low.isOut && low.fraction === '')) &&
    (!high || !high.isOut || high.fraction !== '') &&
    (rest * 10 ** left) % times === 0

  return (low: Edge, high: Edge | undefined): string | undefined => {
    const options: (string | undefined)[] = []
    const longest = high ? high.whole.length : low.whole.length
    for (let length = low.whole.length; length <= longest; length++) {
      const from =
        length === low.whole.length
          ? low
          : { whole: `1${'0'.repeat(length - 1)}`, fraction: '', isOut: false }
      options.push(whole(from, length === high?.whole.length ? high : undefined, length, 0))
    }
    if (!high && longest < most)
      options.push(...eachDigit(1, 9, digit => free(longest, most - 1, digit % times)))
    const there = options.filter(each => each !== undefined)
    return there.length === 0 ? undefined : alternatives(there)
  }
}

const behind = (edge: Edge | undefined) => edge && { ...edge, whole: edge.whole.slice(1) }

/** Whether the rest of an edge is zero, so that it limits nothing. */
const isZero = ({ whole, fraction, isOut }: Edge) => /^0*$/.test(whole) && fraction === '' && !isOut

const counted = (least: number, most: number): string =>
  most === 0
    ? ''
    : most === 1 && least === 1
      ? '[0-9]'
      : least === most
        ? `[0-9]{${most}}`
        : `[0-9]{${least},${most}}`

/** Digits, in ascending order, as a literal or a class. */
function digitIn(digits: string): string {
  if (digits.length === 1) return literal(digits)
  const isStretch = Number(digits.at(-1)) - Number(digits[0]) === digits.length - 1
  return isStretch && digits.length > 2 ? `[${digits[0]}-${digits.at(-1)}]` : `[${digits}]`
}
