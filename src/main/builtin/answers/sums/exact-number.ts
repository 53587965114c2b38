/** A fraction in lowest terms, so that 0.1 + 0.2 is 0.3; `bottom` is above zero. */
export type Exact = { top: bigint; bottom: bigint }

/** Maximum number of digits. Nobody reads longer answers, and they cost time. */
const MOST_DIGITS = 40
const LIMIT = 10n ** BigInt(MOST_DIGITS)
/** How many decimal places a number without an end gets. */
const ROUNDED_DIGITS = 6
const MOST_EXPONENT = 200n

/** Create a fraction in lowest terms. `bottom` must not be zero. */
export function makeExact(top: bigint, bottom = 1n): Exact {
  const shared = sharedFactor(abs(top), abs(bottom)) * (bottom < 0n ? -1n : 1n)
  return { top: top / shared, bottom: bottom / shared }
}

const abs = (value: bigint) => (value < 0n ? -value : value)

function sharedFactor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b]
  return a === 0n ? 1n : a
}

/** Parse digits with at most one decimal point; undefined if the number is too long. */
export function parseDigits(text: string): Exact | undefined {
  const [, whole = '', after = ''] = /^(\d*)\.?(\d*)$/.exec(text) ?? []
  if (whole + after === '' || whole.length + after.length > MOST_DIGITS) return undefined
  return makeExact(BigInt(whole + after), 10n ** BigInt(after.length))
}

export const addNumbers = (a: Exact, b: Exact): Exact =>
  makeExact(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)

export const multiplyNumbers = (a: Exact, b: Exact): Exact => makeExact(a.top * b.top, a.bottom * b.bottom)

/** The quotient; undefined for a division by zero. */
export const divideNumbers = (a: Exact, b: Exact): Exact | undefined =>
  b.top === 0n ? undefined : makeExact(a.top * b.bottom, a.bottom * b.top)

/** The remainder of whole numbers; undefined if either is not whole, or if the divisor is zero. */
export const remainderOf = (a: Exact, b: Exact): Exact | undefined =>
  a.bottom !== 1n || b.bottom !== 1n || b.top === 0n
    ? undefined
    : makeExact(((a.top % b.top) + b.top) % b.top)

/** A power; undefined if the exponent is not whole, or if the result is too long or does not exist. */
export function raiseNumber(base: Exact, exponent: Exact): Exact | undefined {
  if (exponent.bottom !== 1n || abs(exponent.top) > MOST_EXPONENT) return undefined
  if (base.top === 0n && exponent.top < 0n) return undefined
  const [top, bottom] = exponent.top < 0n ? [base.bottom, base.top] : [base.top, base.bottom]
  const times = abs(exponent.top)
  const digits = BigInt(Math.max(abs(top).toString().length, abs(bottom).toString().length))
  // Checked first, so that no huge number is ever computed.
  if ((digits - 1n) * times > BigInt(MOST_DIGITS)) return undefined
  return makeExact(top ** times, bottom ** times)
}

/** A square or cube root, and whether it was rounded; undefined for a square root below zero. */
export function rootOf(value: Exact, degree: 2 | 3): { root: Exact; isRounded: boolean } | undefined {
  if (value.top < 0n && degree === 2) return undefined
  const sign = value.top < 0n ? -1n : 1n
  const top = wholeRoot(abs(value.top), degree)
  const bottom = wholeRoot(value.bottom, degree)
  const power = BigInt(degree)
  if (top ** power === abs(value.top) && bottom ** power === value.bottom)
    return { root: makeExact(sign * top, bottom), isRounded: false }
  const scale = 10n ** 12n
  const scaled = (abs(value.top) * scale ** power) / value.bottom
  return { root: makeExact(sign * wholeRoot(scaled, degree), scale), isRounded: true }
}

/** The largest whole number whose power is not above the value. */
function wholeRoot(value: bigint, degree: 2 | 3): bigint {
  let low = 0n
  let high = 1n << BigInt(Math.ceil(value.toString(2).length / degree) + 1)
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (middle ** BigInt(degree) <= value) low = middle
    else high = middle - 1n
  }
  return low
}

/** Whether a number is too long to be shown. */
export const isTooLong = ({ top, bottom }: Exact): boolean => abs(top) > LIMIT || bottom > LIMIT

/**
 * Write a number for people, and tell whether it was rounded. Money has `digits` decimal places; other
 * numbers have at most `most`.
 */
export function writeNumber(value: Exact, digits?: number, most = 20): { text: string; isRounded: boolean } {
  const places = digits ?? placesOf(value.bottom, most)
  const shown = places ?? Math.min(most, ROUNDED_DIGITS)
  const scaled = abs(value.top) * 10n ** BigInt(shown)
  const rounded = (scaled * 2n + value.bottom) / (value.bottom * 2n)
  const isRounded = scaled % value.bottom !== 0n
  const text = rounded.toString().padStart(shown + 1, '0')
  const whole = text.slice(0, text.length - shown)
  const after =
    digits === undefined
      ? text.slice(text.length - shown).replace(/(?<!0)0+$/, '')
      : text.slice(text.length - shown)
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(?:\d{3})+$)/g, ',') : whole
  const sign = value.top < 0n && rounded !== 0n ? '−' : ''
  return { text: `${sign}${grouped}${after === '' ? '' : `.${after}`}`, isRounded }
}

/** How many decimal places a fraction needs; undefined if it never ends or needs too many. */
function placesOf(bottom: bigint, most: number): number | undefined {
  for (let places = 0; places <= most; places++) if (10n ** BigInt(places) % bottom === 0n) return places
  return undefined
}
