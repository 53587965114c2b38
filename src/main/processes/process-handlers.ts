import type { HostHandlers } from '../../shared/contract/index.ts'
import type { BackgroundProcess } from '../../shared/contract/runs/processes.ts'
import { Fault } from '../../shared/rpc.ts'
import { createBroadcast } from '../lib/topic.ts'
import type { Background } from './background-process.ts'
import type { Processes } from './open-processes.ts'

/** List, follow and stop background processes. `titleOf` gives the title of a chat. */
export function processHandlers(processes: Processes, titleOf: (sessionId: string) => string) {
  function found(id: string): Background {
    const background = processes.get(id)
    if (!background) throw new Fault('not_found', `The background process ${id} no longer exists.`)
    return background
  }
  function described(background: Background): BackgroundProcess {
    const facts = background.facts()
    return { ...facts, chat: titleOf(facts.sessionId) }
  }

  return {
    'process.list': () => ({ processes: processes.list().map(described) }),
    async *'process.watch'({ id, follow }, signal) {
      const background = found(id)
      const { output } = background
      const news = createBroadcast<void>()
      const leave = background.changes.subscribe(() => news.publish())
      try {
        let position = 0
        const next = () => {
          const part = output.since(position)
          position = output.end
          return { ...part, process: described(background) }
        }
        // Listen first, so that nothing is missed.
        await using changes = news.listen(signal)
        yield next()
        if (!follow || background.facts().endedAt !== null) return
        for await (const _change of changes) {
          yield next()
          if (background.facts().endedAt !== null) return
        }
      } finally {
        leave()
      }
    },
    async 'process.stop'({ id }) {
      const background = found(id)
      await background.stop()
      return described(background)
    },
  } satisfies Partial<HostHandlers>
}
