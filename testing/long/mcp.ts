import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { aFolderToConfine } from '../confinement/folder-to-confine.ts'
import { processesWith } from '../processes.ts'
import type { LongRun } from './index.ts'

/** How a round ends, and how the server behaves during it. */
const KINDS = [
  { kind: 'closed', mode: 'good', end: 'close' },
  { kind: 'hostKilled', mode: 'hangs', end: 'kill host' },
  { kind: 'serverKilled', mode: 'hangs', end: 'kill server' },
  { kind: 'stubborn', mode: 'clings', end: 'close' },
  { kind: 'stubbornHostKilled', mode: 'clings', end: 'kill host' },
  { kind: 'grandchild', mode: 'grandchild', end: 'kill host' },
] as const

const server = fileURLToPath(new URL('../mcp/misbehaving-server.ts', import.meta.url))
const program = fileURLToPath(new URL('../mcp/call-until-killed.ts', import.meta.url))
/** How long to wait for processes to end before they count as left behind, in ms. */
const PATIENCE_MS = 5_000

/** Connect, call and end in every way, confined and not, and count the processes that are left. */
export const mcp: LongRun = {
  says: 'servers are connected to, called and killed with their host in every way: 0 processes left',
  rounds: 200,
  async run({ rounds }) {
    const base = aFolderToConfine()
    const counts: Record<string, number> = { confined: 0, unconfined: 0, slowestEndMs: 0 }
    let left = 0
    try {
      for (let round = 0; round < rounds; round++) {
        const { kind, mode, end } = KINDS[round % KINDS.length]!
        const isConfined = Math.floor(round / KINDS.length) % 2 === 0
        const folder = mkdtempSync(join(base, 'round-'))
        mkdirSync(join(folder, 'home'))
        const mark = `TALARIA_TEST_SERVER=${folder}`
        const host = await startHost([
          join(folder, 'home'),
          isConfined ? 'on' : 'off',
          process.execPath,
          server,
          mode,
          mark,
        ])
        const before = processesWith(mark)
        if (before.length === 0) throw new Error(`Round ${round} (${kind}) started no server.`)
        const waited = await endRound(host, end, mark)
        if (processesWith(mark).length > 0) left += processesWith(mark).length
        counts['slowestEndMs'] = Math.max(counts['slowestEndMs']!, waited)
        counts[kind] = (counts[kind] ?? 0) + 1
        counts[isConfined ? 'confined' : 'unconfined']!++
        rmSync(folder, { recursive: true, force: true })
      }
    } finally {
      rmSync(base, { recursive: true, force: true })
    }
    console.log(`${left} processes left`)
    if (left > 0) throw new Error(`${left} processes were left behind.`)
    return { ...counts, processesLeft: left }
  },
}

/** Start a host that calls the server, and wait until the call has reached it. */
async function startHost(args: string[]): Promise<ChildProcess> {
  const host = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [said] = (await Promise.race([once(host.stdout, 'data'), once(host, 'exit')])) as [unknown]
  if (String(said).trim() !== 'called') throw new Error(`The host ended before the call: ${String(said)}`)
  return host
}

/**
 * End the host or its server, and wait until none of its processes runs. Returns how long that took, in ms.
 */
async function endRound(
  host: ChildProcess,
  end: (typeof KINDS)[number]['end'],
  mark: string,
): Promise<number> {
  const startedAt = performance.now()
  const waited = () => Math.round(performance.now() - startedAt)
  const hasEnded = once(host, 'exit')
  if (end === 'kill host') host.kill('SIGKILL')
  if (end === 'close') host.stdin?.end()
  if (end === 'kill server') for (const pid of processesWith(mark).slice(0, 1)) process.kill(pid, 'SIGKILL')
  while (processesWith(mark).length > 0 && waited() < PATIENCE_MS) await sleep(20)
  const result = waited()
  host.stdin?.end()
  await hasEnded
  return result
}
