import { existsSync, watch, type FSWatcher } from 'node:fs'
import { inBursts } from './bursts.ts'

/** An editor writes several times when it saves once; so long after the last time it is done, in milliseconds. */
const QUIET_MS = 300
/** A folder that is written to without end is looked at all the same. */
const MOST_MS = 3_000
/** How often a root that is not there is looked for. */
const LOOK_MS = 2_000
/** Systems allow only so many; what lies beyond is seen when somebody looks. */
const MOST_WATCHED = 8_000
/** So many are begun at once, so that nobody waits for thousands. */
const PIECE = 250

export type FolderWatch = {
  /** What is to be watched from now on: folders of roots, and all folders there are with what tells each from a new one of its name. */
  follow(roots: readonly string[], folders: ReadonlyMap<string, string>): void
  close(): void
}

/**
 * Call `onChange` some time after something in the folders may have changed, once for many changes. Where the system
 * watches whole trees only the roots are watched. What goes wrong is reported once of each kind and ends nothing else.
 */
export function watchFolders(
  onChange: () => void,
  report: (error: unknown) => void,
  platform: NodeJS.Platform = process.platform,
): FolderWatch {
  const recursive = platform === 'darwin' || platform === 'win32'
  const watchers = new Map<string, { watcher: FSWatcher; identity: string }>()
  const told = new Set<string | undefined>()
  const burst = inBursts(onChange, { quiet: QUIET_MS, most: MOST_MS })
  let wanted: [folder: string, identity: string][] = []
  let missing: string[] = []
  let piece: NodeJS.Immediate | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function begin(): void {
    piece = undefined
    for (const [folder, identity] of wanted.splice(0, PIECE)) watchOne(folder, identity)
    if (wanted.length > 0) piece = setImmediate(begin).unref()
  }

  function watchOne(folder: string, identity: string): void {
    if (watchers.has(folder) || watchers.size >= MOST_WATCHED) return
    try {
      const watcher = watch(folder, { persistent: false, recursive }, () => burst.wish())
      watchers.set(folder, { watcher, identity })
      watcher.on('error', error => {
        drop(folder)
        reportOnce(error)
        burst.wish()
      })
    } catch (error) {
      reportOnce(error)
    }
  }

  function drop(folder: string): void {
    watchers.get(folder)?.watcher.close()
    watchers.delete(folder)
  }

  /** A folder that goes while it is watched is nothing to tell. */
  function reportOnce(error: unknown): void {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || told.has(code)) return
    told.add(code)
    report(error)
  }

  function lookForRoots(): void {
    if (missing.some(root => existsSync(root))) burst.wish()
    timer = missing.length > 0 ? setTimeout(lookForRoots, LOOK_MS).unref() : undefined
  }

  return {
    follow(roots, folders) {
      if (isClosed) return
      missing = roots.filter(root => !existsSync(root))
      const all = recursive ? new Map([...folders].filter(([folder]) => roots.includes(folder))) : folders
      for (const [folder, { identity }] of watchers) if (all.get(folder) !== identity) drop(folder)
      wanted = [...all].filter(([folder]) => !watchers.has(folder))
      if (wanted.length > 0) piece ??= setImmediate(begin).unref()
      if (missing.length > 0) timer ??= setTimeout(lookForRoots, LOOK_MS).unref()
    },
    close() {
      isClosed = true
      burst.end()
      clearImmediate(piece)
      clearTimeout(timer)
      for (const folder of watchers.keys()) drop(folder)
    },
  }
}
