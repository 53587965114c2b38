import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptBackup } from '../../../shared/contract/data.ts'
import { Fault } from '../../../shared/rpc.ts'
import { backupFolder, fileTime } from '../../lib/disk/durable-files.ts'
import type { Clock } from '../../lib/timing.ts'

/** How many daily backups to keep. */
const KEPT = 7
const PREFIX = 'daily-'
const NAME = /^daily-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.zip$/
const DAY_MS = 24 * 60 * 60 * 1_000
/** The first check is late enough not to slow down the launch. */
const FIRST_MS = 2 * 60_000
const EVERY_MS = 15 * 60_000

const KINDS: readonly (readonly [RegExp, KeptBackup['kind']])[] = [
  [NAME, 'daily'],
  [/^state-v/, 'update'],
  [/^damaged-/, 'damaged'],
  [/^config-/, 'settings'],
]

/** List the files in the backups folder, newest first, without unfinished ones. */
export function listBackups(home: string): KeptBackup[] {
  const folder = backupFolder(home)
  return readdirSync(folder)
    .filter(name => !name.endsWith('.part'))
    .flatMap(name => {
      const path = join(folder, name)
      const stats = statSync(path, { throwIfNoEntry: false })
      if (!stats?.isFile()) return []
      const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
      return [{ name, path, kind, at: madeAt(name) ?? stats.mtimeMs, bytes: stats.size }]
    })
    .toSorted((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
}

/** Return when a daily backup was made, by its name: removing a deleted chat makes the file newer. */
function madeAt(name: string): number | undefined {
  const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? []
  return second === undefined ? undefined : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

type Parts = {
  home: string
  now: Clock
  /** Whether the user wants daily backups, and there is something to lose. */
  isWanted: () => boolean
  /** Write a backup to a new file. Throws a Fault. */
  write: (target: string, signal: AbortSignal) => Promise<void>
  /** Called with a text if a backup failed, and with undefined once one was made. */
  onTrouble: (text: string | undefined) => void
  report: (error: unknown) => void
}

/** Makes one backup a day while Talaria runs. */
export type DailyBackups = {
  /** Make a backup now if the last is a day old. */
  look(): Promise<void>
  close(): Promise<void>
}

/** Start making daily backups, keeping the newest seven. Removes unfinished ones left by a crash. */
export function createDailyBackups({ home, now, isWanted, write, onTrouble, report }: Parts): DailyBackups {
  const closing = new AbortController()
  let making: Promise<void> | undefined

  const dailyBackups = () => listBackups(home).filter(({ kind }) => kind === 'daily')

  // After a clock was set back, a backup may be dated in the future.
  const isDue = () => !dailyBackups().some(({ at }) => at <= now() && now() - at < DAY_MS)

  async function make(): Promise<void> {
    const folder = backupFolder(home)
    try {
      await write(join(folder, `${PREFIX}${fileTime(now())}.zip`), closing.signal)
      for (const { path } of dailyBackups().slice(KEPT)) rmSync(path)
      onTrouble(undefined)
    } catch (error) {
      if (closing.signal.aborted) return
      if (!(error instanceof Fault)) report(error)
      onTrouble(error instanceof Fault ? error.message : 'Something went wrong; the log has the details.')
    }
  }

  async function look(): Promise<void> {
    if (making || closing.signal.aborted || !isWanted() || !isDue()) return
    making = make().finally(() => (making = undefined))
    await making
  }

  removeUnfinished(home)
  const first = setTimeout(() => void look().catch(report), FIRST_MS).unref()
  const timer = setInterval(() => void look().catch(report), EVERY_MS).unref()
  return {
    look,
    async close() {
      clearTimeout(first)
      clearInterval(timer)
      closing.abort(new Fault('cancelled', 'Talaria is closing.'))
      await making
    },
  }
}

/** Remove unfinished backups left by a crash. Only at the start, because later some may be in progress. */
function removeUnfinished(home: string): void {
  const folder = backupFolder(home)
  for (const name of readdirSync(folder))
    if (name.startsWith(PREFIX) && name.endsWith('.part')) rmSync(join(folder, name), { force: true })
}
