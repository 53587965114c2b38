import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import { HARD_SCHEMAS } from '../mcp/hard-schemas.ts'
import { toolsOf, toolsWith } from '../mcp/made-up-calls.ts'
import { randomCalls } from '../mcp/random-calls.ts'
import type { LongRun } from './index.ts'

/** Make random weights write calls of the three reference servers' tools, and of the hard schemas. */
export const mcpCalls: LongRun = {
  says: 'random weights write so many calls of three servers, and of sixty hard schemas: all are valid',
  rounds: 200,
  async run({ rounds, home }) {
    const files = join(home, 'files')
    mkdirSync(files)
    const listed = [
      ...(await listTools('everything', [])),
      ...(await listTools('filesystem', [files])),
      ...(await listTools('memory', [], { MEMORY_FILE_PATH: join(home, 'memory.json') })),
    ]
    const servers = await randomCalls(listed, rounds)
    console.log('three servers', servers)
    const hard = await randomCalls(toolsWith(HARD_SCHEMAS), rounds)
    console.log('hard schemas', hard)
    const wrong = servers.wrong.length + hard.wrong.length
    if (wrong > 0 || servers.calls < rounds || hard.calls < rounds)
      throw new Error(`${wrong} calls are not valid.`)
    return {
      serverCalls: servers.calls,
      serverTools: servers.tools,
      hardCalls: hard.calls,
      hardTools: hard.tools,
      unfinished: servers.unfinished + hard.unfinished,
      wrong,
    }
  },
}

async function listTools(name: string, args: string[], env: Record<string, string> = {}) {
  const program = join(rootFolder(), 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js')
  const client = new Client({ name: 'long-run', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, ...args], env, stderr: 'ignore' }),
  )
  try {
    return toolsOf(name, (await client.listTools()).tools)
  } finally {
    await client.close()
  }
}
