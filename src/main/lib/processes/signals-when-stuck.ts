import { Worker } from 'node:worker_threads'
import { tidyUp } from './tidy-up.ts'

/** Between two signs of life, in ms. */
const BEAT_MS = 500
/**
 * A process is stuck after this much processor time without a sign of life, in ms. One that only waits for its turn on a busy
 * computer is not: if its handlers were taken away then, a signal that had just come would be lost.
 */
const STUCK_MS = 1_000
/** Short commands never pay for the thread, in ms. */
const START_MS = 1_000
const RELEASE = 'talaria.releaseSignals'

/**
 * Asks the stuck main thread, as a debugger does, to let go of its signals: V8 runs that between two steps of any loop. It
 * opens no port.
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
 * Handlers of signals run in the event loop, so a process that stands still in one long step would take SIGTERM and do nothing.
 * While this lasts, such a process gets back what the system does with signals, which ends it, until it moves again.
 */
export function releaseSignalsWhenStuck(signals: readonly NodeJS.Signals[]): Disposable {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const released = new Map<NodeJS.Signals, NodeJS.SignalsListener[]>()
  let watcher: Worker | undefined

  /** It is called within whatever the process is doing, and touches nothing but its signals. */
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
