import {
  bindArguments,
  expectNumber,
  Dict,
  Float,
  List,
  Namespace,
  compareValues,
  containsValue,
  isEqual,
  numberOf,
  type Arguments,
  type Value,
} from '../values.ts'

type Test = (value: Value, other: Value) => boolean

const wanted: Record<string, Test> = {
  boolean: value => typeof value === 'boolean',
  callable: value => typeof value === 'function' || (value instanceof Namespace && value.call !== undefined),
  defined: value => value !== undefined,
  undefined: value => value === undefined,
  none: value => value === null,
  true: value => value === true,
  false: value => value === false,
  string: value => typeof value === 'string',
  number: value => numberOf(value) !== undefined,
  integer: value => typeof value === 'number',
  float: value => value instanceof Float,
  mapping: value => value instanceof Dict,
  // Jinja checks for a length and for items, which its undefined also has.
  sequence: value =>
    value === undefined || typeof value === 'string' || value instanceof List || value instanceof Dict,
  iterable: value =>
    value === undefined || typeof value === 'string' || value instanceof List || value instanceof Dict,
  escaped: () => false,
  odd: value => Math.abs(expectNumber(value) % 2) === 1,
  even: value => expectNumber(value) % 2 === 0,
  divisibleby: (value, other) => expectNumber(value) % expectNumber(other) === 0,
  lower: value => typeof value === 'string' && value !== value.toUpperCase() && value === value.toLowerCase(),
  upper: value => typeof value === 'string' && value !== value.toLowerCase() && value === value.toUpperCase(),
  eq: isEqual,
  ne: (value, other) => !isEqual(value, other),
  lt: (value, other) => compareValues(value, other) < 0,
  le: (value, other) => compareValues(value, other) <= 0,
  gt: (value, other) => compareValues(value, other) > 0,
  ge: (value, other) => compareValues(value, other) >= 0,
  in: (value, other) => containsValue(other, value),
  sameas: (value, other) => value === other,
  test: value => typeof value === 'string' && Object.hasOwn(aliases, value),
}

const aliases: Record<string, Test | undefined> = {
  ...wanted,
  equalto: wanted['eq'],
  '==': wanted['eq'],
  '!=': wanted['ne'],
  lessthan: wanted['lt'],
  '<': wanted['lt'],
  '<=': wanted['le'],
  greaterthan: wanted['gt'],
  '>': wanted['gt'],
  '>=': wanted['ge'],
}

/** Whether a value passes a Jinja test. */
export function applyTest(name: string, value: Value, args: Arguments): boolean {
  const test = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (!test) throw new Error(`it uses the test "${name}", which Jinja does not have`)
  const [other] = bindArguments(args, 'other')
  return test(value, other)
}
