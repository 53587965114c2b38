import { expect, test } from 'vitest'
import { toolsOf } from '../../../../testing/mcp/made-up-calls.ts'
import type { Mcp } from '../open-mcp.ts'
import { useTool } from './use-tool.ts'

const properties = { query: { type: 'string' }, limit: { type: 'integer' }, tags: { type: 'array' } }
const notes = toolsOf('notes', [
  { name: 'search', inputSchema: { type: 'object', properties, required: ['query'] } },
  { name: 'list', inputSchema: { type: 'object' } },
])
const mail = toolsOf('mail', [{ name: 'list', inputSchema: { type: 'object' } }])

/** Return what a use_tool call would do, both as shown and as made. */
async function use(given: Record<string, unknown>) {
  const usable = [...notes, ...mail]
  const called: unknown[] = []
  const mcp: Partial<Mcp> = {
    usable: () => usable,
    takeObeyed: () => [],
    call: async ({ tool }, args) => {
      called.push({ tool: tool.name, args })
      return { ok: true, isError: false, text: 'done', files: [] }
    },
  }
  const found = { of: () => usable.map(({ called: name }) => name), add: () => {}, any: () => true }
  const encode = () => Promise.resolve(undefined)
  const tool = useTool({ mcp: mcp as Mcp, found, encode, whyOff: () => undefined })
  const context = { workspace: '/', sessionId: 's', home: '/', signal: new AbortController().signal }
  const intent = await tool.intent(given, context)
  if ('refused' in intent) return intent.refused
  await tool.run(given, { ...context, output: () => {} } as never)
  return { shown: JSON.parse(intent.detail), called }
}

const made = { query: 'seeds', limit: 5 }
test.for<[string, Record<string, unknown>]>([
  ['as it should be', { name: 'mcp__notes__search', arguments: { query: 'seeds', limit: 5 } }],
  ['as text', { name: 'mcp__notes__search', arguments: '{"query":"seeds","limit":"5"}' }],
  ['a number as text', { name: 'mcp__notes__search', arguments: { query: 'seeds', limit: '5', tags: null } }],
  ['beside the name', { name: 'mcp__notes__search', query: 'seeds', limit: '5' }],
  ['half beside', { name: 'mcp__notes__search', arguments: { query: 'seeds' }, limit: 5 }],
  ['under other words', { tool_name: 'mcp__notes__search', parameters: { query: 'seeds', limit: '5' } }],
  ['by its own name', { name: 'search', arguments: { query: 'seeds', limit: '5' } }],
  ['by server and name', { name: 'notes.search', arguments: { query: 'seeds', limit: 5 } }],
])('the question and the call have the same arguments: %s', async ([, given]) => {
  expect(await use(given)).toEqual({ shown: made, called: [{ tool: 'search', args: made }] })
})

test.for<[string, Record<string, unknown>, string]>([
  [
    'a name of two tools',
    { name: 'list' },
    'Several tools have this name: mcp__notes__list, mcp__mail__list.',
  ],
  [
    'what the tool does not take, beside',
    { name: 'search', arguments: { query: 'a' }, folder: 'b' },
    'takes no such argument',
  ],
  ['two values', { name: 'search', arguments: { query: 'a' }, query: 'b' }, 'with another value'],
  ['no object', { name: 'search', arguments: [1] }, 'must be an object'],
  [
    'what does not fit',
    { name: 'search', arguments: { query: 'a', limit: 'many' } },
    '`limit` must be integer',
  ],
  ['another name', { name: 'search_files', arguments: {} }, 'There is no tool search_files.'],
])('is refused with its reason: %s', async ([, given, said]) => {
  expect(await use(given)).toContain(said)
})
