import { expect, test } from 'vitest'
import { fitTools, shortenTool } from './fit-tools.ts'
import type { ToolSpec } from './registry.ts'

const LONG: ToolSpec = {
  name: 'find',
  description: 'Find things (by words): all of them. With more of it, less is said.',
  parameters: {
    type: 'object',
    properties: {
      // A parameter may have the name of a keyword.
      description: { type: 'string', description: 'words', minLength: 1 },
      sort: { type: 'string', enum: ['best', 'newest'] },
      each: { type: 'array', items: { type: 'object', properties: { at: { type: 'integer', minimum: 1 } } } },
    },
    required: ['description'],
  },
}

test('a tool loses descriptions and limits first, then what does not fit a line', () => {
  expect(shortenTool(LONG, 'whole')).toBe(LONG)
  const short = shortenTool(LONG, 'short')
  expect(short.description).toBe('Find things (by words): all of them.')
  expect(short.parameters).toEqual({
    type: 'object',
    properties: {
      description: { type: 'string' },
      sort: { type: 'string', enum: ['best', 'newest'] },
      each: { type: 'array', items: { type: 'object', properties: { at: { type: 'integer' } } } },
    },
    required: ['description'],
  })
  const line = shortenTool(LONG, 'lines')
  expect(line.description).toBe('Find things.')
  expect(Object.keys(line.parameters['properties'] as object)).toEqual(['description', 'sort'])
})

const named = (name: string): ToolSpec => ({ ...LONG, name })
const tools = ['a1', 'a2', 'b1', 'c1'].map(named)
const fit = (most: number) => {
  const { length, leftOut } = fitTools(tools, {
    toolsetOf: name => name[0]!,
    order: ['a', 'b', 'c'],
    count: given => given.reduce((sum, each) => sum + each.description.length, 0),
    most,
  })
  return [length, ...leftOut]
}

test('toolsets are shortened before any is left out, and the first ones stay', () => {
  const all = LONG.description.length * 4
  expect([all, all - 1, 36 * 4 - 1, 12 * 4 - 1, 12 * 2 + 1, 12, 11].map(fit)).toEqual([
    ['whole'],
    ['short'],
    ['lines'],
    ['lines', 'c'],
    ['lines', 'b', 'c'],
    ['lines', 'a', 'c'],
    ['lines', 'a', 'b', 'c'],
  ])
})
