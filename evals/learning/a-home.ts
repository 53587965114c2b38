import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import { connectClient } from '../../src/shared/connect.ts'
import { contract, type HostClient } from '../../src/shared/contract/index.ts'
import { createHost } from '../../src/main/host.ts'
import { memoryChannels } from '../../src/main/rpc/channels.ts'
import { serveContract } from '../../src/main/rpc/serve.ts'

/** A host in a home folder, and a client of it. */
export type EvalHost = { client: HostClient; [Symbol.asyncDispose](): Promise<void> }

const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A home folder with a workspace in it, removed with whoever holds it. */
export function aHome(): { path: string; workspace: string; [Symbol.dispose](): void } {
  const path = realpathSync(mkdtempSync(join(root, 'talaria-eval-')))
  const workspace = join(path, 'work')
  mkdirSync(workspace)
  return { path, workspace, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Write the settings of learning into the configuration, which keeps everything else; reviews begin at once. */
export function writeSettings(home: string, learning: Record<string, string | number | undefined>): void {
  const path = join(home, 'config.yaml')
  const known = (existsSync(path) ? parse(readFileSync(path, 'utf8')) : {}) as Record<string, unknown>
  writeFileSync(path, stringify({ ...known, learning: { idle_seconds: 0, ...learning } }))
}

/** Write files below a folder. */
export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Start the whole host on a home folder. */
export async function startHost(home: { path: string; workspace: string }): Promise<EvalHost> {
  const host = await createHost({ hosting: 'headless', home: home.path, workspace: home.workspace })
  const [ours, theirs] = memoryChannels()
  serveContract(contract, host.handlers, theirs, host.report)
  return {
    client: connectClient(contract, ours),
    async [Symbol.asyncDispose]() {
      await host.close()
      ours.close()
    },
  }
}

/** Wait until something holds, at most so many milliseconds. */
export async function until(holds: () => Promise<boolean>, atMost = 180_000): Promise<void> {
  const end = Date.now() + atMost
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It took too long.')
    await sleep(5)
  }
}
