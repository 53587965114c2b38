import { alternatives, type Rules, sequence, writeWords } from './gbnf-rules.ts'
import { type Edge, writeSizes } from './write-digits.ts'

/** The bounds of a number. `above` and `below` are exclusive, and the number is a multiple of `step`. */
export type Bounds = { min?: number; max?: number; above?: number; below?: number; step?: number }

/** Maximum number of digits that every double represents exactly. */
const DIGITS = 15
const LARGEST = 10 ** DIGITS - 1
/** Maximum size of the rules for a step; larger steps are not followed digit by digit. */
const MOST_PARTS = 1_500
const MOST_MULTIPLES = 100
/** Maximum digits of multiples of a fraction. Longer numbers are too coarse as doubles to be checked. */
const STEPPED_DIGITS = 11

/** An integer within its bounds. */
export function writeInteger(rules: Rules, bounds: Bounds): string {
  return writeWithin(rules, bounds, true) ?? rules.rule(sequence('"-"?', anyWhole(rules)))
}

/** A number within its bounds. */
export function writeNumber(rules: Rules, bounds: Bounds): string {
  const written = writeWithin(rules, bounds, false)
  if (written !== undefined) return written
  const exponent = rules.rule('[eE] [-+]? [0-9]{1,2}')
  return rules.rule(sequence('"-"?', anyWhole(rules), `("." [0-9]{1,${DIGITS}})?`, `${exponent}?`))
}

/** Whether there is no number within the bounds. */
export function boundsExclude({ min, max, above, below }: Bounds, isWhole: boolean): boolean {
  const [low, high] = [min ?? -Infinity, max ?? Infinity]
  const [over, under] = [above ?? -Infinity, below ?? Infinity]
  if (isWhole)
    return Math.max(Math.ceil(low), Math.floor(over) + 1) > Math.min(Math.floor(high), Math.ceil(under) - 1)
  return low > high || over >= Math.min(high, under) || low >= under
}

/** The size of the rules for a number, in parts of a schema. */
export function partsOfNumber({ step, ...bounds }: Bounds): number {
  const isFine = Object.values(bounds).some(value => !Number.isInteger(value))
  const isOpen = 'above' in bounds || 'below' in bounds
  const parts = partsOfStep(stepOf(step)?.times ?? 1)
  return (isFine || isOpen ? 20 : 0) + (parts <= MOST_PARTS ? parts : MOST_MULTIPLES / 10)
}

/** The factors that a number shares with 10 only affect its last digits. */
function partsOfStep(times: number): number {
  let rest = times
  for (const factor of [2, 5]) while (rest % factor === 0) rest /= factor
  return times === 1 ? 0 : times + rest * Math.min(rest, 10) * 3
}

const anyWhole = (rules: Rules) => rules.rule(`"0" | [1-9] [0-9]{0,${DIGITS - 1}}`)

type Limit = { at: number; isOut: boolean }

function limitOf(at: number | undefined, out: number | undefined, isLow: boolean): Limit | undefined {
  const isOut = out !== undefined && (at === undefined || (isLow ? out >= at : out <= at))
  const value = isOut ? out : at
  return value === undefined || Math.abs(value) > LARGEST ? undefined : { at: value, isOut }
}

/** A step as an integer `times` 10 to the power of `-decimals`; undefined if it is too large or too fine. */
function stepOf(step: number | undefined): { times: number; decimals: number } | undefined {
  if (step === undefined || step <= 0 || step > LARGEST) return undefined
  const [whole, fraction] = digitsOf(step)
  const times = Number(whole + fraction)
  return fraction.length <= 9 && times <= LARGEST ? { times, decimals: fraction.length } : undefined
}

/** The digits of a positive number before and after the point. */
function digitsOf(value: number): [whole: string, fraction: string] {
  const [, whole = '0', fraction = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:e-(\d+))?$/.exec(`${value}`) ?? []
  const moved = Number(exponent)
  return moved === 0 ? [whole, fraction] : ['0', '0'.repeat(moved - 1) + whole + fraction]
}

/** A number within its bounds; undefined if there are no usable bounds, or if no number satisfies them. */
function writeWithin(rules: Rules, bounds: Bounds, isWhole: boolean): string | undefined {
  const low = limitOf(bounds.min, bounds.above, true)
  const high = limitOf(bounds.max, bounds.below, false)
  const step = stepOf(bounds.step)
  const scale = 10 ** (step?.decimals ?? 0)
  // An integer that is a multiple of 1.5 is a multiple of 3.
  const times = (step?.times ?? 1) / (isWhole ? sharedDivisor(step?.times ?? 1, scale) : 1)
  const listed = low && high && step ? multiples(low, high, times, isWhole ? 1 : scale) : undefined
  if (listed) return rules.rule(writeWords(listed.map(text => [text, ''])))
  const isStepped = step !== undefined && partsOfStep(times) <= MOST_PARTS
  if (!low && !high && !isStepped) return undefined
  const longest = digitsOf(Math.max(Math.abs(low?.at ?? 0), Math.abs(high?.at ?? 0)))[0].length
  const decimals = isWhole ? 0 : isStepped ? step.decimals : Math.max(1, DIGITS - longest)
  const most = isStepped && decimals > 0 ? STEPPED_DIGITS - decimals : DIGITS
  const write = writeSizes(rules, { decimals, times: isStepped ? times : 1, most })
  const edge = ({ at, isOut }: Limit, isLower: boolean): Edge => {
    const [whole, fraction] = digitsOf(Math.abs(at))
    // No number with this many digits lies between a longer bound and its cut form.
    const isCut = fraction.length > decimals
    return { whole, fraction: fraction.slice(0, decimals), isOut: isCut ? isLower : isOut }
  }
  const zero = { whole: '0', fraction: '', isOut: false }
  const above =
    !high || high.at >= 0
      ? write(
          low && low.at > 0 ? edge(low, true) : { ...zero, isOut: low?.at === 0 && low.isOut },
          high && edge(high, false),
        )
      : undefined
  const below =
    !low || low.at < 0
      ? write(high && high.at < 0 ? edge(high, true) : { ...zero, isOut: true }, low && edge(low, false))
      : undefined
  const sides = [above, below && sequence('"-"', `(${below})`)].filter(each => each !== undefined)
  return sides.length > 0 ? rules.rule(alternatives(sides)) : undefined
}

const sharedDivisor = (one: number, other: number): number =>
  other === 0 ? one : sharedDivisor(other, one % other)

/** List the multiples between two limits, if there are few. */
function multiples(low: Limit, high: Limit, times: number, scale: number): string[] | undefined {
  // A scaled limit is rounded, possibly to zero. So try one more multiple on each side and compare.
  const first = Math.floor((low.at * scale) / times) - 1
  const last = Math.ceil((high.at * scale) / times) + 1
  if (last - first > MOST_MULTIPLES) return undefined
  const found = Array.from({ length: last - first + 1 }, (_, at) => ((first + at) * times) / scale)
    .filter(value => (low.isOut ? value > low.at : value >= low.at))
    .filter(value => (high.isOut ? value < high.at : value <= high.at))
  if (found.length === 0) return undefined
  return found.map(value =>
    digitsOf(Math.abs(value))
      .filter(digits => digits !== '')
      .join('.')
      .replace(/^(?!0$)/, value < 0 ? '-' : ''),
  )
}
