import { basename } from 'node:path'
import type { EngineChild, SpawnEngine } from '../../src/main/app/host-types.ts'
import { isToEngine, type ToEngine } from '../../src/main/models/engines/local/protocol.ts'
import { forkEngine } from '../../src/main/models/engines/local/start-engine.ts'

/** The model that is real; it shares its process with the encoder. */
const REAL = 'talaria-mini.gguf'

/**
 * Engines of which that of the small models is a real process, and every other one is what `scripted` starts. `onReal` hears of each real
 * one.
 */
export const besideReal =
  (scripted: SpawnEngine, onReal: (child: EngineChild) => void = () => undefined): SpawnEngine =>
  (...given) => {
    const exited = Promise.withResolvers<string>()
    let toHost: (message: unknown) => void = () => undefined
    let child: EngineChild | undefined
    function start(first: ToEngine): EngineChild {
      const isReal = first.t === 'load' && basename(first.request.path) === REAL
      const started = isReal ? forkEngine(...given) : scripted(...given)
      started.onMessage(message => toHost(message))
      started.onExit(exited.resolve)
      if (isReal) onReal(started)
      return started
    }
    return {
      // Which one it is shows in the first question, so it says hello before there is one.
      onMessage(listener) {
        toHost = listener
        setImmediate(() => listener({ t: 'hello' }))
      },
      post(message) {
        if (!isToEngine(message)) return
        child ??= start(message)
        child.post(message)
      },
      onExit: listener => void exited.promise.then(listener),
      kill: () => (child ? child.kill() : exited.resolve('0')),
    }
  }
