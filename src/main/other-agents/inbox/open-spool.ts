import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { reasonOf } from '../../lib/expected-errors.ts'
import type { Unremoved } from '../../lib/removal/unremoved.ts'
import { letOthersRun } from '../../lib/timing.ts'
import type { ForeignStore } from '../../db/learning/foreign-tables.ts'
import { openThread, type Thread } from '../../threads/start-thread.ts'
import { entryPath } from '../../lib/disk/shipped-files.ts'
import { countLosses } from './count-losses.ts'
import type { SpoolPosition } from './read-lines.ts'
import { listSpool, removeFile, takeFile, type SpoolFile } from './spool-files.ts'
import { sessionId, SPOOL } from './spool-names.ts'
import { readSpool, type SpoolBatch, type SpoolJob } from './read-spool.ts'

type Parts = {
  home: string
  store: Pick<ForeignStore, 'add' | 'keep' | 'prune' | 'forget'>
  /** Return whether the user allows learning from a program's sessions. */
  allows(agent: string): boolean
  /** Whether to read the spool in the background. False for terminal commands, which end too soon. */
  isCarried: boolean
  /** Called after events were stored. */
  onChange(): void
  now(): number
  /** Write a line to the log. */
  remark(text: string): void
  report(error: unknown): void
  limits?: Partial<Limits>
}

type Limits = {
  /** When to read the spool first, and the interval after that, in ms. */
  firstMs: number
  everyMs: number
  /** How long to keep a taken file after reading it, in ms: a program may still append to it. */
  graceMs: number
  /** How long to wait for the end of an incomplete last line, in ms. */
  cutMs: number
  /** Maximum bytes of the spool, and of all stored sessions. */
  spoolBytes: number
  storeBytes: number
  storeMs: number
}

const LIMITS: Limits = {
  firstMs: 2_000,
  everyMs: 25_000,
  graceMs: 10_000,
  cutMs: 60 * 60_000,
  spoolBytes: 50_000_000,
  storeBytes: 50_000_000,
  storeMs: 90 * 24 * 60 * 60_000,
}
/** How far in the future an event may be dated, in ms, in case a program's clock is wrong. */
const AHEAD_MS = 24 * 60 * 60_000
/** How often to remove sessions that are too old while no events arrive, in ms. */
const PRUNE_MS = 60 * 60_000
/**
 * How many bytes to read in the host itself, and how much at a time: starting a thread takes longer.
 * Redacting a line takes up to 15 ms per 100 kB, so longer files are read in a thread.
 */
const SHORT_BYTES = 64_000
const SLICE = { events: 20, chars: 20_000 }
/** Maximum memory of the reading thread, in MB. */
const THREAD_MB = 256

/** How far a taken file was read, since when it is known, and the waiting bytes of its last line. */
type Progress = { position: SpoolPosition; since: number; cut: number }

/** The database cannot store events: the file stays, and reading continues from there next time. */
class NotStored extends Error {}

/** The spool, to which scripts inside other programs write events. */
export type Spool = {
  /** Read the spool now. Never rejects, unless it is closed. */
  readNow(): Promise<void>
  /** Store waiting events, and remove those with one of these texts. Resolves to unreadable files. */
  forget(texts: readonly string[]): Promise<Unremoved[]>
  /** Return what went wrong with a program's events, as a sentence; empty if nothing did. */
  noteOf(agent: string): string
  close(): Promise<void>
}

/**
 * Read the spool regularly into the store, and delete what was read. A file is taken by renaming it, so
 * programs then append to a new one. It is deleted once everything in it is stored. A crash at any moment
 * therefore loses nothing: the file is read again, and the ids of its events prevent duplicates.
 */
export function openSpool(parts: Parts): Spool {
  const { home, store, allows, onChange, now, remark, report } = parts
  const limits = { ...LIMITS, ...parts.limits }
  const folder = join(home, SPOOL)
  const closing = new AbortController()
  const { signal } = closing
  const losses = countLosses(remark)
  const known = new Map<string, Progress>()
  let last: Promise<unknown> = Promise.resolve()
  let lastTrouble = ''
  let prunedAt = 0
  /** Whether something was stored that a power cut may still lose. */
  let isUnsure = false

  /** Run jobs one at a time. */
  function afterOthers<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }

  async function readAll(options: { isFinal: boolean }): Promise<void> {
    const { files, strange } = await listSpool(folder)
    for (const path of strange) losses.tellOnce(path, 'it is a link, no file, or belongs to another user')
    const allowed = new Set([...new Set(files.map(({ agent }) => agent))].filter(allows))
    const wanted = files.filter(({ agent }) => allowed.has(agent))
    for (const file of files) if (!allowed.has(file.agent)) await dropUnread(file)
    dropOverflow(wanted)
    const present = new Set<string>()
    const thread = openThread<SpoolBatch>(entryPath('spool-thread'), { memoryMb: THREAD_MB })
    let added = 0
    try {
      for (const file of wanted) {
        signal.throwIfAborted()
        const taken = file.isTaken ? file : await takeFile(file, now())
        if (!taken) continue
        present.add(taken.path)
        move(file.path, taken.path)
        if (!isRead(taken)) added += await readFile(taken, thread)
        await finishFile(taken, options)
      }
    } finally {
      await thread.close()
      if (added > 0) onChange()
    }
    for (const path of known.keys()) if (!present.has(path)) known.delete(path)
    await pruneStore(added > 0)
  }

  /** Delete the unread file of a program that is switched off. */
  async function dropUnread(file: SpoolFile): Promise<void> {
    known.delete(file.path)
    if (await removeFile(file)) losses.add(file.agent, { unread: 1 })
  }

  /** Skip events beyond the spool's limit, oldest first: whole files, and the beginning of the last one. */
  function dropOverflow(files: readonly SpoolFile[]): void {
    let left = limits.spoolBytes
    for (const file of files.toSorted((a, b) => b.at - a.at)) {
      const { position, since = performance.now() } = known.get(file.path) ?? {}
      const unread = file.size - (position?.offset ?? 0)
      const over = unread - left
      left = Math.max(0, left - unread)
      if (over <= 0) continue
      losses.add(file.agent, { overflow: over })
      // A skipped file is still taken first, so that lines appended in the meantime are kept.
      const offset = file.size - unread + over
      known.set(file.path, { position: { offset, isInside: offset < file.size }, since, cut: 0 })
    }
    losses.tellOverflow()
  }

  /** Read a taken file. A failure does not block the others. */
  async function readFile(file: SpoolFile, thread: Thread<SpoolBatch>): Promise<number> {
    try {
      return await storeFile(file, thread)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof NotStored) throw error.cause
      report(error)
      losses.tellOnce(file.path, 'reading it failed')
      return 0
    }
  }

  /** Store the events of a file, batch by batch. Returns how many were new. */
  async function storeFile(file: SpoolFile, thread: Thread<SpoolBatch>): Promise<number> {
    const { agent, path } = file
    const progress = known.get(path)!
    const id = sessionId(agent, file.session)
    const job: SpoolJob = { path, session: id, from: progress.position }
    let added = 0
    const isShort = file.size - progress.position.offset <= SHORT_BYTES
    const batches = isShort ? readSpool(job, SLICE, () => signal.throwIfAborted()) : thread.run(job, signal)
    for await (const { events, to, lost, cut, failed, ...named } of batches) {
      // The user may have switched it off in the meantime.
      if (!allows(agent)) return added
      const latest = now() + AHEAD_MS
      for (const { event } of events) if (event.at <= 0 || event.at > latest) event.at = now()
      if (failed !== undefined && failed !== 'ENOENT') losses.tellOnce(path, reasonOf(failed))
      try {
        added += store.add({ id, agent, isImported: false, ...named }, events)
        isUnsure ||= events.length > 0
      } catch (error) {
        throw new NotStored('', { cause: error })
      }
      Object.assign(progress, { position: to, cut })
      losses.add(agent, lost)
      await letOthersRun()
    }
    return added
  }

  const startOf = (): Progress => ({
    position: { offset: 0, isInside: false },
    since: performance.now(),
    cut: 0,
  })

  function move(from: string, to: string): void {
    const progress = known.get(from)
    known.delete(from)
    known.set(to, progress ?? known.get(to) ?? startOf())
  }

  function isRead({ path, size }: SpoolFile): boolean {
    const { position, cut } = known.get(path)!
    return position.offset + cut === size
  }

  /** Delete a file once everything in it is stored and nothing is appended to it. */
  async function finishFile(file: SpoolFile, { isFinal }: { isFinal: boolean }): Promise<void> {
    const { position, since, cut } = known.get(file.path)!
    const isOld = now() - file.at > limits.cutMs
    const mayGo = isFinal || (performance.now() - since >= limits.graceMs && (cut === 0 || isOld))
    if (!mayGo) return
    // One fsync for everything read so far, because each may block the host.
    if (isUnsure) store.keep()
    isUnsure = false
    if (!(await removeFile(file, position.offset + cut))) return
    known.delete(file.path)
    if (cut > 0) losses.add(file.agent, { refused: 1 })
  }

  async function pruneStore(hasGrown: boolean): Promise<void> {
    if (!hasGrown && now() - prunedAt < PRUNE_MS) return
    prunedAt = now()
    const bounds = { mostBytes: limits.storeBytes, before: now() - limits.storeMs }
    while (!store.prune(bounds)) {
      await letOthersRun()
      signal.throwIfAborted()
    }
  }

  /** Run one round. The same trouble is reported only once, because a full disk stays full for long. */
  async function readRound(options = { isFinal: false }): Promise<Error | undefined> {
    try {
      await readAll(options)
      lastTrouble = ''
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      const trouble = error instanceof Error ? error : new Error(String(error))
      if (trouble.message !== lastTrouble) report(error)
      lastTrouble = trouble.message
      return trouble
    }
  }

  async function readByItself(): Promise<void> {
    await sleep(limits.firstMs, undefined, { signal, ref: false })
    for (;;) {
      await afterOthers(readRound)
      await sleep(limits.everyMs, undefined, { signal, ref: false })
    }
  }
  if (parts.isCarried) readByItself().catch(error => signal.aborted || report(error))

  return {
    readNow: () => afterOthers(async () => void (await readRound())),
    forget: texts =>
      afterOthers(async () => {
        const trouble = await readRound({ isFinal: true })
        store.forget(texts)
        return trouble ? [{ path: folder, why: 'what other programs wrote there could not be read' }] : []
      }),
    noteOf: losses.noteOf,
    async close() {
      closing.abort()
      await last
    },
  }
}
