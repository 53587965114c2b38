import { formatPercent } from './functions/format-text.ts'
import type { RunLimits } from './run-limits.ts'
import { Float, List, nameType, numberOf, type Value } from './values.ts'

/** An operator between two values. */
export type Operator = '+' | '-' | '*' | '/' | '//' | '%' | '**'

/** Calculate with two values as Python does. Adding an undefined value to a text or list changes nothing. */
export function calculateValues(sign: Operator, left: Value, right: Value, limits: RunLimits): Value {
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== undefined && b !== undefined) {
    const isWhole = !(left instanceof Float) && !(right instanceof Float)
    return calculateNumbers(sign, a, b, isWhole)
  }
  if (sign === '+') return addValues(left, right, limits)
  if (sign === '*' && (a !== undefined || b !== undefined))
    return repeatValue(a === undefined ? left : right, a ?? b ?? 0, limits)
  if (sign === '%' && typeof left === 'string') return formatPercent(left, right, limits)
  throw new Error(`unsupported operand types for ${sign}: '${nameType(left)}' and '${nameType(right)}'`)
}

function calculateNumbers(sign: Operator, a: number, b: number, isWhole: boolean): Value {
  const result = (value: number) => (isWhole ? value : new Float(value))
  if (b === 0 && (sign === '/' || sign === '//' || sign === '%')) throw new Error('division by zero')
  if (sign === '+') return result(a + b)
  if (sign === '-') return result(a - b)
  if (sign === '*') return result(a * b)
  if (sign === '/') return new Float(a / b)
  if (sign === '//') return result(Math.floor(a / b))
  if (sign === '%') return result(a - b * Math.floor(a / b))
  return isWhole && b >= 0 ? a ** b : new Float(a ** b)
}

function addValues(left: Value, right: Value, limits: RunLimits): Value {
  if (left === undefined && (typeof right === 'string' || right instanceof List)) return right
  if (right === undefined && (typeof left === 'string' || left instanceof List)) return left
  if (typeof left === 'string' && typeof right === 'string') {
    limits.allowText(left.length + right.length)
    return left + right
  }
  if (left instanceof List && right instanceof List && left.isTuple === right.isTuple) {
    limits.allowItems(left.items.length + right.items.length)
    return new List([...left.items, ...right.items], left.isTuple)
  }
  throw new Error(`unsupported operand types for +: '${nameType(left)}' and '${nameType(right)}'`)
}

function repeatValue(value: Value, times: number, limits: RunLimits): Value {
  const count = Math.max(0, times)
  if (typeof value === 'string') {
    limits.allowText(value.length * count)
    return value.repeat(count)
  }
  if (value instanceof List) {
    limits.allowItems(value.items.length * count)
    return new List(Array.from({ length: count }, () => value.items).flat(), value.isTuple)
  }
  throw new Error(`unsupported operand types for *: '${nameType(value)}' and 'int'`)
}

/** Negate a number, or return it unchanged for a plus sign. */
export function negateValue(value: Value, isMinus: boolean): Value {
  const number = numberOf(value)
  if (number === undefined) throw new Error(`bad operand type for a sign: '${nameType(value)}'`)
  const signed = isMinus ? -number : number
  if (value instanceof Float) return new Float(signed)
  return signed === 0 ? 0 : signed
}
