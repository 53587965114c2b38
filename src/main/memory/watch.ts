import { existsSync, readdirSync, watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'

/** An editor writes several times when it saves once; this long after the last time it is done, in milliseconds. */
const QUIET_MS = 300

/** How often a folder that is not there is looked for, in milliseconds. */
const LOOK_MS = 2_000

/**
 * Call `onChange` some time after a file of the notebook of a home folder may have changed, whoever changed it. A folder
 * that is missing or goes away is waited for. What goes wrong is reported and ends nothing but this looking.
 */
export function watchMemory(
  home: string,
  onChange: () => void,
  report: (error: unknown) => void,
): { close(): void } {
  const root = join(home, 'memories')
  let watchers: FSWatcher[] = []
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const told = new Set<string | undefined>()

  /** Folders are watched and not files, because a file that is saved is often a new one under the old name. */
  function arm(): void {
    disarm()
    for (const folder of foldersIn(root)) {
      try {
        const watcher = watch(folder, { persistent: false }, () => settleIn(QUIET_MS))
        watcher.on('error', error => {
          reportOnce(error)
          settleIn(LOOK_MS)
        })
        watchers.push(watcher)
      } catch (error) {
        reportOnce(error)
      }
    }
    if (watchers.length === 0) settleIn(LOOK_MS)
  }

  function disarm(): void {
    for (const watcher of watchers) watcher.close()
    watchers = []
  }

  /** A folder that goes while it is watched is nothing to tell; what keeps failing is told once. */
  function reportOnce(error: unknown): void {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || told.has(code)) return
    told.add(code)
    report(error)
  }

  function settleIn(ms: number): void {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(settle, ms).unref()
  }

  /** Look anew which folders there are, and only then at what is in them, so that nothing falls between. */
  function settle(): void {
    const wasMissing = watchers.length === 0
    arm()
    if (wasMissing && watchers.length === 0) return
    try {
      onChange()
    } catch (error) {
      report(error)
    }
  }

  arm()
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      disarm()
    },
  }
}

/** The folders that hold files of the notebook, as far as there are any. */
function foldersIn(root: string): string[] {
  if (!existsSync(root)) return []
  const projects = join(root, 'projects')
  return [root, ...(existsSync(projects) ? [projects, ...subfoldersOf(projects)] : [])]
}

function subfoldersOf(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(each => each.isDirectory())
      .map(each => join(folder, each.name))
  } catch {
    // It went, or cannot be read; then nothing in it can be watched either.
    return []
  }
}
