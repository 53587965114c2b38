import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

function whyAsRoot(): string | undefined {
  const tried = spawnSync(process.execPath, ['--check', fileURLToPath(import.meta.url)], {
    uid: NOBODY,
    gid: NOBODY,
    stdio: 'ignore',
  })
  return tried.status === 0 ? undefined : 'another user cannot read the folder of the project'
}

const whyNot = isRoot ? whyAsRoot() : undefined
if (whyNot !== undefined) console.warn(`What only root may do is not told apart here: ${whyNot}.`)

/**
 * The user that root runs a script as, because root may remove anything, which would hide a user's problems.
 */
const user = isRoot && whyNot === undefined ? { uid: NOBODY, gid: NOBODY } : {}

/** Whether a test can create files that belong to another user than the one who removes them. */
export const hasOtherUser = 'uid' in user

/** Start a script as an ordinary user, whose home is `home`. */
export const startAsNobody = (script: URL, home: string, args: readonly string[] = []): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(script), home, ...args], {
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOME: home },
  })

/** Change the owner of a folder, with everything in it, to that user. */
export function giveToNobody(folder: string): void {
  if (hasOtherUser) execFileSync('chown', ['-hR', `${NOBODY}:${NOBODY}`, folder])
}

/** A folder that this user may enter, removed on dispose. */
export function aPlace(): { path: string; [Symbol.dispose](): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-purge-')))
  chmodSync(path, 0o755)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
