import { describe, expect, test } from 'vitest'
import { readGbnf } from '../../../testing/formats/gbnf-matcher.ts'
import { formats } from '../models/formats/format-table.ts'
import { callConstraint } from '../models/formats/grammar/constraint.ts'
import { McpServer } from '../../shared/contract/mcp.ts'
import { callableSpecs, namedTools } from './chat-tools.ts'
import { judgeTools } from './judge-tools.ts'

const server = McpServer.parse({ name: 'one', command: 'node' })

/** Tools with these schemas, under the names t0, t1 and so on. */
function toolsWith(schemas: readonly object[]) {
  const { tools, refused } = judgeTools(
    schemas.map((inputSchema, at) => ({ name: `t${at}`, description: '', inputSchema })),
  )
  expect(refused).toEqual([])
  return namedTools(tools.map(tool => ({ server, tool, pinned: false, unasked: false, pin: '' })))
}

const object = (properties: object, required: string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
})
const point = object({ x: { type: 'number' }, y: { type: 'number' } }, ['x', 'y'])

const HARD = [
  object({ at: { $ref: '#/$defs/point' } }, ['at'], { $defs: { point } }),
  object({ tree: { $ref: '#/$defs/node' } }, ['tree'], {
    $defs: { node: object({ value: { type: 'string' }, next: { $ref: '#/$defs/node' } }, ['value']) },
  }),
  object({ a: { oneOf: [{ type: 'integer' }, { type: 'boolean' }] } }, ['a']),
  object({ a: { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] } }, ['a']),
  object({ n: { type: 'integer', minimum: 3, maximum: 17 } }, ['n']),
  object({ n: { type: 'number', exclusiveMinimum: 0, maximum: 1 } }, ['n']),
  object({ s: { type: 'string', minLength: 2, maxLength: 5 } }, ['s']),
  object({ s: { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' } }, ['s']),
  object({ l: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 3 } }, ['l']),
  object({ l: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false } }, [
    'l',
  ]),
  object({ kind: { const: 'x' }, rest: { type: 'object', additionalProperties: { type: 'integer' } } }, [
    'kind',
  ]),
  object({ a: { allOf: [point, object({ z: { type: 'number' } }, ['z'])] } }, ['a']),
  object({ day: { type: 'string', format: 'date' } }, ['day']),
  object({ at: { type: 'string', format: 'date-time' } }, ['at']),
  object({ id: { type: 'string', format: 'uuid' } }, ['id']),
  { type: 'object' },
]

/** The same numbers between 0 and 1 in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('the calls that a local model can write', () => {
  test('are exactly those of tools that the chat found, and fit what each needs', () => {
    const tools = toolsWith(HARD)
    const offered = [
      { name: 'use_tool', description: '', parameters: object({ name: { type: 'string' } }, ['name']) },
    ]
    const specs = callableSpecs(offered, tools)
    const grammar = readGbnf(callConstraint(formats.hermes, specs)!.gbnf)
    const draw = numbers(11)
    const wrong: unknown[] = []
    for (let run = 0; run < 200; run++) {
      const text = grammar.makeUp(draw)
      const call = JSON.parse(text.slice(0, text.lastIndexOf('</tool_call>')))
      const { name, arguments: args } = call.arguments
      const tool = tools.find(each => each.called === name)
      const problem = tool ? tool.tool.problemOf(args) : 'There is no such tool.'
      if (problem !== undefined) wrong.push([name, args, problem])
    }
    expect(wrong).toEqual([])
  })

  test('are none of use_tool before anything was found', () => {
    const offered = [
      { name: 'look', description: '', parameters: object({}) },
      { name: 'use_tool', description: '', parameters: object({}) },
    ]
    expect(callableSpecs(offered, []).map(({ name }) => name)).toEqual(['look'])
  })
})

test('tools get names that every server of models takes, and no two the same', () => {
  const { tools } = judgeTools(
    ['read.file', 'read/file', 'read_file', 'x'.repeat(100)].map(name => ({
      name,
      inputSchema: { type: 'object' },
    })),
  )
  const names = namedTools(tools.map(tool => ({ server, tool, pinned: false, unasked: false, pin: '' }))).map(
    ({ called }) => called,
  )
  expect(new Set(names).size).toBe(4)
  expect(names[2]).toBe('mcp__one__read_file')
  for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/)
})
