import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countCases } from '../../../../../../testing/count-cases.ts'
import { readWhole, Unreadable } from '../reader-input.ts'
import { isObject } from '../known-tools.ts'
import { coerceText, parseValue } from './coerce-text.ts'
import { readValue, type ValueOptions } from './read-value.ts'

const json = fc
  .jsonValue({ maxDepth: 4, noUnicodeString: false })
  .filter(value => !JSON.stringify(value).includes('-0'))

test('JSON is read like JSON.parse does, in any layout', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      expect(parseValue(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('a truncated object contains only complete values', () => {
  const object = fc.dictionary(fc.string({ minLength: 1 }), json, { minKeys: 1 })
  const { met, atLeast } = countCases<'refused' | 'read'>()
  fc.assert(
    fc.property(object, fc.nat(), (value, cut) => {
      const whole = JSON.stringify(value)
      const text = whole.slice(0, cut % whole.length)
      const options: ValueOptions = {}
      const read = readWhole(text, input => readValue(input, options))
      met(read instanceof Unreadable ? 'refused' : 'read')
      if (read instanceof Unreadable) expect(read.kind).toBe('cut')
      else expect([options.closedAtEnd, isPartOf(read, JSON.parse(whole))]).toEqual([true, true])
    }),
    { numRuns: 300 },
  )
  atLeast({ refused: 200, read: 5 })
})

test.for([
  ["{'a': 'it\\'s', \"b\": “x”}", { a: "it's", b: 'x' }],
  ['{a: 1, b: .5, c: 1_000, d: -2e3,}', { a: 1, b: 0.5, c: 1000, d: -2000 }],
  ['[True, None, undefined, false]', [true, null, null, false]],
  ['{"a": """two\n"lines" """}', { a: 'two\n"lines" ' }],
  ['{"a": ("x", "y")}', { a: ['x', 'y'] }],
  ['{"re": "\\d+\\.\\w\\u0041\\x42"}', { re: '\\d+\\.\\wAB' }],
  ['{"a": 1 // one\n, /* two */ "b": 2 # three\n}', { a: 1, b: 2 }],
  ['{"a": "x"\n "b": "y"}', { a: 'x', b: 'y' }],
  ['{{"a": {{"b": 1}}}}', { a: { b: 1 } }],
  ['{"__proto__": 1}', JSON.parse('{"__proto__": 1}')],
] as const)('%s', ([text, value]) => {
  expect(parseValue(text)).toEqual(value)
})

test.for([
  ['{"a": "echo "hi""}', 'a comma is missing before "h"', 'quotes'],
  ['{"a": bare words}', '"bare" is not a value; text needs quotes', 'other'],
  ['{"a" 1}', 'a colon is missing after "a"', 'quotes'],
  ['{"a": "never', 'a text was cut off', 'cut'],
  ['{"a": 1,', 'it was cut off', 'cut'],
  ['['.repeat(500), 'it is nested too deeply', 'other'],
] as const)('%s is refused', ([text, reason, kind]) => {
  expect(parseValue(text)).toEqual(new Unreadable(reason, kind))
})

describe('a text parameter', () => {
  const integer = { type: 'integer' }
  test.for([
    ['of type string stays as written', '"5"', { type: 'string' }, '"5"'],
    ['of another type is read as JSON', '5', integer, 5],
    ['may stand in quotes', '"5"', integer, 5],
    ['may be Python', "{'a': True}", { type: 'object' }, { a: true }],
    ['of several types is a string only if it is nothing else', 'null', { type: ['string', 'null'] }, null],
    ['of several types keeps its text', 'nil', { type: ['string', 'null'] }, 'nil'],
    ['takes its type from an enumeration', '24', { enum: ['24', '12'] }, '24'],
    ['takes its type from alternatives', '24', { anyOf: [integer, { type: 'null' }] }, 24],
    ['without a type is JSON if it can be', '[1]', {}, [1]],
    ['without a type is text otherwise', 'one', undefined, 'one'],
    ['that does not fit is refused', 'ten', integer, new Unreadable('it must be of type integer')],
  ] as const)('%s', ([, text, schema, value]) => {
    expect(coerceText(text, schema)).toEqual(value)
  })
})

/** Whether `part` is `whole` unchanged, except that the last entries of objects and lists may be missing. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole))
    return part.every((item, index) => isPartOf(item, whole[index]))
  if (isObject(part) && isObject(whole))
    return Object.keys(part).every(key => isPartOf(part[key], whole[key]))
  return Object.is(part, whole)
}
