import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasDisplay } from '../src/main/lib/processes/display-and-power.ts'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'

const folder = join(rootFolder(), 'node_modules/electron')
const cache = join(rootFolder(), 'node_modules/.cache/talaria')
const failed = join(cache, 'electron-fetch-failed')
const stallMs = 20_000
const dayMs = 86_400_000

const executables: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
}

/** Chromium cannot use its sandbox as root in a container. Elsewhere the desktop specs run with it, as users do. */
export const electronSwitches: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** The installed Electron binary, if any. Unlike `require('electron')`, this never downloads it. */
export function findElectron(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const dist = env['ELECTRON_OVERRIDE_DIST_PATH'] || join(folder, 'dist')
  const file = join(dist, executables[process.platform] ?? 'electron')
  return existsSync(file) ? file : undefined
}

/**
 * Why the desktop window cannot open here although Electron is installed, as text; undefined when it can.
 * `args` are the arguments for Electron: Chromium's own switch is an explicit choice to run without its
 * sandbox.
 */
export function desktopObstacle(electron: string, args: readonly string[]): string | undefined {
  if (!hasDisplay()) return 'there is no display'
  if (process.platform !== 'linux' || args.includes('--no-sandbox')) return undefined
  if (process.getuid?.() === 0) return 'Electron does not run as root without --no-sandbox'
  if (mayMakeNamespaces() || isSetuidRoot(join(dirname(electron), 'chrome-sandbox'))) return undefined
  return 'this system does not let Electron set up its sandbox'
}

/** Chromium's sandbox needs user namespaces, which some distributions deny to unknown programs. */
const mayMakeNamespaces = () =>
  readSetting('kernel/apparmor_restrict_unprivileged_userns') !== '1' &&
  readSetting('kernel/unprivileged_userns_clone') !== '0' &&
  readSetting('user/max_user_namespaces') !== '0'

const readSetting = (name: string) =>
  existsSync(`/proc/sys/${name}`) ? readFileSync(`/proc/sys/${name}`, 'utf8').trim() : undefined

function isSetuidRoot(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.uid === 0 && (found.mode & 0o4000) !== 0
}

/**
 * Download the binary once with Electron's own script. Returns its path, or undefined on failure. A failure
 * is remembered for a day, so that an offline machine starts at once.
 */
export async function fetchElectron(): Promise<string | undefined> {
  const last = statSync(failed, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - last < dayMs || !existsSync(join(folder, 'install.js'))) return undefined
  const download = join(cache, 'download')
  mkdirSync(download, { recursive: true })
  const fetched = await runInstaller(download)
  rmSync(download, { recursive: true, force: true })
  if (fetched) return findElectron()
  writeFileSync(failed, '')
  return undefined
}

/** A slow download may continue; a stalled one is cancelled. */
async function runInstaller(download: string): Promise<boolean> {
  const installer = spawn(process.execPath, [join(folder, 'install.js')], {
    stdio: 'ignore',
    env: { ...process.env, TMPDIR: download, TEMP: download, TMP: download },
  })
  const ended = new Promise<boolean>(resolve => {
    installer.once('error', () => resolve(false))
    installer.once('exit', code => resolve(code === 0))
  })
  let grown = { bytes: 0, at: Date.now() }
  for (;;) {
    const outcome = await Promise.race([ended, sleep(500)])
    if (outcome !== undefined) return outcome
    const bytes = (await bytesIn(download)) + (await bytesIn(join(folder, 'dist')))
    if (bytes > 0 && grown.bytes === 0) console.log('Fetching Electron, this once (about 120 MB) …')
    if (bytes !== grown.bytes) grown = { bytes, at: Date.now() }
    else if (Date.now() - grown.at > stallMs) installer.kill()
  }
}

async function bytesIn(place: string): Promise<number> {
  if (!existsSync(place)) return 0
  const names = await readdir(place, { recursive: true })
  // The installer removes its files while their sizes are read.
  const sizes = await Promise.all(
    names.map(name =>
      stat(join(place, name)).then(
        each => each.size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
