import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectClient } from '../../src/shared/connect-client.ts'
import { contract, type HostClient } from '../../src/shared/contract/index.ts'
import { giveDatabase } from '../../testing/db/give-database.ts'
import { createHost } from '../../src/main/host.ts'
import { memoryChannels } from '../../src/main/rpc/channels.ts'
import { serveContract } from '../../src/main/rpc/serve.ts'

/** A running host with a client. */
export type EvalHost = { client: HostClient; [Symbol.asyncDispose](): Promise<void> }

const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A home folder with a workspace in it. Disposing of it removes the folder. */
export type EvalHome = { path: string; workspace: string; [Symbol.dispose](): void }

/** Make a home folder with an empty database, as a first start makes it. */
export function aHome(): EvalHome {
  const path = realpathSync(mkdtempSync(join(root, 'talaria-eval-')))
  giveDatabase(path)
  const workspace = join(path, 'work')
  mkdirSync(workspace)
  return { path, workspace, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Write a configuration with these settings of learning. By default, reviews begin as soon as they are due.
 */
export function writeSettings(home: string, learning: Record<string, string | number | undefined>): void {
  const lines = Object.entries({ idle_seconds: 0, ...learning }).map(
    ([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`,
  )
  writeFileSync(join(home, 'config.yaml'), `learning:\n${lines.join('')}`)
}

/** Write files into a folder. */
export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Start the whole host on a home folder. */
export async function startHost(home: EvalHome): Promise<EvalHost> {
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

/** Wait until a condition holds, at most so many milliseconds. */
export async function until(holds: () => Promise<boolean>, atMost = 180_000): Promise<void> {
  const end = Date.now() + atMost
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It took too long.')
    await sleep(10)
  }
}
