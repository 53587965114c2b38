import { Worker } from 'node:worker_threads'
import { tidyUp } from './tidy-up.ts'

/** Time between two heartbeats, in ms. */
const BEAT_MS = 500
/**
 * A process is stuck after this much processor time without a heartbeat, in ms. A process that only waits for
 * its turn on a busy computer is not: without its handlers, a signal that had just arrived would be lost.
 */
const STUCK_MS = 1_000
/** How long to wait before starting the thread, in ms, so that short commands never pay for it. */
const START_MS = 1_000
const RELEASE = 'talaria.releaseSignals'

/**
 * Asks the stuck main thread, like a debugger, to release its signal handlers: V8 runs that between two steps
 * of any loop. It opens no port.
 */
const WATCHER = `
const { Session } = require('node:inspector')
const { workerData: { beats, ms, release } } = require('node:worker_threads')
let seen = -1
let asked = -1
let usedBefore = 0
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1_000 }
setInterval(() => {
  const now = Atomics.load(beats, 0)
  if (now !== seen) {
    usedBefore = used()
  } else if (asked !== now && used() - usedBefore >= ms) {
    asked = now
    const session = new Session()
    session.connectToMainThread()
    session.post('Runtime.evaluate', { expression: 'globalThis[Symbol.for("' + release + '")]?.()' }, () => session.disconnect())
  }
  seen = now
}, ms / 2)
`

/**
 * Let a stuck process be ended by signals. Signal handlers run in the event loop, so a process blocked in one
 * long step would swallow SIGTERM. While it is blocked, it gets the system's default handling, which ends it.
 */
export function releaseSignalsWhenStuck(signals: readonly NodeJS.Signals[]): Disposable {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const released = new Map<NodeJS.Signals, NodeJS.SignalsListener[]>()
  let watcher: Worker | undefined

  /** Runs in the middle of whatever the process is doing, so it touches nothing but signals. */
  function release(): void {
    for (const signal of signals) {
      const listeners = process.rawListeners(signal) as NodeJS.SignalsListener[]
      if (listeners.length === 0) continue
      released.set(signal, listeners)
      process.removeAllListeners(signal)
    }
  }
  function takeBack(): void {
    for (const [signal, listeners] of released) for (const each of listeners) process.on(signal, each)
    released.clear()
  }

  const beat = setInterval(() => {
    Atomics.add(beats, 0, 1)
    if (released.size > 0) takeBack()
  }, BEAT_MS).unref()
  const start = setTimeout(
    () =>
      tidyUp('watch for a host that stands still', () => {
        watcher = new Worker(WATCHER, {
          eval: true,
          workerData: { beats, ms: STUCK_MS, release: RELEASE },
          execArgv: [],
        })
        watcher.on('error', () => undefined)
        watcher.unref()
      }),
    START_MS,
  ).unref()
  Object.assign(globalThis, { [Symbol.for(RELEASE)]: release })
  return {
    [Symbol.dispose]() {
      clearInterval(beat)
      clearTimeout(start)
      takeBack()
      Reflect.deleteProperty(globalThis, Symbol.for(RELEASE))
      void watcher?.terminate()
    },
  }
}
