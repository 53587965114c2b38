import { app, utilityProcess, type Details } from 'electron'
import type { SpawnEngine } from '../../models/interface/engine-child.ts'

const limits = {
  /** How long to wait after `kill()` (SIGTERM), which native code may not react to. */
  politeMs: 3_000,
  /** How long to wait after SIGKILL, which a hanging driver can delay. Callers continue after that. */
  forcedMs: 3_000,
  /** How long to wait for the reason after the exit; their order is not documented. */
  reasonMs: 1_000,
}

let started = 0

/**
 * Start the engine in a utility process, silently as under plain Node. Call this after `ready`. An exit code
 * alone does not say why a process ended, so `onExit` gives the reason of `child-process-gone`. After our own
 * `kill()` any code is normal.
 */
export const spawnEngine: SpawnEngine = (script, env, switches) => {
  // The event on `app` identifies a process only by this name.
  const name = `Talaria engine ${++started}`
  const child = utilityProcess.fork(script, [], {
    env,
    execArgv: switches,
    serviceName: name,
    stdio: 'ignore',
  })
  const ended = Promise.withResolvers<string>()
  let reason: string | undefined
  let isKilled = false
  let hasExited = false

  const onGone = (_event: unknown, details: Details) => {
    if (details.name !== name) return
    reason ??= details.reason
    // A process that never started has no exit event.
    if (hasExited || reason === 'launch-failed') ended.resolve(reason)
  }
  app.on('child-process-gone', onGone)
  // Without a listener, an `error` event would be thrown in this process.
  child.on('error', (type, location) => (reason = `${type} in ${location}`))
  child.once('exit', code => {
    hasExited = true
    if (isKilled || code === 0) ended.resolve('0')
    else if (reason !== undefined) ended.resolve(reason)
    else setTimeout(() => ended.resolve(`exit code ${code}`), limits.reasonMs).unref()
  })
  void ended.promise.then(() => app.off('child-process-gone', onGone))

  return {
    // Messages to a dead process get lost, as under plain Node.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
    post: message => void (hasExited || child.postMessage(message)),
    onMessage: listener => child.on('message', listener),
    onExit: listener => void ended.promise.then(listener),
    kill() {
      if (isKilled || hasExited) return
      isKilled = true
      child.kill()
      void afterwards(ended.promise, limits.politeMs, () => {
        if (child.pid !== undefined) killForCertain(child.pid)
        void afterwards(ended.promise, limits.forcedMs, () => ended.resolve('0'))
      })
    },
  }
}

/** Run `act` if `promise` is still pending after a time in ms. */
async function afterwards(promise: Promise<unknown>, ms: number, act: () => void): Promise<void> {
  const timer = setTimeout(act, ms)
  await promise
  clearTimeout(timer)
}

function killForCertain(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has just ended; its exit event follows.
  }
}
