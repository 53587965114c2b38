import { existsSync, readFileSync, watch, type FSWatcher } from 'node:fs'
import { undefinedIfMissing } from '../expected-errors.ts'
import { debounce } from '../timing.ts'

/** How long to wait after the last write, in ms: an editor writes several times for one save. */
const IDLE_MS = 300
/** Report a folder that is written to without pause after this time, in ms. */
const MAX_WAIT_MS = 3_000
/** How often to check whether a missing root exists, in ms. */
const POLL_INTERVAL_MS = 2_000
/** Maximum number of watched folders. Changes in others are seen at the next read. */
const MAX_WATCHED = 8_000
/** How many watchers to start per turn of the event loop, so that thousands of folders do not block it. */
const BATCH = 250

/**
 * Return how many folders to watch. Linux limits the watches of all programs of a user together (older
 * kernels to 8,192), so take at most a quarter of them.
 * @internal Its test gives limits that this computer does not have.
 */
export function mostWatched(limitFile = '/proc/sys/fs/inotify/max_user_watches'): number {
  try {
    const limit = Number(readFileSync(limitFile, 'utf8'))
    return limit > 0 ? Math.min(MAX_WATCHED, Math.floor(limit / 4)) : MAX_WATCHED
  } catch (error) {
    undefinedIfMissing(error)
    return MAX_WATCHED
  }
}

export type FolderWatch = {
  /**
   * Watch these folders from now on. Missing `roots` are watched once they exist. `folders` holds every
   * folder with an identity that changes if another folder takes its name.
   */
  follow(roots: readonly string[], folders: ReadonlyMap<string, string>): void
  close(): void
}

/**
 * Call `onChange` shortly after a possible change in the folders, once for many changes. If the system can
 * watch whole trees, only roots are watched. Errors are reported once per kind, and watching continues.
 */
export function watchFolders(
  onChange: () => void,
  report: (error: unknown) => void,
  platform: NodeJS.Platform = process.platform,
): FolderWatch {
  const recursive = platform === 'darwin' || platform === 'win32'
  const most = mostWatched()
  const watchers = new Map<string, { watcher: FSWatcher; identity: string }>()
  const reported = new Set<string | undefined>()
  const changed = debounce(
    () => {
      try {
        onChange()
      } catch (error) {
        // A timer calls this, and the watched folders may have changed in any way since.
        report(error)
      }
    },
    { idleMs: IDLE_MS, maxMs: MAX_WAIT_MS },
  )
  let unwatched: [folder: string, identity: string][] = []
  let missing: string[] = []
  let batch: NodeJS.Immediate | undefined
  let poll: NodeJS.Timeout | undefined
  let isClosed = false

  function watchBatch(): void {
    batch = undefined
    for (const [folder, identity] of unwatched.splice(0, BATCH)) watchOne(folder, identity)
    if (unwatched.length > 0) batch = setImmediate(watchBatch).unref()
  }

  function watchOne(folder: string, identity: string): void {
    if (watchers.has(folder) || watchers.size >= most) return
    try {
      // Saving often replaces a file by a new one of the same name, so watch folders, not files.
      const watcher = watch(folder, { persistent: false, recursive }, changed.request)
      watchers.set(folder, { watcher, identity })
      watcher.on('error', error => {
        unwatch(folder)
        reportOnce(error)
        changed.request()
      })
    } catch (error) {
      reportOnce(error)
    }
  }

  function unwatch(folder: string): void {
    watchers.get(folder)?.watcher.close()
    watchers.delete(folder)
  }

  /** A watched folder may be deleted at any time; that is not an error. */
  function reportOnce(error: unknown): void {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || reported.has(code)) return
    reported.add(code)
    report(error)
  }

  function pollForRoots(): void {
    if (missing.some(root => existsSync(root))) changed.request()
    poll = missing.length > 0 ? setTimeout(pollForRoots, POLL_INTERVAL_MS).unref() : undefined
  }

  return {
    follow(roots, folders) {
      if (isClosed) return
      missing = roots.filter(root => !existsSync(root))
      const all = recursive ? new Map([...folders].filter(([folder]) => roots.includes(folder))) : folders
      for (const [folder, { identity }] of watchers) if (all.get(folder) !== identity) unwatch(folder)
      unwatched = [...all].filter(([folder]) => !watchers.has(folder))
      if (batch === undefined) watchBatch()
      if (missing.length > 0) poll ??= setTimeout(pollForRoots, POLL_INTERVAL_MS).unref()
    },
    close() {
      isClosed = true
      changed.cancel()
      clearImmediate(batch)
      clearTimeout(poll)
      for (const folder of watchers.keys()) unwatch(folder)
    },
  }
}
