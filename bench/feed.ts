import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost, type Host } from '../src/main/host.ts'
import { memoryChannels } from '../src/main/rpc/channels.ts'
import { connectPipe } from '../src/main/rpc/pipe.ts'
import { serveContract } from '../src/main/rpc/serve.ts'
import { connectClient } from '../src/shared/connect-client.ts'
import { contract, type HostClient } from '../src/shared/contract/index.ts'
import { percentile, round } from './measure.ts'

const WINDOWS = 5
const CHANGES = 100

/**
 * How soon every window has read a change made in a terminal, and how often each of them reads during a burst
 * of changes.
 */
export async function benchFeed(changes = CHANGES): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-'))
  const home = join(folder, 'home')
  const host = await createHost({ hosting: 'cli', home })
  try {
    const windows = await Promise.all(Array.from({ length: WINDOWS }, () => openWindow(host)))
    const terminal = connectClient(contract, (await connectPipe(home))!)
    const waits = await timeChanges(terminal, windows, changes)
    const before = windows.map(window => window.reads())
    await burst(terminal, windows, changes)
    const reads = windows.map((window, each) => window.reads() - before[each]!)
    return {
      feed_windows: WINDOWS,
      feed_changes: changes,
      feed_seen_p50_ms: round(percentile(waits, 0.5)),
      feed_seen_p95_ms: round(percentile(waits, 0.95)),
      feed_burst_reads: Math.max(...reads),
    }
  } finally {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Window = { reads(): number; hasAll(ids: readonly string[]): Promise<void> }

/**
 * A window that shows the projects. As a page does, it reads their list again after each change, one reading
 * at a time.
 */
async function openWindow({ handlers, report }: Host): Promise<Window> {
  const [ours, theirs] = memoryChannels()
  serveContract(contract, handlers, theirs, report)
  const client = connectClient(contract, ours)
  let reads = 0
  let shown = new Set<string>()
  let wanted: { ids: readonly string[]; resolve(): void } | undefined
  const { promise: listens, resolve: begun } = Promise.withResolvers<void>()
  async function follow(): Promise<void> {
    for await (const event of client['app.watch']({})) {
      begun()
      if (event.type !== 'changed' || !event.areas.includes('project')) continue
      reads++
      const { projects } = await client['project.list']({})
      shown = new Set(projects.map(({ id }) => id))
      if (wanted?.ids.every(id => shown.has(id))) wanted.resolve()
    }
  }
  // Following ends with the host.
  follow().catch(() => undefined)
  await listens
  return {
    reads: () => reads,
    hasAll: ids =>
      ids.every(id => shown.has(id))
        ? Promise.resolve()
        : new Promise(resolve => (wanted = { ids, resolve })),
  }
}

/**
 * Make changes, each once every window has the one before. Returns how long each took to be in all windows,
 * in ms.
 */
async function timeChanges(
  terminal: HostClient,
  windows: readonly Window[],
  changes: number,
): Promise<number[]> {
  const waits: number[] = []
  for (let each = 0; each < changes; each++) {
    const startedAt = performance.now()
    const { id } = await terminal['project.create']({ name: `Single ${each}` })
    await Promise.all(windows.map(window => window.hasAll([id])))
    waits.push(performance.now() - startedAt)
  }
  return waits
}

/** Make so many changes as fast as the host takes them, until every window has the last one. */
async function burst(terminal: HostClient, windows: readonly Window[], changes: number): Promise<void> {
  const made = await Promise.all(
    Array.from({ length: changes }, (_, each) => terminal['project.create']({ name: `Burst ${each}` })),
  )
  const ids = made.map(({ id }) => id)
  await Promise.all(windows.map(window => window.hasAll(ids)))
}
