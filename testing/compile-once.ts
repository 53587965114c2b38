import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Node's compile cache for programs that tests start from their sources. */
export const compileCache = fileURLToPath(
  new URL('../node_modules/.cache/talaria/compiled-for-tests', import.meta.url),
)

/**
 * Compile a host and its engine before the first tests in a clone. Node saves its compile cache when a process ends by
 * itself. Most programs of the tests are killed, so each would compile everything again.
 */
export default function compileOnce(): void {
  if (existsSync(compileCache)) return
  const home = mkdtempSync(join(tmpdir(), 'talaria-compile-'))
  const script = fileURLToPath(new URL('./host/a-turn-of-each.ts', import.meta.url))
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache }
  const { status } = spawnSync(process.execPath, [script, home], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(home, { recursive: true, force: true })
  if (status !== 0) throw new Error(`The host could not be started from its sources: code ${status}.`)
}
