import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { compareResult, haveEqualValues } from './compare-result.ts'
import { measureToolCalls } from './measure.ts'
import { readCase, ToolCallCase } from './read-case.ts'

const cases = readRows(fileURLToPath(new URL('cases.jsonl', import.meta.url)), ToolCallCase)
const engines = ['local', 'server'] as const

test('the own cases are of many formats, and many of them are no calls', () => {
  expect(cases.length).toBeGreaterThanOrEqual(120)
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  expect(new Set(cases.map(({ id }) => id.replace(/-\d+$/, ''))).size).toBeGreaterThanOrEqual(30)
  expect(cases.filter(({ kind }) => kind === 'negative').length).toBeGreaterThanOrEqual(40)
})

test.for(engines)('the reader finds as much in the own cases as is recorded: %s', async engine => {
  const { rows, figures } = await measureToolCalls(cases, engine)
  expect(differences(`toolcalls-own-${engine}`, figures)).toEqual([])
  // Everything that is wrong has a reason that no text can show: how the prompt of a server ended.
  expect(rows.filter(({ ok, reason }) => !ok && reason === undefined)).toEqual([])
})

const ping = { name: 'ping', description: '', parameters: { type: 'object', properties: {} } }
const aCase = (given: Partial<ToolCallCase>): ToolCallCase => ({
  id: 'one',
  kind: 'negative',
  tags: [],
  tools: [ping],
  text: '',
  truncated: false,
  expect: { content: '', reasoning: null, calls: [] },
  contested: false,
  ...given,
})
const wrongOf = async (given: Partial<ToolCallCase>) =>
  compareResult(aCase(given), await readCase(aCase(given), 'local', text => [text]))

test('a call that is refused is wrong, unless the case or its tags say that it has to be', async () => {
  const text = '<tool_call>{"name": "pong", "arguments": {}}</tool_call>'
  expect(await wrongOf({ text })).toEqual(['refused'])
  expect(await wrongOf({ text, tags: ['unknown-tool'] })).toEqual([])
  expect(await wrongOf({ text, refused: true })).toEqual([])
  expect(await wrongOf({ text, tags: ['unknown-tool'], refused: false })).toEqual(['refused'])
  expect(await wrongOf({ text: 'Hello', expect: { content: 'Hello', reasoning: null, calls: [] } })).toEqual(
    [],
  )
  expect(await wrongOf({ text: '', refused: true })).toEqual(['refused'])
  const { figures } = await measureToolCalls([aCase({ text })], 'local')
  expect(figures).toMatchObject({ scored: 1, right: 0, refused: 1, refusedWrongly: 1 })
})

test('calls are compared in their order, by name and by their values; text when white space is collapsed', async () => {
  const call = (name: string) => `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`
  const tools = [ping, { ...ping, name: 'pong' }]
  const calls = ['ping', 'pong'].map(name => ({ name, arguments: {} }))
  const text = `On  it.\n${call('ping')}\n${call('pong')}`
  expect(await wrongOf({ tools, text, expect: { content: 'On it.', reasoning: null, calls } })).toEqual([])
  const turned = { content: 'Off.', reasoning: 'x', calls: calls.toReversed() }
  expect(await wrongOf({ tools, text, expect: turned })).toEqual(['content', 'reasoning', 'calls'])
  expect(await wrongOf({ tools, text, expect: turned, check: ['reasoning'] })).toEqual(['reasoning'])
})

test('values are equal whatever the order of their keys, and a text is no number', () => {
  expect(
    haveEqualValues({ a: [1, null], b: { c: 1 } }, JSON.parse('{"b": {"c": 1.0}, "a": [1, null]}')),
  ).toBe(true)
  for (const [one, other] of [
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [null, {}],
  ])
    expect(haveEqualValues(one, other)).toBe(false)
})

test('what was told and turned out to be a thought is counted, as are contested cases', async () => {
  const text = 'Hm. </think>Hello'
  const thought = aCase({ text, expect: { content: 'Hello', reasoning: 'Hm.', calls: [] } })
  const { figures } = await measureToolCalls([thought, { ...thought, contested: true }], 'server')
  expect(figures).toMatchObject({ scored: 1, right: 1, contested: 1, takenBack: 2, differByChunks: 0 })
})
