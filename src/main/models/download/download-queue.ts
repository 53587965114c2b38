import { setTimeout as sleep } from 'node:timers/promises'
import { statfs } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { NetworkPurpose } from '../../shared/contract/network.ts'
import type { Transfer } from '../../shared/contract/transfers.ts'
import { noRoom } from './explain.ts'
import { addUp, missingBytes, type Entry, type Trouble } from './piece.ts'
import { createSpeedMeter, type SpeedMeter } from './speed.ts'
import { loadTransfers, saveTransfers } from './state-file.ts'
import type { CheckModel } from './verify.ts'
import { work } from './work.ts'

/** What transfers need of the host. */
export type QueueParts = {
  home: string
  /** The one way out; every request is written down there. */
  fetchFor: (reason: { purpose: NetworkPurpose; subject: string }) => typeof fetch
  /** Whether the offline lock is on: a download that is under way ends then. */
  locked: () => boolean
  check: CheckModel
  /** The id of the model in a file of Talaria’s folder. */
  idOf: (path: string) => string
  /** Called with the whole list, at most four times a second. */
  onChange: (transfers: Transfer[]) => void
  now: () => number
  report: (error: unknown) => void
  /** Bytes that this user may still write into a folder. */
  freeBytes?: (folder: string) => Promise<number>
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
  stallMs?: number
}

/** The transfers of a home: those that wait, move, and have ended, in the order in which they were begun. */
export type Queue = {
  readonly entries: readonly Entry[]
  add(entry: Entry): void
  /** Let it have its turn. */
  enqueue(entry: Entry): void
  /** Do it now, whatever else is under way; what went wrong is returned. */
  runNow(entry: Entry, body: Readable): Promise<Trouble | undefined>
  isActive(entry: Entry): boolean
  /** Stop it and leave it in this state. */
  stop(entry: Entry, state: Entry['state']): Promise<void>
  remove(gone: ReadonlySet<Entry>): void
  room(entry: Entry): Promise<Trouble | undefined>
  changed(): void
  view(entry: Entry): Transfer
  close(): Promise<void>
}

const sideBySide = 2
const betweenEventsMs = 250
const betweenSavesMs = 500
/** So much more than what comes in must be free. */
const margin = 1.1

/** Take up the transfers of a home; those that were interrupted wait to be resumed. */
export function openQueue(parts: QueueParts, folder: string): Queue {
  const { home, now, report } = parts
  const freeBytes = parts.freeBytes ?? freeOn
  const wait = parts.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }))
  const entries = loadTransfers(home, report)
  const active = new Map<Entry, { controller: AbortController; ended: Promise<Trouble | undefined> }>()
  const meters = new Map<Entry, SpeedMeter>()
  let closed = false
  let saving: NodeJS.Timeout | undefined
  let pause: NodeJS.Timeout | undefined
  let waiting = false

  function save() {
    clearTimeout(saving)
    saving = undefined
    try {
      saveTransfers(home, entries)
    } catch (error) {
      // A full disk must not end what is under way.
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

  function view(entry: Entry): Transfer {
    const { pieces: _pieces, catalogueId: _catalogueId, ...transfer } = entry
    if (entry.state !== 'running') return transfer
    const rate = meters.get(entry)?.rate() ?? null
    const known = rate !== null && rate > 0 && entry.totalBytes !== null
    return {
      ...transfer,
      bytesPerSecond: rate,
      secondsLeft: known ? missingBytes(entry) / rate : null,
    }
  }

  async function room(entry: Entry): Promise<Trouble | undefined> {
    addUp(entry)
    const needed = missingBytes(entry) * margin
    const others = [...active.keys()].filter(each => each !== entry)
    const promised = others.reduce((sum, each) => sum + missingBytes(each), 0)
    const free = (await freeBytes(folder)) - promised
    return needed > free ? noRoom(entry.name, needed, free) : undefined
  }

  function start(entry: Entry, body?: Readable): Promise<Trouble | undefined> {
    const controller = new AbortController()
    const meter = createSpeedMeter(now)
    meters.set(entry, meter)
    Object.assign(entry, { state: 'running', error: '', fix: '', note: '', endedAt: null })
    const around = {
      folder,
      fetch: parts.fetchFor({ purpose: 'download', subject: entry.name }),
      locked: parts.locked,
      now,
      wait,
      stallMs: parts.stallMs ?? 60_000,
      check: parts.check,
      idOf: parts.idOf,
      room: () => room(entry),
      onMove() {
        addUp(entry)
        meter.note(entry.doneBytes)
        moved()
      },
      onNote(text: string) {
        entry.note = text
        moved()
      },
      onSafe() {
        saving ??= setTimeout(save, betweenSavesMs).unref()
      },
    }
    const ended = finish(entry, work(entry, around, controller.signal, body), controller.signal)
    active.set(entry, { controller, ended })
    changed()
    return ended
  }

  async function finish(entry: Entry, working: Promise<Trouble | undefined>, signal: AbortSignal) {
    let trouble: Trouble | undefined
    try {
      trouble = await working
    } catch (error) {
      trouble = unexpected
      if (!signal.aborted) report(error)
    }
    // Whoever stops a transfer says in which state it is left, unless it was done by then.
    if (!trouble || !signal.aborted)
      Object.assign(entry, trouble ? failed(trouble) : { state: 'done' }, { note: '', endedAt: now() })
    addUp(entry)
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
      Object.assign(entry, { state: 'waiting', error: '', fix: '', note: '', endedAt: null })
      changed()
      pump()
    },
    runNow: start,
    isActive: entry => active.has(entry),
    async stop(entry, state) {
      const running = active.get(entry)
      running?.controller.abort()
      await running?.ended
      if (entry.state !== 'done') Object.assign(entry, { state, note: '' })
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
      // Without transfers nothing has changed since the last save, and the disk would hold up every command that ends.
      if (entries.length > 0) save()
    },
  }
}

const failed = ({ text, fix }: Trouble) => ({ state: 'failed' as const, error: text, fix })

const unexpected: Trouble = {
  text: 'Something unexpected happened.',
  fix: 'Resume to try again. The log says more.',
}

async function freeOn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
