import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCheck } from '../json-schema/check-schema.ts'
import { judgeTools, type ServerTool } from './judge-tools.ts'
import { readNullsOf } from './mending/drop-nulls.ts'
import { pageOf } from './mending/plain-tool.ts'
import { readNullsIn } from './transport/read-bodies.ts'

const record = z.record(z.string(), z.unknown())
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
const schemas = z
  .array(
    z.object({
      what: z.string(),
      schema: record,
      fits: z.array(record),
      misfits: z.array(record).default([]),
      mends: z.array(z.tuple([record, record])).default([]),
    }),
  )
  .parse(read('odd-schemas.json'))
const messages = z
  .array(z.object({ what: z.string(), message: record, read: record }))
  .parse(read('odd-messages.json'))

function toolWith(inputSchema: unknown, more: object = {}): ServerTool {
  const { tools, refused } = judgeTools([{ name: 'one', inputSchema, ...more }])
  expect(refused).toEqual([])
  return tools[0]!
}

describe('a schema such as servers write them', () => {
  test.for(schemas)('never costs a tool, and is kept to as its author meant it: $what', each => {
    const tool = toolWith(each.schema)
    for (const args of each.fits) expect([args, tool.problemOf(args)]).toEqual([args, undefined])
    for (const args of each.misfits) expect([args, typeof tool.problemOf(args)]).toEqual([args, 'string'])
    for (const args of [...each.fits, ...each.misfits].slice(0, each.fits.length))
      expect(tool.mend(args)).toEqual(args)
    for (const [given, meant] of each.mends) expect(tool.mend(given)).toEqual(meant)
  })
})

describe('a message such as servers write them', () => {
  test.for(messages)('is read as if null were absent: $what', async each => {
    expect(readNullsOf(each.message)).toEqual(each.read)
    const text = JSON.stringify(each.message)
    const pieces = [text.slice(0, 7), text.slice(7)]
    const through = async (kind: string, parts: string[]) =>
      new Response(new Blob(parts).stream().pipeThrough(readNullsIn(kind))).text()
    expect(JSON.parse(await through('application/json; charset=utf-8', pieces))).toEqual(each.read)
    const event = await through('text/event-stream', ['event: message\r\nda', `ta: ${text}\r\n`, '\r\n'])
    expect(event).toBe(`event: message\r\ndata: ${JSON.stringify(each.read)}\r\n\r\n`)
  })
})

test('any name of a tool works, and what moves text is not shown', () => {
  const names = [
    '查询天气',
    'notes:list',
    'weather report',
    'größe',
    'a'.repeat(200),
    'x\u202ey',
    'line\nbreak',
    '🙂',
  ]
  const { tools, refused } = judgeTools(names.map(name => ({ name, description: null, inputSchema: null })))
  expect(refused).toEqual([])
  expect(tools.map(({ sent }) => sent)).toEqual(names)
  expect(tools.map(({ name }) => name).slice(5, 7)).toEqual(['xy', 'line break'])
  expect(judgeTools([{ name: '' }, { name: ' ' }, { name: 5 }, {}, null]).tools).toEqual([])
})

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
describe('a list such as servers write it', () => {
  test.for<[string, unknown, boolean]>([
    ['an object by names', { tools: { one: { inputSchema: SCHEMA } } }, true],
    ['the list alone', [{ name: 'one', inputSchema: SCHEMA }], true],
    [
      'as models are told',
      { tools: [{ type: 'function', function: { name: 'one', parameters: SCHEMA } }] },
      true,
    ],
    ['the words of another API', { tools: [{ name: 'one', input_schema: SCHEMA }] }, true],
    ['the words of a third', { tools: [{ name: 'one', parameters: SCHEMA }] }, true],
    ['a schema as a text', { tools: [{ name: 'one', inputSchema: JSON.stringify(SCHEMA) }] }, true],
    ['PHP’s empty schema', { tools: [{ name: 'one', inputSchema: [] }] }, false],
    ['a schema that is true', { tools: [{ name: 'one', inputSchema: true }] }, false],
    ['a cursor that is false', { tools: [{ name: 'one', inputSchema: SCHEMA }], nextCursor: false }, true],
  ])('offers the tool, with what it takes: %s', ([, listed, wantsCity]) => {
    const page = pageOf(listed)
    expect(page.nextCursor).toBe('')
    const { tools, refused } = judgeTools(page.tools)
    expect([refused, tools.map(({ name }) => name)]).toEqual([[], ['one']])
    expect(tools[0]?.problemOf({ city: 'Bern' })).toBeUndefined()
    expect(typeof tools[0]?.problemOf({})).toBe(wantsCity ? 'string' : 'undefined')
  })

  test('a description in lines is one text, and pages are counted', () => {
    const { tools } = judgeTools([{ name: 'one', description: ['Weather', 'of a city.'] }])
    expect(tools[0]?.description).toBe('Weather\nof a city.')
    expect([
      pageOf({ tools: null, nextCursor: 2 }),
      pageOf({ tools: [], nextCursor: 0 }),
      pageOf('x'),
      pageOf(null),
    ]).toEqual([
      { tools: [], nextCursor: '2' },
      { tools: [], nextCursor: '' },
      { tools: [], nextCursor: '' },
      { tools: [], nextCursor: '' },
    ])
  })
})

/** Definitions each of which uses the next one twice: a walk that forgets takes 2^levels steps. */
function doubling(levels: number, use: (next: object) => object): Record<string, unknown> {
  const $defs: Record<string, object> = { [`d${levels}`]: { type: 'string' } }
  for (let at = 0; at < levels; at++) $defs[`d${at}`] = use({ $ref: `#/$defs/d${at + 1}` })
  return { type: 'object', properties: { value: { $ref: '#/$defs/d0' }, n: { type: 'integer' } }, $defs }
}

describe('a schema that would take for ever', () => {
  test.for<[string, (next: object) => object]>([
    ['properties', next => ({ type: 'object', properties: { a: next, b: next } })],
    ['allOf', next => ({ allOf: [next, next] })],
    ['anyOf', next => ({ anyOf: [next, next] })],
    ['oneOf', next => ({ oneOf: [next, next] })],
    ['not', next => ({ not: { allOf: [next, next] } })],
    ['lists', next => ({ type: 'array', items: next, contains: next })],
    ['conditions', next => JSON.parse(`{"if":${JSON.stringify(next)},"then":${JSON.stringify(next)}}`)],
  ])('is left to the server: %s that double', ([, use]) => {
    const tool = toolWith(doubling(60, use), { outputSchema: doubling(60, use) })
    for (const value of ['x', 1, {}, { a: {} }, [[[['x']]]]]) {
      expect(['string', 'undefined']).toContain(typeof tool.problemOf({ value, n: 1 }))
      expect(['string', 'undefined']).toContain(typeof tool.mismatchOf({ value, n: 1 }))
      expect(tool.mend({ value, n: '1' })).toMatchObject({ value })
    }
  })

  test.for<[string, Record<string, unknown>, unknown]>([
    [
      'many items that are compared',
      { uniqueItems: true, items: true },
      Array.from({ length: 200_000 }, (_, at) => ({ at })),
    ],
    [
      'many checks of a long list',
      { allOf: Array.from({ length: 3_000 }, () => ({ items: { type: 'integer' } })) },
      Array.from({ length: 100_000 }, () => 1),
    ],
    [
      'many patterns on a long text',
      { allOf: Array.from({ length: 500 }, (_, at) => ({ pattern: `(x+${at}y?)+$` })) },
      'x'.repeat(1_000_000),
    ],
    ['counts within counts', { pattern: '^(((a{30}){30}){30}){30}$' }, 'a'.repeat(10_000)],
  ])('is given up after a number of steps: %s', ([, schema, value]) => {
    expect(createCheck(schema, 'The whole').problemOf(value)).toBeUndefined()
  })
})
