import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openConfinement } from '../src/main/confinement/open-confinement.ts'
import { commandConfinement } from '../src/main/confinement/sandbox-setting.ts'
import { isRefusal } from '../src/main/lib/expected-errors.ts'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import type { CallOutcome } from '../src/main/mcp/connections/connect-server.ts'
import type { Connections } from '../src/main/mcp/connections/connection-types.ts'
import { openConnections } from '../src/main/mcp/connections/open-connections.ts'
import { readResult } from '../src/main/mcp/results/read-result.ts'
import { estimateTokens } from '../src/shared/text/estimate-tokens.ts'
import { McpServer } from '../src/shared/contract/connections/mcp.ts'
import { aFolderToConfine } from '../testing/confinement/folder-to-confine.ts'
import { median, round, timed } from './measure.ts'
import type { Measured } from './run-parts.ts'

const STARTS = 7
const CALLS = 50

/** A call that a server can answer without any preparation, and what its answer must contain. */
export type Probe = { tool: string; args: Record<string, unknown>; says: string }

/** The reference servers, each with a call; `{folder}` is the folder of the chat. */
const servers: Record<string, { args: string[]; probe: Probe }> = {
  everything: { args: [], probe: { tool: 'echo', args: { message: 'hello' }, says: 'hello' } },
  filesystem: {
    args: ['{folder}'],
    probe: { tool: 'list_allowed_directories', args: {}, says: '{folder}' },
  },
  memory: { args: [], probe: { tool: 'read_graph', args: {}, says: 'entities' } },
}

/**
 * The reference servers, started as the host starts them, and confined if this computer can do that. Measured
 * are the milliseconds from the start of the process until its tools are listed, the first time and once its
 * protocol version is known; a call until its answer was read; the tokens of all its tools in a prompt; and
 * the memory of its process in MiB.
 */
export async function benchMcp(): Promise<Measured> {
  const base = realpathSync(aFolderToConfine())
  const folder = join(base, 'folder')
  mkdirSync(folder)
  const confiner = openConfinement({ home: join(base, 'home'), readable: () => [] })
  const commands = commandConfinement(confiner, { sandbox: () => 'auto', isOffline: () => false })
  try {
    const { confined, whyNot } = await commands.rights()
    const results: Measured = { mcp_started: confined ? 'confined' : `not confined: ${whyNot}` }
    for (const [name, { args, probe }] of Object.entries(servers)) {
      const program = join(rootFolder(), `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)
      const here = (text: string) => text.replace('{folder}', folder)
      const entry = McpServer.parse({
        name,
        command: process.execPath,
        args: [program, ...args.map(here)],
        start_timeout_s: 120,
      })
      const open = (isKnown: boolean) =>
        openConnections({
          home: join(base, 'home'),
          commands,
          entryOf: () => entry,
          keyOf: () => undefined,
          loginPath: () => Promise.resolve(process.env['PATH'] ?? ''),
          fetchFor: () => fetch,
          version: 'bench',
          now: Date.now,
          eras: { olderSince: () => (isKnown ? Date.now() : undefined), setOlder: () => undefined },
        })
      const asked = { name, program, folder, probe: { ...probe, says: here(probe.says) } }
      Object.assign(results, await benchServer(asked, open))
    }
    return results
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

type Asked = { name: string; program: string; folder: string; probe: Probe }

async function benchServer(
  { name, program, folder, probe }: Asked,
  open: (isKnown: boolean) => Connections,
): Promise<Record<string, number>> {
  const starts: Record<'first' | 'known', number[]> = { first: [], known: [] }
  for (const how of ['first', 'known'] as const)
    for (let start = 0; start < STARTS; start++) {
      const connections = open(how === 'known')
      starts[how].push(await timed(() => listTools(connections, name, folder)))
      await connections.close()
    }
  const connections = open(true)
  try {
    const tools = await listTools(connections, name, folder)
    const calls = await timeCalls(CALLS, probe, (tool, args) =>
      connections.call(name, tool, args, {
        folder,
        signal: new AbortController().signal,
        timeoutMs: 60_000,
      }),
    )
    return {
      [`mcp_${name}_connect_ms`]: round(median(starts.first)),
      [`mcp_${name}_connect_known_ms`]: round(median(starts.known)),
      [`mcp_${name}_call_ms`]: round(median(calls)),
      [`mcp_${name}_tools`]: tools.length,
      [`mcp_${name}_tokens`]: tools.reduce((sum, tool) => sum + estimateTokens(promptOf(tool)), 0),
      [`mcp_${name}_rss_mib`]: round(memoryOf(program)),
    }
  } finally {
    await connections.close()
  }
}

async function listTools(connections: Connections, name: string, folder: string) {
  const listed = await connections.listTools(name, folder)
  if (isRefusal(listed)) throw new Error(`${name}: ${listed.refused}`)
  return listed.tools
}

/**
 * The milliseconds of calls, one after the other. Throws at the first answer that does not contain what it
 * must.
 */
export async function timeCalls(
  calls: number,
  { tool, args, says }: Probe,
  call: (tool: string, args: Record<string, unknown>) => Promise<CallOutcome>,
): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < calls; n++) {
    let outcome: CallOutcome | undefined
    times.push(await timed(async () => (outcome = await call(tool, args))))
    if (!outcome || 'failed' in outcome) throw new Error(`${tool} failed: ${outcome?.failed}`)
    const { isError, text } = await readResult(outcome.answered, { save: async () => undefined })
    if (isError || !text.includes(says)) throw new Error(`${tool} did not answer ${says}, but: ${text}`)
  }
  return times
}

/** The text of a pinned tool in a prompt. */
const promptOf = ({ name, description, schema }: { name: string; description: string; schema: object }) =>
  JSON.stringify({ name, description, parameters: schema })

/** The memory of the program in MiB. It may be a child of the program that confines it. */
function memoryOf(program: string): number {
  for (const pid of readdirSync('/proc').filter(each => /^\d+$/.test(each))) {
    const [command = '', script] = textOf(`/proc/${pid}/cmdline`).split('\0')
    if (script !== program || basename(command) !== basename(process.execPath)) continue
    return Number(/VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? Number.NaN) / 1_024
  }
  return Number.NaN
}

/** The text of a file in /proc; empty if its process has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
