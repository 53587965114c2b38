import { describe, expect, test } from 'vitest'
import { judgeTools } from '../mcp/judge-tools.ts'
import { safePattern } from './safe-pattern.ts'

test.for([
  ['^[A-Z]{2}-\\d{3}$', 'AB-123', 'ab-123'],
  ['^\\p{L}+$', 'straße', 'a1'],
  ['^\\u00e9$', 'é', 'e'],
  ['(?<year>\\d{4})', 'in 2026', 'in 26'],
  ['^(?=.*x)a', 'abx', 'ab'],
  ['^.{1,5000}$', 'a', ''],
] as const)('a pattern says what JavaScript says: %s', ([source, fitting, other]) => {
  const plain = new RegExp(source, 'u')
  expect([plain.test(fitting), plain.test(other)]).toEqual([true, false])
  expect([safePattern(source)?.test(fitting), safePattern(source)?.test(other)]).toEqual([true, false])
})

describe('a pattern that could be tried in very many ways', () => {
  test('is checked in linear time', () => {
    expect(safePattern('^(a+)+$')?.test(`${'a'.repeat(100_000)}!`)).toBe(false)
    expect(safePattern('^(a|a)*$')?.test(`${'a'.repeat(100_000)}!`)).toBe(false)
  })

  test.for(['^(?=(a+)+$)', '(a)\\1+b*', '(?!x)a*a*b', '('])(
    'is left to the server where RE2 does not know it: %s',
    source => {
      expect(safePattern(source)).toBeUndefined()
      const tool = (schema: object) => ({ name: 'one', inputSchema: { type: 'object', ...schema } })
      for (const schema of [
        { properties: { a: { pattern: source } } },
        { patternProperties: { [source]: {} } },
      ])
        expect(
          judgeTools([tool(schema)]).tools[0]?.problemOf({ a: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' }),
        ).toBeUndefined()
    },
  )
})
