import { contract, type HostHandlers } from '../../shared/contract/index.ts'
import type { SessionChange } from '../../shared/contract/chats/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { roomOn } from '../data/mirror-home.ts'
import { isNoRoom, systemCodeIn } from '../lib/expected-errors.ts'
import type { Host, HostOptions } from './host-types.ts'
import { DISK_FULL } from './reading-only.ts'

type Open = (options: HostOptions) => Promise<Host>

/** How often to check the disk while it is full, in ms. */
const LOOK_MS = 5_000
/** How many free bytes count as enough again: room for a turn, so that the host does not flip-flop. */
const FREE_AGAIN = 4 * 1024 * 1024
/** Methods that write elsewhere for some time and must not be interrupted. */
const WORKS = new Set(['data.export', 'data.backup', 'data.restore'])

/**
 * Open a host. If the disk is too full, open the home read-only. Such a host checks the disk regularly. Once
 * there is room it can save again, including the drafts typed in the meantime.
 */
export async function openEvenIfFull(options: HostOptions, open: Open): Promise<Host> {
  const host = await open(options).catch((error: unknown) => {
    if (!isFull(error)) throw error
    // A new home has nothing to read, and fails again with the same error.
    return open({ ...options, roomIn: () => 0 })
  })
  return host.reading?.id === DISK_FULL ? goOnWhenFree(host, options, open) : host
}

const isFull = (error: unknown) =>
  error instanceof Fault && error.code === 'not_ready' && isNoRoom(systemCodeIn(error.data))

/** A host, and how many of its answers are pending. */
type Used = { host: Host; owed: number; onDone?: () => void }

function goOnWhenFree(first: Host, options: HostOptions, open: Open): Host {
  let used: Used = { host: first, owed: 0 }
  const { home } = first
  const roomIn = options.roomIn ?? roomOn
  const drafts = new Map<string, string>()
  let swapping: Promise<void> | undefined
  let isClosed = false

  async function swap(): Promise<void> {
    // The read-only host holds no lock on the home, so the next one opens before this one closes.
    const next = await open(options)
    if (next.reading) return next.close()
    // The user may still be typing: write the newest draft last, and lose none.
    for (let [typed] = drafts; typed; [typed] = drafts) {
      const [id, draft] = typed
      drafts.delete(id)
      await Promise.resolve(
        next.handlers['session.update']({ id, draft }, new AbortController().signal),
      ).catch(next.report)
    }
    clearInterval(timer)
    const last = used
    used = { host: next, owed: 0 }
    const done = Promise.withResolvers<void>()
    last.onDone = done.resolve
    if (last.owed > 0) await done.promise
    // This ends its streams. Their followers reconnect to the next host, which does not have this notice.
    await last.host.close()
  }
  function look(): void {
    if (swapping || isClosed || used.host !== first || roomIn(home) < FREE_AGAIN) return
    swapping = swap()
      // The disk may be full again, or another process may have taken the home.
      .catch((error: unknown) => used.host.report(error))
      .finally(() => (swapping = undefined))
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()

  async function counted<T>(work: (host: Host) => Promise<T> | T): Promise<T> {
    const mine = used
    mine.owed++
    try {
      return await work(mine.host)
    } finally {
      if (--mine.owed === 0) mine.onDone?.()
    }
  }
  const callOf = (name: keyof HostHandlers) => (input: unknown, signal: AbortSignal) => {
    // Record the draft first: the next host may have taken over by the time the call returns.
    if (name === 'session.update' && used.host === first) {
      const { id, draft } = input as SessionChange & { id: string }
      if (draft !== undefined) drafts.set(id, draft)
    }
    return counted(host => Reflect.apply(host.handlers[name], undefined, [input, signal]) as unknown)
  }
  const streamOf = (name: keyof HostHandlers) =>
    async function* (input: unknown, signal: AbortSignal) {
      const from = (host: Host) =>
        Reflect.apply(host.handlers[name], undefined, [input, signal]) as AsyncIterable<unknown>
      if (!WORKS.has(name)) return yield* from(used.host)
      const mine = used
      mine.owed++
      try {
        yield* from(mine.host)
      } finally {
        if (--mine.owed === 0) mine.onDone?.()
      }
    }
  const names = Object.keys(first.handlers) as (keyof HostHandlers)[]
  const handlers = Object.fromEntries(
    names.map(name => [name, contract[name].kind === 'call' ? callOf(name) : streamOf(name)]),
  ) as unknown as HostHandlers

  return {
    home,
    handlers,
    get reading() {
      return used.host.reading
    },
    report: error => used.host.report(error),
    desktopSettings: () => used.host.desktopSettings(),
    lookAtClock() {
      look()
      used.host.lookAtClock()
    },
    receiveUpload: (...upload) => used.host.receiveUpload(...upload),
    async close() {
      isClosed = true
      clearInterval(timer)
      await swapping
      await used.host.close()
    },
  }
}
