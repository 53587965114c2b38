import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where programs that tests start from their sources keep them compiled. */
export const compileCache = fileURLToPath(new URL('../node_modules/.cache/talaria/compile', import.meta.url))

/**
 * Compile a host and its engine before the tests. Node keeps what it compiled when a program ends by itself, and most programs of the tests are
 * killed: in a fresh clone each of them would compile everything again, which takes longer than all else that it does.
 */
export default function compileOnce(): void {
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
