import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { isFresh } from './freshness.mjs'

const root = rootFolder()
const cache = join(root, 'node_modules/.cache/talaria')
/** How long to wait for another build, in ms: longer than any build takes. The lock ends with its process. */
const PATIENCE_MS = 600_000

/** Build `out/` unless it matches its inputs. Waits for a running build. Prints only errors. */
export function buildIfStale(): void {
  if (isFresh(root)) return
  mkdirSync(cache, { recursive: true })
  const lock = new Database(join(cache, 'build.lock'), { timeout: PATIENCE_MS })
  lock.exec('begin exclusive')
  try {
    if (!isFresh(root)) build()
  } finally {
    lock.close()
  }
}

function build(): void {
  const vite = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status === 0) return
  console.error(`Talaria could not be built.\n${stdout}${stderr}`)
  process.exit(1)
}

if (import.meta.main) buildIfStale()
