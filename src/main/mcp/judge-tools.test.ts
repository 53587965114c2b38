import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeTools } from './judge-tools.ts'

const deep = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels))
const good = { name: 'good', inputSchema: { type: 'object' } }
const withSchema = (inputSchema: unknown) => ({ name: 'bad', inputSchema })

describe('a list of tools', () => {
  test.each<[string, unknown, RegExp]>([
    [
      'a schema without end',
      withSchema({ type: 'object', properties: deep(10_000) }),
      /deeper than 40 levels/,
    ],
    ['a huge schema', withSchema({ type: 'object', title: 'x'.repeat(200_000) }), /more than 100 kB/],
    [
      'annotations without end',
      { ...good, name: 'bad', annotations: deep(10_000) },
      /annotations are nested deeper than 40/,
    ],
    [
      'a header that cannot be one',
      withSchema({ properties: { a: { type: 'string', 'x-mcp-header': 'a b' } } }),
      /cannot be one/,
    ],
    [
      'a header twice',
      withSchema({
        properties: {
          a: { type: 'string', 'x-mcp-header': 'A' },
          b: { type: 'string', 'x-mcp-header': 'a' },
        },
      }),
      /twice/,
    ],
    [
      'a header inside a list',
      withSchema({ properties: { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } } }),
      /other than a plain argument/,
    ],
  ])('loses nothing but a tool with %s', (_what, bad, problem) => {
    const { tools, refused } = judgeTools([bad, good])
    expect(tools.map(({ name }) => name)).toEqual(['good'])
    expect(refused).toEqual([{ name: 'bad', problem: expect.stringMatching(problem) }])
  })

  test('has each tool held to its own pattern', () => {
    const { tools } = judgeTools(
      ['^a+$', '^b+$'].map((pattern, at) => ({
        name: `t${at}`,
        inputSchema: { type: 'object', properties: { x: { type: 'string', pattern } } },
      })),
    )
    const problems = (x: string) => tools.map(({ problemOf }) => problemOf({ x }) === undefined)
    expect([problems('aa'), problems('bb')]).toEqual([
      [true, false],
      [false, true],
    ])
  })

  test('is judged whatever stands in it', () => {
    const keyword = fc.constantFrom(
      '$ref',
      '$id',
      '$schema',
      '$defs',
      'properties',
      'type',
      'pattern',
      'x-mcp-header',
      'items',
    )
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('#/a', '#', 'object', '[', '%'))
    const schema = fc.dictionary(keyword, fc.oneof(value, fc.dictionary(keyword, value)))
    const tool = fc.record(
      { name: fc.string(), inputSchema: schema, description: value, annotations: value },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(tool, fc.jsonValue())), fc.jsonValue(), (listed, args) => {
        const { tools, refused } = judgeTools(listed)
        expect(tools.length + refused.length).toBe(listed.length)
        for (const each of tools) expect(['string', 'undefined']).toContain(typeof each.problemOf(args))
      }),
    )
  })
})
