import { basename } from 'node:path'
import type { EngineChild, SpawnEngine } from '../../src/main/models/interface/engine-child.ts'
import { isToEngine, type ToEngine } from '../../src/main/models/engines/local/process/protocol.ts'

/** The model that shares a process with the encoder. */
const SMALL = 'talaria-mini.gguf'

/** Engines of which the one with the small models is started by `small`, and every other one by `others`. */
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
