import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanEnvironment } from '../src/main/confinement/command-environment.ts'
import { isRefusal } from '../src/main/lib/expected-errors.ts'
import { rootFolder } from '../src/main/lib/shipped-files.ts'
import { connectServer } from '../src/main/mcp/connect.ts'
import { stdioTransport, type StdioTransport } from '../src/main/mcp/stdio-transport.ts'
import { estimateTokens } from '../src/main/models/estimate-tokens.ts'
import { median, round, timed } from './measure.ts'

const SERVERS = ['everything', 'filesystem', 'memory']
const STARTS = 7
const CALLS = 50

/**
 * The reference servers: milliseconds from the start of the process until its tools are listed, the first time and when it is
 * known which era it speaks; a ping through a tool; tokens of all its tools in a prompt; memory of its process in MiB.
 */
export async function benchMcp(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-mcp-'))
  const results: Record<string, number> = {}
  try {
    for (const name of SERVERS) Object.assign(results, await benchServer(name, folder))
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchServer(name: string, folder: string): Promise<Record<string, number>> {
  const program = join(rootFolder(), `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)
  const args = name === 'filesystem' ? [program, folder] : [program]
  let transport: StdioTransport | undefined
  let prior: { kind: 'legacy' } | undefined
  const connect = async () => {
    const open = () =>
      (transport = stdioTransport({
        program: process.execPath,
        args,
        cwd: folder,
        env: cleanEnvironment(),
        mark: `bench-${process.pid}`,
        secrets: [],
      }))
    const connection = await connectServer({ open, timeoutMs: 60_000, prior, roots: [], version: 'bench' })
    if (isRefusal(connection)) throw new Error(`${name}: ${connection.refused}`)
    const listed = await connection.listTools()
    if (isRefusal(listed)) throw new Error(`${name}: ${listed.refused}`)
    return { connection, tools: listed.tools }
  }
  const starts: number[][] = [[], []]
  for (const [at, times] of starts.entries()) {
    prior = at === 0 ? undefined : { kind: 'legacy' }
    for (let start = 0; start < STARTS; start++) {
      let ended: (() => Promise<void>) | undefined
      times.push(await timed(async () => (ended = (await connect()).connection.close)))
      await ended?.()
    }
  }
  const { connection, tools } = await connect()
  const status = readFileSync(`/proc/${transport!.leader}/status`, 'utf8')
  const calls: number[] = []
  // A call that the server refuses has gone the whole way, and needs no arguments of each server.
  for (let call = 0; call < CALLS; call++)
    calls.push(
      await timed(() =>
        connection.call('none', {}, { signal: new AbortController().signal, timeoutMs: 60_000 }),
      ),
    )
  await connection.close()
  return {
    [`mcp_${name}_connect_ms`]: round(median(starts[0]!)),
    [`mcp_${name}_connect_known_ms`]: round(median(starts[1]!)),
    [`mcp_${name}_call_ms`]: round(median(calls)),
    [`mcp_${name}_tools`]: tools.length,
    [`mcp_${name}_tokens`]: tools.reduce((sum, tool) => sum + estimateTokens(promptOf(tool)), 0),
    [`mcp_${name}_rss_mib`]: round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024),
  }
}

/** What stands in a prompt of a tool that is pinned. */
const promptOf = ({ name, description, schema }: { name: string; description: string; schema: object }) =>
  JSON.stringify({ name, description, parameters: schema })
