import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entryPath } from '../src/main/lib/disk/shipped-files.ts'
import { connectServer } from '../src/main/mcp/connections/connect-server.ts'
import { stdioTransport } from '../src/main/mcp/transport/stdio-transport.ts'
import { isRefusal } from '../src/main/lib/expected-errors.ts'
import { formOf, fullTools, trainedTools } from './chat-tools.ts'
import { timeCalls } from './mcp.ts'
import { benchFeed } from './feed.ts'
import { benchHook } from './hook.ts'
import { benchRecall } from './recall.ts'
import { benchSkills } from './skills.ts'
import { benchTemplates } from './templates.ts'

// The parts with little to do. Tested is that they measure what they say; how long it took does not matter
// here.

test('recall asks the window’s and the model’s search in the thread, cold and warm, whole and half indexed', async () => {
  const figures = await benchRecall({
    messages: 600,
    queries: 12,
    cold: 1,
    appends: 3,
    script: entryPath('recall-thread'),
  })
  expect(figures).toMatchObject({ recall_messages: 600, recall_queries: 12 })
  const waits = ['', 'half_indexed_'].flatMap(kind =>
    ['window', 'tool'].flatMap(asked =>
      ['p50', 'p95', 'cold'].map(what => `recall_${kind}${asked}_${what}_ms`),
    ),
  )
  expect(waits.filter(name => !(Number(figures[name]) > 0))).toEqual([])
})

test('feed waits until every window has read what a terminal changed, change by change and in a burst', async () => {
  const figures = await benchFeed(3)
  expect(figures).toMatchObject({ feed_windows: 5, feed_changes: 3 })
  expect(figures['feed_seen_p50_ms']).toBeGreaterThan(0)
  expect(figures['feed_burst_reads']).toBeGreaterThan(0)
})

test('templates lays out a chat of as many messages with every family', async () => {
  const figures = await benchTemplates(40, 1)
  expect(figures).toMatchObject({ template_messages: 40, template_families: 14 })
  const times = ['layout', 'read'].flatMap(what => [`template_${what}_ms`, `template_${what}_slowest_ms`])
  expect(times.filter(name => !(Number(figures[name]) > 0))).toEqual([])
})

test('hook compares the hook inside Claude Code with a bare start of Node', async () => {
  const figures = await benchHook(1)
  expect(
    ['bare_node_ms', 'start_ratio', 'stop_ratio'].filter(name => !(Number(figures[`hook_${name}`]) > 0)),
  ).toEqual([])
})

test('skills lists as many as there are, with what the host opens', async () => {
  const figures = await benchSkills(20, 1)
  expect(figures).toMatchObject({ skills: 20 })
})

test('a call whose answer is missing, a refusal or an error ends the bench of MCP servers', async () => {
  const probe = { tool: 'echo', args: { message: 'hello' }, says: 'hello' }
  const answers = (answered: unknown) => timeCalls(2, probe, async () => ({ answered }))
  const text = (said: string, isError = false) => ({ content: [{ type: 'text', text: said }], isError })
  expect(await answers(text('hello you'))).toHaveLength(2)
  await expect(answers(text('Unknown tool'))).rejects.toThrow('echo did not answer hello, but: Unknown tool')
  await expect(answers(text('hello', true))).rejects.toThrow('echo did not answer')
  await expect(answers(undefined)).rejects.toThrow('echo did not answer')
})

test('a server that died is no fast one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-test-'))
  const script =
    'process.stdin.once("data", line => { const { id } = JSON.parse(line); process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "short", version: "1" } } }) + "\\n", () => setTimeout(() => process.exit(), 200)) })'
  const connection = await connectServer({
    open: () =>
      stdioTransport({
        program: process.execPath,
        args: ['-e', script],
        cwd: folder,
        env: {},
        mark: 'bench-test',
        secrets: [],
      }),
    timeoutMs: 60_000,
    prior: { kind: 'legacy' },
    roots: [],
    version: 'test',
  })
  if (isRefusal(connection)) throw new Error(connection.refused)
  const { signal } = new AbortController()
  const call = (tool: string, args: Record<string, unknown>) =>
    connection.call(tool, args, { signal, timeoutMs: 60_000 })
  const probe = { tool: 'echo', args: {}, says: '' }
  await expect(timeCalls(5, probe, call)).rejects.toThrow('echo failed: ')
  await connection.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the forms of tools are those of larger models and of the built-in one', () => {
  expect(formOf('full', fullTools())).toMatch(/^1[0-9] tools in their full form, 3 of an MCP server$/)
  expect(formOf('trained', trainedTools())).toMatch(/^\d+ tools in their trained form$/)
  const named = (tools: ReturnType<typeof fullTools>) => tools.map(({ name }) => name)
  expect(named(fullTools())).toEqual(expect.arrayContaining(named(trainedTools())))
})
