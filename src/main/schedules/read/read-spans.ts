import { DAY, HOUR, WEEK, type Clause, type Found } from './clause.ts'
import { readNumber } from './read-times.ts'
import { isKind, isSign, skipKinds, valueOf, type Token } from './time-tokens.ts'

type Tokens = readonly Token[]

const LETTERS: Record<string, number> = { s: 1, m: 60, h: HOUR, d: DAY, t: DAY, w: WEEK }
const HALVES: Record<string, number> = {
  anderthalb: 1.5,
  eineinhalb: 1.5,
  zweieinhalb: 2.5,
  dreieinhalb: 3.5,
}
/** Names for periods of a number of months. */
const MONTHLY: Record<number, 'month' | 'quarter' | 'year'> = { 1: 'month', 3: 'quarter', 12: 'year' }
const VAGUE = /^(few|couple|several|some|paar|einige|mehrere|so)$/i

/** Read `every 2 hours`, `alle 90 Minuten`, `hourly`, `every half hour`, also in days, weeks or months. */
export function readEvery(tokens: Tokens, at: number): Found<Clause> | undefined {
  const adverb = valueOf(tokens[at], 'adverb')
  if (adverb !== undefined && adverb < DAY) return { value: { kind: 'every', seconds: adverb }, end: at + 1 }
  if (adverb === DAY) return { value: { kind: 'daily' }, end: at + 1 }
  if (adverb === WEEK) return { value: { kind: 'cycle', unit: 'week' }, end: at + 1 }
  const monthly = valueOf(tokens[at], 'monthAdverb')
  if (monthly !== undefined) return { value: { kind: 'cycle', unit: MONTHLY[monthly]! }, end: at + 1 }
  if (isKind(tokens[at], 'repeat'))
    return {
      value: { kind: 'open', open: `“${tokens[at]!.text}” does not say which days: name them.` },
      end: at + 1,
    }
  const start = skipKinds(tokens, at, 'on')
  if (/^alternat(e|ing)$/i.test(tokens[start]?.text ?? '')) return readStep(tokens, start, true)
  if (!isKind(tokens[start], 'every')) return undefined
  const first = start + 1
  if (isKind(tokens[first], 'part')) return { value: { kind: 'daily' }, end: first }
  if (
    VAGUE.test(tokens[first]?.text ?? '') ||
    (/^an?$/i.test(tokens[first]?.text ?? '') && VAGUE.test(tokens[first + 1]?.text ?? ''))
  )
    return { value: { kind: 'open', open: 'How often exactly? Say the number.' }, end: first + 2 }
  const step = readStep(tokens, first)
  if (step) return step
  const single = /^single$/i.test(tokens[first]?.text ?? '') ? first + 1 : first
  if (valueOf(tokens[single], 'unit') === DAY) return { value: { kind: 'daily' }, end: single + 1 }
  if (valueOf(tokens[single], 'unit') === WEEK)
    return { value: { kind: 'cycle', unit: 'week' }, end: single + 1 }
  const unit = MONTHLY[valueOf(tokens[single], 'months') ?? 0]
  // “every quarter hour” and “every quarter of an hour” do not mean a quarter of a year.
  if (unit !== undefined && !(unit === 'quarter' && isKind(tokens[single + 1], 'of', 'unit')))
    return { value: { kind: 'cycle', unit }, end: single + 1 }
  const span = readSpan(tokens, first)
  if (span) return { value: { kind: 'every', seconds: span.value }, end: span.end }
  const count = readNumber(tokens, first)
  const isStep =
    count &&
    (isKind(tokens[count.end], 'months', 'weekday', 'weekdays', 'group', 'groups') ||
      tokens[count.end]?.meanings.unit !== undefined)
  return isStep
    ? { value: { kind: 'open', open: 'Starting from which date? Give the dates.' }, end: count.end + 1 }
    : undefined
}

/** Read, after “every”: `other Tuesday`, `zweite Woche`, `third day`, `2 weeks`, `alternate Friday`. */
function readStep(tokens: Tokens, at: number, isAlternate = false): Found<Clause> | undefined {
  const isOther = isAlternate || isKind(tokens[at], 'other')
  const ordinal = tokens[at]?.isOrdinal === true ? tokens[at].number : valueOf(tokens[at], 'ordinal')
  const number = isOther || ordinal !== undefined ? undefined : readNumber(tokens, at)
  const count = isOther ? 2 : (ordinal ?? number?.value)
  if (count === undefined) return undefined
  const thing = number?.end ?? at + 1
  const token = tokens[thing]
  const weekday = valueOf(token, 'weekday', 'weekdays', 'shortDay')
  const group = valueOf(token, 'group', 'groups')
  const unit = valueOf(token, 'unit')
  const end = thing + 1
  const isMonths = isKind(token, 'months') || isKind(token, 'part')
  if (isMonths || group === 12345 || (unit !== undefined && unit < DAY && !number))
    return unit === HOUR || unit === 60
      ? { value: { kind: 'every', seconds: unit * count }, end }
      : { value: { kind: 'open', open: 'Which one does it begin with? Give the days, or the dates.' }, end }
  if (count < 2 || count > 52) return undefined
  const isNth = ordinal !== undefined && ordinal < 6
  if (weekday !== undefined)
    return { value: { kind: 'step', unit: 'week', count, days: [weekday], ...(isNth && { isNth }) }, end }
  if (group === 67) return { value: { kind: 'step', unit: 'week', count, days: [6, 7] }, end }
  // “every 2 weeks” without a day is a length of time.
  if (number || unit === undefined) return undefined
  if (unit === DAY) return { value: { kind: 'step', unit: 'day', count }, end }
  return unit === WEEK ? { value: { kind: 'step', unit: 'week', count }, end } : undefined
}

/** Read `in 20 minutes`, `20 minutes from now`, `in einer halben Stunde`. */
export function readIn(tokens: Tokens, at: number): Found<Clause> | undefined {
  const isLed = isKind(tokens[at], 'in')
  const start = isLed ? at + 1 : at
  if (VAGUE.test(tokens[start]?.text ?? '') || (isLed && VAGUE.test(tokens[start + 1]?.text ?? '')))
    return isLed && isKind(tokens[start + 1], 'unit', 'months', 'of')
      ? { value: { kind: 'open', open: 'How long exactly? Say the number.' }, end: start + 2 }
      : undefined
  const isCountless = isLed && isKind(tokens[start], 'unit')
  const span = isCountless ? undefined : readSpan(tokens, start)
  if (span) {
    const from = /^(from|ab|von)$/i.test(tokens[span.end]?.text ?? '')
      ? valueOf(tokens[span.end + 1], 'offset')
      : undefined
    if (from !== undefined && from >= 0 && span.value % DAY === 0)
      return { value: { kind: 'offset', days: from + span.value / DAY }, end: span.end + 2 }
    const isFromNow =
      /^(from|ab)$/i.test(tokens[span.end]?.text ?? '') &&
      /^(now|jetzt)$/i.test(tokens[span.end + 1]?.text ?? '')
    const isHence = /^hence$/i.test(tokens[span.end]?.text ?? '')
    if (!isLed && !isFromNow && !isHence) return undefined
    return { value: { kind: 'in', seconds: span.value }, end: span.end + (isFromNow ? 2 : isHence ? 1 : 0) }
  }
  const count = isLed ? readNumber(tokens, start) : undefined
  if (!count || !isKind(tokens[count.end], 'months')) return undefined
  return {
    value: { kind: 'open', open: 'On which date? Months have different lengths.' },
    end: count.end + 1,
  }
}

/** Read a duration in seconds: `90 minutes`, `1h30m`, `an hour and a half`, `eine halbe Stunde`. */
function readSpan(tokens: Tokens, at: number): Found<number> | undefined {
  const first = readAmount(tokens, at)
  if (!first) return undefined
  let { value, end } = first
  for (;;) {
    const start = isKind(tokens[end], 'and') || isSign(tokens[end], ',') ? end + 1 : end
    const isHalf =
      start > end &&
      isKind(tokens[start], 'number') &&
      isKind(tokens[start + 1], 'half') &&
      !isKind(tokens[start + 2], 'unit')
    if (isHalf) return { value: value * 1.5, end: start + 2 }
    const next = isKind(tokens[start], 'unit') ? undefined : readAmount(tokens, start)
    if (!next || next.smallest >= first.smallest) return { value, end }
    value += next.value
    end = next.end
  }
}

function readAmount(tokens: Tokens, at: number): (Found<number> & { smallest: number }) | undefined {
  const unitAt = (index: number) => {
    const token = tokens[index]
    const letter = token?.isGlued === true ? LETTERS[token.text.toLowerCase()] : undefined
    return letter ?? valueOf(token, 'unit')
  }
  const of = (amount: number, index: number) => {
    const unit = unitAt(index)
    return unit === undefined ? undefined : { value: amount * unit, end: index + 1, smallest: unit }
  }
  const text = tokens[at]?.text.toLowerCase() ?? ''
  const halves = HALVES[text]
  if (halves !== undefined) return of(halves, at + 1)
  if (/^(halb|viertel|dreiviertel)stunden?$/.test(text))
    return {
      value: text.startsWith('halb') ? 1800 : text.startsWith('v') ? 900 : 2700,
      end: at + 1,
      smallest: HOUR,
    }
  if (tokens[at]?.type === 'decimal') return of(Number(tokens[at].text.replace(',', '.')), at + 1)
  const start = /^(an?|eine[rmn]?)$/.test(text) ? at + 1 : at
  if (/^(halb|viertel|dreiviertel)stunden?$/i.test(tokens[start]?.text ?? '') && start > at)
    return readAmount(tokens, start)
  if (isKind(tokens[start], 'half', 'quarter')) {
    const share = isKind(tokens[start], 'half') ? 0.5 : 0.25
    const hyphen = isSign(tokens[start + 1], '-') ? start + 2 : start + 1
    const unit = skipKinds(tokens, hyphen, 'of', 'number')
    return of(share, unit)
  }
  const count = readNumber(tokens, at)
  if (count) {
    if (/^quarters?$/i.test(tokens[count.end]?.text ?? '') && isKind(tokens[count.end + 1], 'of'))
      return of(count.value / 4, skipKinds(tokens, count.end + 1, 'of', 'number'))
    const isHalf =
      isKind(tokens[count.end], 'and') &&
      /^an?$/i.test(tokens[count.end + 1]?.text ?? '') &&
      isKind(tokens[count.end + 2], 'half')
    return isHalf ? of(count.value + 0.5, count.end + 3) : of(count.value, count.end)
  }
  return unitAt(at) !== undefined && !tokens[at]!.isGlued ? of(1, at) : undefined
}
