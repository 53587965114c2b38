import { watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import type { ObeyedChange } from '../../../../shared/contract/chats/messages.ts'
import { debounce } from '../../../lib/timing.ts'
import type { Guard, ObeyedReport } from './create-guards.ts'
import { tellObeyed } from './tell-obeyed.ts'

/** Watches a program that keeps running after its call. */
export type Lookout = {
  /** All its changes of obeyed files so far. */
  changes(): readonly ObeyedChange[]
  /** Check now. */
  look(): void
  /** Sentences for a model about the changes since the last call. */
  news(): string[]
  /** Do the last check, and stop watching. */
  end(): void
}

/** Minimum pause between two checks, in ms; after a slow check, `SHARE` times its duration. */
const PAUSE_MS = 2_000
const SHARE = 50
/** How soon to check after a change of a folder, in ms. */
const SOON = { idleMs: 50, maxMs: 200 }
/** A program that creates obeyed files more often than this is ended. */
const MOST_TIMES = 5
/** Maximum number of changes that are remembered. */
const MOST_CHANGES = 200

/**
 * Check the folders of a guard every two seconds, and soon after a change directly in them or in their git
 * folders. `found` is called if there is news, `endIt` with the reason if the program must be ended.
 */
export function keepLooking(guard: Guard, tell: { found(): void; endIt(why: string): void }): Lookout {
  const changes: ObeyedChange[] = []
  const untold: string[] = []
  let times = 0
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const soon = debounce(look, SOON)
  const watchers = guard.folders
    .flatMap(folder => [folder, join(folder, '.git'), join(folder, '.git/hooks')])
    .flatMap(startWatching)

  function startWatching(folder: string): FSWatcher[] {
    try {
      const watcher = watch(folder, { persistent: false }, () => soon.request())
      watcher.on('error', () => watcher.close())
      return [watcher]
    } catch {
      // The folder is missing or cannot be watched, so only the regular checks cover it.
      return []
    }
  }

  function take(report: ObeyedReport): void {
    if (report.changes.length === 0) return
    changes.push(...report.changes)
    changes.splice(0, changes.length - MOST_CHANGES)
    untold.push(...tellObeyed(report))
    if (report.aside.length > 0) untold.push(`It lies in ${report.aside.map(({ at }) => at).join(', ')}.`)
    untold.splice(0, untold.length - MOST_CHANGES)
    if (report.aside.length > 0) times++
    tell.found()
    if (times > MOST_TIMES && !isOver)
      tell.endIt('it made files again and again that programs obey without being asked')
  }

  /** Do a check. No error of the disk may end this program. */
  function attempt(work: () => ObeyedReport): void {
    try {
      take(work())
    } catch {
      untold.push('What it did to files that programs obey could not be looked at.')
    }
  }

  function look(): void {
    if (isOver) return
    clearTimeout(timer)
    const startedAt = performance.now()
    attempt(guard.look)
    const pause = Math.max(PAUSE_MS, SHARE * (performance.now() - startedAt))
    if (!isOver) timer = setTimeout(look, pause).unref()
  }

  timer = setTimeout(look, PAUSE_MS).unref()
  return {
    changes: () => changes,
    look,
    news: () => untold.splice(0),
    end() {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      soon.cancel()
      for (const watcher of watchers) watcher.close()
      attempt(guard.end)
    },
  }
}
