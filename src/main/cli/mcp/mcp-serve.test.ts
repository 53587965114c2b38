import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'
import { createHost } from '../../host.ts'
import { memoryChannels } from '../../rpc/channels.ts'
import { connectClient } from '../../../shared/connect-client.ts'
import { contract, type HostClient } from '../../../shared/contract/index.ts'
import { serveContract } from '../../rpc/serve.ts'

const ALL = { user: true, notes: true, chats: true, skills: true, propose: true, learn: false }

/** A window on the host of a home, which is closed with whoever holds it. */
async function aWindow(home: string) {
  const host = await createHost({ hosting: 'headless', home })
  const [ours, theirs] = memoryChannels()
  serveContract(contract, host.handlers, theirs, host.report)
  const client: HostClient = connectClient(contract, ours)
  return { client, [Symbol.asyncDispose]: host.close }
}

type Entry = { command: string; args: string[]; env: Record<string, string> }
const entryIn = (printed: string) =>
  (JSON.parse(printed) as { mcpServers: { talaria: Entry } }).mcpServers.talaria

/** The MCP client of another program, on what was printed for it. */
async function connect({ command, args, env }: Entry, mode: 'legacy' | 'auto') {
  const client = new Client({ name: 'tester', version: '3' }, { versionNegotiation: { mode } })
  const transport = new StdioClientTransport({ command, args, env, stderr: 'ignore' })
  await client.connect(transport)
  return {
    client,
    async call(name: string, given: Record<string, unknown> = {}) {
      const { content, isError } = await client.callTool({ name, arguments: given })
      const [first] = content
      return { text: first?.type === 'text' ? first.text : '', isError: isError === true }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

describe('talaria mcp serve', () => {
  test('serves what was printed, through a running host, its own, and the next one', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    // The entry names the program that prints it, so it is a process of its own.
    const printed = await talaria.start(['mcp', 'serve', '--print', 'cursor', '--home', home]).ended
    expect(printed.code).toBe(0)
    expect(printed.stderr).toContain('~/.cursor/mcp.json')
    const entry = entryIn(printed.stdout)
    expect(entry.args.slice(-4)).toEqual(['mcp', 'serve', '--home', home])
    for (const path of [entry.command, entry.args[0]!]) expect(path).toBe(join('/', path))
    await using agent = await connect(entry, 'legacy')
    expect(agent.client.getInstructions()).toMatch(/^Talaria keeps/)
    const { tools } = await agent.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'memory_search',
      'session_search',
      'skill_list',
      'skill_view',
      'memory_propose',
    ])
    // No host runs, so it starts one. Nobody has allowed anything yet.
    expect(await agent.call('memory_search')).toEqual({
      text: expect.stringContaining('has not allowed this program yet'),
      isError: true,
    })
    // Its host ends when it is idle, so a window can open; the key is the one that was printed.
    {
      await using window = await (async () => {
        for (;;)
          try {
            return await aWindow(home)
          } catch {
            await new Promise(resolve => setTimeout(resolve, 200))
          }
      })()
      const [known] = (await window.client['agents.list']({})).agents
      expect(known).toMatchObject({ name: 'Cursor', allowed: false })
      await window.client['agents.allow']({ id: known!.id, seen: known!.seen, on: true, may: ALL })
      await window.client['memory.add']({ target: 'user', project: null, text: 'The user is called Ada.' })
      const found = await agent.call('memory_search', { query: 'Ada' })
      expect(found).toEqual({ text: '- (about the user) The user is called Ada.', isError: false })
      const [now] = (await window.client['agents.list']({})).agents
      expect(now).toMatchObject({ program: 'tester 3', today: { requests: 1 } })
    }
    // The window is closed, and it goes on without.
    expect((await agent.call('memory_search', { query: 'Ada' })).text).toContain('Ada')
    const listed = await talaria.run(['mcp', 'agents', 'cursor', '--requests', '--home', home])
    expect(listed.stdout).toContain('memory_search “Ada”: About you: The user is called Ada.')
    expect((await talaria.run(['mcp', 'agents', 'cursor', '--remove', '--home', home])).code).toBe(0)
    expect((await agent.call('memory_search')).text).toContain('does not know the key')
  })

  test('speaks the newer era, too, and says what is missing without a key or with an unusable home', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    const printed = await talaria.start(['mcp', 'serve', '--print', 'other', '--home', home]).ended
    const { env: _env, ...entry } = entryIn(printed.stdout)
    {
      await using agent = await connect({ ...entry, env: {} }, 'auto')
      expect((await agent.call('skill_list')).text).toContain('This program has no key.')
    }
    const file = join(talaria.folder({ 'not-a-folder': '' }), 'not-a-folder')
    const args = [...entry.args.slice(0, -1), file]
    await using agent = await connect({ ...entry, args, env: { TALARIA_AGENT_KEY: 'x' } }, 'legacy')
    expect((await agent.client.listTools()).tools).toHaveLength(5)
    expect((await agent.call('skill_list')).text).toMatch(/^Talaria cannot answer: /)
  })

  test('refuses a program that it knows no entry for', async ({ talaria, expect }) => {
    const refused = await talaria.run(['mcp', 'serve', '--print', 'nothing', '--home', talaria.folder()])
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain('There is: claude, ')
  })
})
