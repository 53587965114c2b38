import { setTimeout as sleep } from 'node:timers/promises'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { NetworkPurpose } from '../../../shared/contract/connections/network.ts'
import type { Transfer } from '../../../shared/contract/models/download.ts'
import { Fault } from '../../../shared/rpc.ts'
import { notEnoughDisk } from './explain-failure.ts'
import {
  updateTotals,
  missingBytes,
  type DownloadEntry,
  type DownloadProblem,
  loadDownloads,
  saveDownloads,
} from './download-entry.ts'
import { type CheckModel, runDownload } from './run-download.ts'
import type { Hub } from './hub.ts'
import { findHere, type KnownFile } from './find-here.ts'
import type { WantedFile } from './fetch-file.ts'
import type { ReadExtent } from './take-body.ts'
import { createSpeedMeter, type SpeedMeter } from './speed-meter.ts'

/** The dependencies of downloads. */
export type QueueParts = {
  home: string
  /** The only way to the network. Every request is recorded in its ledger. */
  fetchFor: (reason: { purpose: NetworkPurpose; subject: string }) => typeof fetch
  /** Whether the offline lock is on. A running download then stops. */
  locked: () => boolean
  check: CheckModel
  readExtent: ReadExtent
  /** The hub’s mirror and token; by default there are none. */
  hub?: Hub
  /** The files of the installed models, in any folder. */
  known: () => Promise<readonly KnownFile[]>
  /** Return the id of the model in a file of Talaria’s folder. */
  idOf: (path: string) => string
  /** Return the current id for an id that was written when this home folder was elsewhere. */
  idNow?: (id: string) => string
  /** Called with the whole list, at most four times a second. */
  onChange: (transfers: Transfer[]) => void
  now: () => number
  report: (error: unknown) => void
  /** Return how many bytes this user may still write into a folder. */
  freeBytes?: (folder: string) => Promise<number>
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
  stallMs?: number
}

/** The downloads of a home folder: waiting, running and finished, in the order in which they were started. */
type DownloadQueue = {
  readonly entries: readonly DownloadEntry[]
  add(entry: DownloadEntry): void
  /** Put a download that has stopped back into the queue. */
  enqueue(entry: DownloadEntry): void
  /** Retry now, if the download waits after a failed attempt. */
  retryNow(entry: DownloadEntry): void
  /** Run now, beside those that are running. Returns the problem, if any. */
  runNow(entry: DownloadEntry, body: Readable): Promise<DownloadProblem | undefined>
  isActive(entry: DownloadEntry): boolean
  /** Stop a download and leave it in this state. */
  stop(entry: DownloadEntry, state: DownloadEntry['state']): Promise<void>
  remove(gone: ReadonlySet<DownloadEntry>): void
  room(entry: DownloadEntry): Promise<DownloadProblem | undefined>
  changed(): void
  view(entry: DownloadEntry): Transfer
  close(): Promise<void>
}

const sideBySide = 2
const betweenEventsMs = 250
const betweenSavesMs = 500
/** Required free disk space, as a multiple of the bytes to come. */
const margin = 1.1

/** Load the downloads of a home folder. Interrupted downloads wait to be resumed. */
export function openDownloadQueue(parts: QueueParts & { hub: Hub }, folder: string): DownloadQueue {
  const { home, now, report, hub } = parts
  const freeBytes = parts.freeBytes ?? freeOn
  const wait = parts.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }))
  const { idNow = (id: string) => id } = parts
  const entries = loadDownloads(home, report).map(entry => ({
    ...entry,
    modelId: entry.modelId === null ? null : idNow(entry.modelId),
  }))
  const active = new Map<
    DownloadEntry,
    { controller: AbortController; ended: Promise<DownloadProblem | undefined> }
  >()
  const meters = new Map<DownloadEntry, SpeedMeter>()
  /** Ends the pause before the next attempt of a download. */
  const impatience = new Map<DownloadEntry, AbortController>()
  const known = async () => (await parts.known()).map(({ path }) => path)
  let closed = false
  let saving: NodeJS.Timeout | undefined
  let pause: NodeJS.Timeout | undefined
  let waiting = false

  function save() {
    clearTimeout(saving)
    saving = undefined
    try {
      saveDownloads(home, entries)
    } catch (error) {
      // A full disk must not stop running downloads.
      report(error)
    }
  }

  function tell() {
    waiting = false
    parts.onChange(entries.map(view))
    pause = setTimeout(() => {
      pause = undefined
      if (waiting) tell()
    }, betweenEventsMs)
    pause.unref()
  }

  function moved() {
    if (pause || closed) waiting = true
    else tell()
  }

  function changed() {
    save()
    moved()
  }

  function view(entry: DownloadEntry): Transfer {
    const { pieces: _pieces, catalogueId: _catalogueId, again: _again, ...transfer } = entry
    if (entry.state !== 'running') return transfer
    const rate = meters.get(entry)?.rate() ?? null
    const known = rate !== null && rate > 0 && entry.totalBytes !== null
    return {
      ...transfer,
      bytesPerSecond: rate,
      secondsLeft: known ? missingBytes(entry) / rate : null,
    }
  }

  async function room(entry: DownloadEntry): Promise<DownloadProblem | undefined> {
    updateTotals(entry)
    const needed = missingBytes(entry) * margin
    const others = [...active.keys()].filter(each => each !== entry)
    const promised = others.reduce((sum, each) => sum + missingBytes(each), 0)
    const free = (await freeBytes(folder)) - promised
    return needed > free ? notEnoughDisk(entry.name, needed, free) : undefined
  }

  /** Describe the route of an address. The download itself reports a mirror that is invalid. */
  function describeRoute(address: string): string {
    try {
      return hub.describeRoute(address)
    } catch (error) {
      if (error instanceof Fault) return ''
      throw error
    }
  }

  function start(entry: DownloadEntry, body?: Readable): Promise<DownloadProblem | undefined> {
    const controller = new AbortController()
    const meter = createSpeedMeter(now)
    meters.set(entry, meter)
    Object.assign(entry, { state: 'running', error: '', fix: '', note: '', retryAt: null, endedAt: null })
    const fetch = parts.fetchFor({
      purpose: 'download',
      subject: entry.name + (entry.kind === 'download' ? describeRoute(entry.from) : ''),
    })
    const around = {
      folder,
      hub,
      fetch,
      readExtent: parts.readExtent,
      known,
      async findHere(wanted: WantedFile, signal: AbortSignal) {
        if (entry.again || entry.pieces.length > 1) return undefined
        const paths = [...(await known()), join(folder, wanted.name)]
        const path = await findHere(wanted, paths, { fetch, hub }, signal)
        // A damaged file is no reason not to download a whole one.
        return path !== undefined && (await parts.check(path)) === undefined ? path : undefined
      },
      locked: parts.locked,
      now,
      async wait(ms: number, signal: AbortSignal) {
        const now = new AbortController()
        impatience.set(entry, now)
        try {
          await wait(ms, AbortSignal.any([signal, now.signal]))
        } catch (error) {
          if (signal.aborted || !now.signal.aborted) throw error
        } finally {
          impatience.delete(entry)
        }
      },
      stallMs: parts.stallMs ?? 60_000,
      check: parts.check,
      idOf: parts.idOf,
      room: () => room(entry),
      onMove() {
        updateTotals(entry)
        meter.note(entry.doneBytes)
        moved()
      },
      onNote(text: string, retryAt?: number) {
        Object.assign(entry, { note: text, retryAt: retryAt ?? null })
        moved()
      },
      onSafe() {
        saving ??= setTimeout(save, betweenSavesMs).unref()
      },
    }
    const ended = finish(entry, runDownload(entry, around, controller.signal, body), controller.signal)
    active.set(entry, { controller, ended })
    changed()
    return ended
  }

  async function finish(
    entry: DownloadEntry,
    working: Promise<DownloadProblem | undefined>,
    signal: AbortSignal,
  ) {
    let trouble: DownloadProblem | undefined
    try {
      trouble = await working
    } catch (error) {
      trouble = error instanceof Fault ? { text: error.message, fix: 'Correct it, then resume.' } : unexpected
      if (!signal.aborted && !(error instanceof Fault)) report(error)
    }
    // The caller of `stop` sets the final state, unless the download was done first.
    if (!trouble || !signal.aborted)
      Object.assign(entry, trouble ? failed(trouble) : { state: 'done' }, {
        note: '',
        retryAt: null,
        endedAt: now(),
      })
    updateTotals(entry)
    active.delete(entry)
    meters.delete(entry)
    changed()
    pump()
    return trouble
  }

  function pump() {
    if (closed) return
    const moving = () => [...active.keys()].filter(entry => entry.kind !== 'upload').length
    for (const entry of entries)
      if (moving() < sideBySide && entry.state === 'waiting' && entry.kind !== 'upload') void start(entry)
  }

  return {
    entries,
    add(entry) {
      entries.push(entry)
      changed()
      pump()
    },
    enqueue(entry) {
      Object.assign(entry, { state: 'waiting', error: '', fix: '', note: '', retryAt: null, endedAt: null })
      changed()
      pump()
    },
    retryNow: entry => impatience.get(entry)?.abort(),
    runNow: start,
    isActive: entry => active.has(entry),
    async stop(entry, state) {
      const running = active.get(entry)
      running?.controller.abort()
      await running?.ended
      if (entry.state !== 'done') Object.assign(entry, { state, note: '', retryAt: null })
      changed()
    },
    remove(gone) {
      entries.splice(0, entries.length, ...entries.filter(entry => !gone.has(entry)))
      changed()
    },
    room,
    changed,
    view,
    async close() {
      closed = true
      for (const { controller } of active.values()) controller.abort()
      await Promise.all([...active.values()].map(({ ended }) => ended))
      clearTimeout(pause)
      // Without downloads there is nothing to save, and writing would delay the exit of every command.
      if (entries.length > 0) save()
    },
  }
}

const failed = ({ text, fix }: DownloadProblem) => ({ state: 'failed' as const, error: text, fix })

const unexpected: DownloadProblem = {
  text: 'Something unexpected happened.',
  fix: 'Resume to try again. The log says more.',
}

async function freeOn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
