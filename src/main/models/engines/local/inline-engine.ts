import type { EngineChild } from '../../host-types.ts'
import type { EnginePort } from './serve-engine.ts'

const patienceMs = 5_000

/**
 * The engine inside this process, for machines where it cannot have its own. It behaves like a child: it says hello,
 * and it exits when it is killed and has given its memory back.
 */
export function startInlineEngine(): EngineChild {
  let toHost: ((message: unknown) => void) | undefined
  let toEngine: ((message: unknown) => void) | undefined
  const exited = Promise.withResolvers<string>()
  const port: EnginePort = {
    post: message => toHost?.(message),
    onMessage: listener => (toEngine = listener),
  }
  // Loaded only now, because with an engine of its own the main process never needs it.
  const engine = import('./serve-engine.ts').then(({ serveEngine }) => serveEngine(port))
  engine.catch((error: unknown) => exited.resolve(error instanceof Error ? error.message : String(error)))
  let isKilled = false
  return {
    // Later, as through a pipe: whoever posts does not expect an answer before it goes on.
    post: message => setImmediate(() => isKilled || toEngine?.(message)),
    onMessage: listener => (toHost = listener),
    onExit: listener => void exited.promise.then(listener),
    kill() {
      if (isKilled) return
      isKilled = true
      // Native work that does not stop is left behind, so that whoever waits for the end can go on.
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
