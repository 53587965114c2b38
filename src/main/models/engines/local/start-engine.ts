import { fork } from 'node:child_process'
import type { SpawnEngine, EngineChild } from '../../../app/host-types.ts'
import type { EnginePort } from './serve-engine.ts'

/**
 * Start the engine as a child process of plain Node. Its output is discarded, because our own output may be data for
 * another program.
 */
export const forkEngine: SpawnEngine = (script, env, switches) => {
  const child = fork(script, [], {
    env,
    execArgv: switches,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = Promise.withResolvers<string>()
  child.once('exit', (code, signal) => ended.resolve(signal ?? String(code)))
  child.on('error', error => ended.resolve(error.message))
  return {
    // Messages to a dying process get lost. Its exit event follows soon enough.
    post: message => void (child.connected && child.send(message as object, () => undefined)),
    onMessage: listener => child.on('message', listener),
    onExit: listener => void ended.promise.then(listener),
    kill: () => child.kill('SIGKILL'),
  }
}

const patienceMs = 5_000

/**
 * The engine inside this process, for machines where it cannot have its own. It behaves like a child process: it says
 * hello, and after `kill` it exits once its memory is freed.
 */
export function startInlineEngine(): EngineChild {
  let toHost: ((message: unknown) => void) | undefined
  let toEngine: ((message: unknown) => void) | undefined
  const exited = Promise.withResolvers<string>()
  const port: EnginePort = {
    post: message => toHost?.(message),
    onMessage: listener => (toEngine = listener),
  }
  // Imported lazily: with a separate engine process, the main process never needs it.
  const engine = import('./serve-engine.ts').then(({ serveEngine }) => serveEngine(port))
  engine.catch((error: unknown) => exited.resolve(error instanceof Error ? error.message : String(error)))
  let isKilled = false
  return {
    // Asynchronous like a pipe: a sender does not expect an answer before it continues.
    post: message => setImmediate(() => isKilled || toEngine?.(message)),
    onMessage: listener => (toHost = listener),
    onExit: listener => void exited.promise.then(listener),
    kill() {
      if (isKilled) return
      isKilled = true
      // Abandon native work that does not stop, so that callers waiting for the exit can go on.
      setTimeout(() => exited.resolve('0'), patienceMs).unref()
      void engine
        .then(engine => engine.close())
        .then(
          () => exited.resolve('0'),
          (error: unknown) => exited.resolve(String(error)),
        )
    },
  }
}
