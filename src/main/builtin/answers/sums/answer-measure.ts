import { fillSentence } from '../sentence-table.ts'
import {
  addNumbers,
  divideNumbers,
  makeExact,
  multiplyNumbers,
  parseDigits,
  writeNumber,
  type Exact,
} from './exact-number.ts'
import { replaceNumberWords } from './number-words.ts'

/** A unit: what it measures, its ratio to the base unit (a fraction), and its name for one and for many. */
type Unit = {
  of: 'time' | 'length' | 'weight' | 'heat'
  top: bigint
  bottom: bigint
  one: string
  many: string
}

const UNITS: readonly [RegExp, Unit][] = [
  unit(/^(?:seconds?|secs?|s)$/, 'time', 1n, 1n, 'second'),
  unit(/^(?:minutes?|mins?)$/, 'time', 60n, 1n, 'minute'),
  unit(/^(?:hours?|hrs?|h)$/, 'time', 3600n, 1n, 'hour'),
  unit(/^days?$/, 'time', 86_400n, 1n, 'day'),
  unit(/^weeks?$/, 'time', 604_800n, 1n, 'week'),
  unit(/^(?:mm|millimet(?:er|re)s?)$/, 'length', 1n, 1n, 'mm', 'mm'),
  unit(/^(?:cm|centimet(?:er|re)s?)$/, 'length', 10n, 1n, 'cm', 'cm'),
  unit(/^(?:m|met(?:er|re)s?)$/, 'length', 1000n, 1n, 'm', 'm'),
  unit(/^(?:km|kilomet(?:er|re)s?)$/, 'length', 1_000_000n, 1n, 'km', 'km'),
  unit(/^(?:inch|inches)$/, 'length', 254n, 10n, 'inch', 'inches'),
  unit(/^(?:foot|feet|ft)$/, 'length', 3048n, 10n, 'foot', 'feet'),
  unit(/^(?:yards?|yd)$/, 'length', 9144n, 10n, 'yard'),
  unit(/^(?:miles?|mi)$/, 'length', 1_609_344n, 1n, 'mile'),
  unit(/^(?:g|grams?|grammes?)$/, 'weight', 1n, 1n, 'g', 'g'),
  unit(/^(?:kg|kilos?|kilograms?)$/, 'weight', 1000n, 1n, 'kg', 'kg'),
  unit(/^(?:tons?|tonnes?)$/, 'weight', 1_000_000n, 1n, 'tonne'),
  unit(/^(?:pounds?|lbs?)$/, 'weight', 45_359_237n, 100_000n, 'pound'),
  unit(/^(?:ounces?|oz)$/, 'weight', 45_359_237n, 1_600_000n, 'ounce'),
  unit(/^(?:°?c|(?:degrees? )?celsius|degrees? c)$/, 'heat', 1n, 1n, '°C', '°C'),
  unit(/^(?:°?f|(?:degrees? )?fahrenheit|degrees? f)$/, 'heat', 5n, 9n, '°F', '°F'),
]

function unit(
  pattern: RegExp,
  of: Unit['of'],
  top: bigint,
  bottom: bigint,
  one: string,
  many = `${one}s`,
): [RegExp, Unit] {
  return [pattern, { of, top, bottom, one, many }]
}

const NAME = String.raw`(?:degrees? )?°?[a-z]+`
const FORMS: readonly RegExp[] = [
  new RegExp(
    String.raw`^how many (?<to>${NAME}) (?:are |is |make |makes |does |do |has |have )?(?:there )?(?:in |is |are )?(?<count>an?|one|[\d.,]+)? ?(?<from>${NAME})(?: (?:have|has|make|is|are|equal))?$`,
  ),
  new RegExp(
    String.raw`^(?:what is |convert |how much is |change |turn )?(?<count>an?|-?[\d.,]+) ?(?<from>${NAME}) (?:in|to|into|as|are how many|is how many|converted to) (?<to>${NAME})$`,
  ),
]

/** Convert a measure to another unit, if a simple ratio is enough. */
export function answerMeasure(question: string): string | undefined {
  if (question.length > 100) return undefined
  const plain = replaceNumberWords(question)
  for (const form of FORMS) {
    const groups = form.exec(plain)?.groups
    const [from, to] = [findUnit(groups?.['from']), findUnit(groups?.['to'])]
    if (!groups || !from || !to || from === to || from.of !== to.of) continue
    const digits = groups['count'] ?? 'a'
    const negative = digits.startsWith('-')
    const read = /^(?:an?|one)$/.test(digits)
      ? makeExact(1n)
      : parseDigits(
          digits
            .replace('-', '')
            .replaceAll(/,(?=\d{3}\b)/g, '')
            .replace(',', '.'),
        )
    if (!read || (negative && from.of !== 'heat')) return undefined
    const count = negative ? makeExact(-read.top, read.bottom) : read
    return sayMeasure(count, from, to)
  }
  return undefined
}

const findUnit = (name: string | undefined): Unit | undefined =>
  name === undefined ? undefined : UNITS.find(([pattern]) => pattern.test(name))?.[1]

function sayMeasure(count: Exact, from: Unit, to: Unit): string | undefined {
  // Zero Celsius is 32 Fahrenheit.
  const zero = (each: Unit) => makeExact(each.one === '°F' ? 32n : 0n)
  const above = addNumbers(count, multiplyNumbers(zero(from), makeExact(-1n)))
  const scaled = divideNumbers(
    multiplyNumbers(above, makeExact(from.top, from.bottom)),
    makeExact(to.top, to.bottom),
  )
  if (!scaled) return undefined
  const value = addNumbers(scaled, zero(to))
  const shown = writeNumber(value, undefined, 4)
  const name = (number: Exact, each: Unit) => (number.top === number.bottom ? each.one : each.many)
  return fillSentence('measure', {
    number1: writeNumber(count).text,
    unit1: name(count, from),
    is: shown.isRounded ? '≈' : '=',
    number2: shown.text,
    unit2: name(value, to),
  })
}
