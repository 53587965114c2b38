import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tidyUp } from '../../../../lib/processes/tidy-up.ts'

const PREFIX = 'talaria-seen-'
/** Folders older than this are left from a crashed host and are deleted at the next start, in ms. */
const OLD_MS = 15 * 60_000

/**
 * Create a folder for the browser of one thread, with its profile and its process id. This lets the owner of
 * a thread end the browser and delete its files after the thread is gone. The folder is also deleted with
 * this process.
 */
export function makeBrowserFolder(): string {
  removeOldFolders()
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  if (made.size === 0) process.once('exit', removeAll)
  made.add(folder)
  return folder
}

const made = new Set<string>()

function removeAll(): void {
  for (const folder of made) removeBrowserFolder(folder)
}

/** End the browser that works in a folder, if it still runs, and delete the folder. */
export function removeBrowserFolder(folder: string): void {
  const pid = tidyUp('a browser', () =>
    Number(readFileSync(join(folder, PID), { encoding: 'utf8', flag: 'a+' })),
  )
  if (pid !== undefined && pid > 0) killBrowser(pid)
  remove(folder)
  made.delete(folder)
}

const PID = 'pid'

/** The profile of the browser that works in a folder. */
export function profileIn(folder: string): string {
  const profile = join(folder, 'profile')
  mkdirSync(profile, { recursive: true })
  return profile
}

/** Delete the profile of a browser that has ended. */
export const removeProfileIn = (folder: string): void => remove(join(folder, 'profile'))

/** Note which process works in a folder; undefined if none does any longer. */
export const notePid = (folder: string, pid: number | undefined): void =>
  tidyUp('a browser', () => writeFileSync(join(folder, PID), String(pid ?? '')))

/** End a browser with everything that it started. */
export function killBrowser(pid: number): void {
  tidyUp('a browser', () => {
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
    } catch (error) {
      // The browser has ended because its pipes closed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  })
}

const remove = (folder: string) =>
  tidyUp('the profile of a browser', () =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  )

function removeOldFolders(): void {
  tidyUp('profiles of browsers', () => {
    for (const name of readdirSync(tmpdir())) {
      if (!name.startsWith(PREFIX)) continue
      const folder = join(tmpdir(), name)
      const { mtimeMs = Date.now() } = statSync(folder, { throwIfNoEntry: false }) ?? {}
      if (!made.has(folder) && Date.now() - mtimeMs > OLD_MS) remove(folder)
    }
  })
}
