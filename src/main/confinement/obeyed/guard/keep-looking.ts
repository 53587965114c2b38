import { watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import type { ObeyedChange } from '../../../../shared/contract/chats/messages.ts'
import { debounce } from '../../../lib/timing.ts'
import type { Guard, ObeyedReport } from './create-guards.ts'
import { tellObeyed } from './tell-obeyed.ts'

/** Watches what runs on after its call. */
export type Lookout = {
  /** All that it did so far to files that programs obey. */
  changes(): readonly ObeyedChange[]
  /** Look at once. */
  look(): void
  /** Sentences about what came up since the last call, for a model. */
  news(): string[]
  /** The last look; nothing is watched afterwards. */
  end(): void
}

/** How often it is looked at least, in ms; a look that takes long is followed by a longer pause. */
const PAUSE_MS = 2_000
const SHARE = 50
/** A change of a folder is looked at once it is quiet, in ms. */
const SOON = { idleMs: 50, maxMs: 200 }
/** What makes such files again and again is ended. */
const MOST_TIMES = 5
/** Changes that are remembered. */
const MOST_CHANGES = 200

/**
 * Look at the folders of a guard every two seconds, and at once when something changes directly in them or in their git folders.
 * `found` hears that there is news, `endIt` why what is watched has to end.
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
      // It is not there, or the system watches no more folders: then it is looked at now and then.
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

  /** Nothing that a disk does may end this program. */
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
