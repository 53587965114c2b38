import { keptName } from '../../../../shared/text/temporary-chats.ts'
import type { LocalEngines } from './local-engine.ts'

/**
 * Local engines in which a temporary chat that was kept has the name of an ordinary one. An engine is a process that knows no more
 * of a chat than its id, and saves nothing of one whose id says that it began as a temporary chat. `isKept` is asked for the id
 * of such a chat before each request.
 */
export function nameKept(engines: LocalEngines, isKept: (sessionId: string) => boolean): LocalEngines {
  return {
    ...engines,
    get state() {
      return engines.state
    },
    engine(...given) {
      const engine = engines.engine(...given)
      return {
        ...engine,
        complete: (prompt, signal) =>
          engine.complete({ ...prompt, sessionId: keptName(prompt.sessionId, isKept) }, signal),
      }
    },
    async forget(sessionId) {
      await engines.forget(sessionId)
      // What it read before it was kept has its first name.
      const kept = sessionId === undefined ? undefined : keptName(sessionId, () => true)
      if (kept !== sessionId) await engines.forget(kept)
    },
  }
}
