import { basename } from 'node:path'
import type { EngineChild, SpawnEngine } from '../../src/main/models/interface/engine-child.ts'
import { isToEngine, type ToEngine } from '../../src/main/models/engines/local/process/protocol.ts'

/** The model that shares a process with the encoder. */
const SMALL = 'talaria-mini.gguf'

/** Start engines: `small` starts the engine with the small models, `others` all other engines. */
export const enginesByModel =
  ({ small, others }: { small: SpawnEngine; others: SpawnEngine }): SpawnEngine =>
  (...given) => {
    const exited = Promise.withResolvers<string>()
    let toHost: (message: unknown) => void = () => undefined
    let child: EngineChild | undefined
    function start(first: ToEngine): EngineChild {
      const isSmall = first.t === 'load' && basename(first.request.path) === SMALL
      const started = (isSmall ? small : others)(...given)
      started.onMessage(message => toHost(message))
      started.onExit(exited.resolve)
      return started
    }
    return {
      // The first request shows which engine it is, so say hello before it.
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
