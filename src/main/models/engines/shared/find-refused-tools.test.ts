import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { setUpServer, TOOL } from '../../../../../testing/models/openai.ts'

/** How servers and gateways word a refusal; `all`: it may be about any tool of an MCP server. */
const cases = readFileSync(new URL('./refusals.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line =>
    z
      .object({
        from: z.string(),
        status: z.int().optional(),
        stream: z.boolean().optional(),
        body: z.unknown(),
        names: z.union([z.enum(['all', 'none']), z.array(z.string())]),
        code: z.string().optional(),
      })
      .parse(JSON.parse(line)),
  )

const tools = [
  'read_file',
  'todo',
  'mcp__maps__find_place',
  'mcp__mail__send',
  'mcp__mail__send_all',
  'mcp__mail__read',
].map(name => ({ ...TOOL, name }))
const spare = tools.map(({ name }) => name).filter(name => name.startsWith('mcp__'))

const given = setUpServer()

test.for(cases)('$from: the refused tools are known', async ({ status, stream, body, names, code }) => {
  const reply = stream ? { chunks: [body] } : { status: status ?? 400, body }
  const failed = (await given.answer(reply, {}, { tools })).at(-1)
  if (failed?.type !== 'failed') throw new Error(`It ended with ${JSON.stringify(failed)}.`)
  const { refusedTools } = failed
  expect(refusedTools && { names: refusedTools.names, isNamed: refusedTools.isNamed }).toEqual(
    names === 'none' ? undefined : { names: names === 'all' ? spare : names, isNamed: names !== 'all' },
  )
  if (names === 'none') return
  expect(given.server.chats()).toHaveLength(1)
  // A refusal of one tool never means that all tools are refused.
  if (names !== 'all' || code !== undefined) expect(failed.code).toBe(code ?? failed.code)
  if (names !== 'all') expect(failed.code).not.toBe('tools_unsupported')
})

test('without tools of MCP servers every refusal is as it is', async () => {
  for (const { body } of cases) {
    const failed = (await given.answer({ status: 400, body }, {}, { tools: [TOOL] })).at(-1)
    expect(failed).not.toHaveProperty('refusedTools')
  }
})
