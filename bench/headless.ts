import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'

/** A built headless host in a separate process, as `npm start` runs it. */
export type Headless = { url: string; readyMs: number; rssMiB(): number; stop(): Promise<void> }

/**
 * Start the built host on a home folder and wait for its URL. `nodeOptions` are options of Node, such as
 * `--cpu-prof`.
 */
export async function startHeadless(home: string, nodeOptions: readonly string[] = []): Promise<Headless> {
  const startedAt = performance.now()
  const script = join(rootFolder(), 'out/main/headless.js')
  const child = spawn(process.execPath, [...nodeOptions, script, '--no-open', '--home', home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await firstUrl(child)
  return {
    url,
    readyMs: performance.now() - startedAt,
    rssMiB: () => rssOf(child),
    stop: () =>
      new Promise(resolve => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

async function firstUrl(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url) return url
  }
  throw new Error('The headless host ended before it was ready.')
}

/** The resident memory of one process, as Linux records it. */
function rssOf(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}
