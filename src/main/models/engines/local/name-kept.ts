import { keptName } from '../../../../shared/text/temporary-chats.ts'
import type { LocalEngines } from './local-engine.ts'

/**
 * Wrap local engines, so that a temporary chat that the user kept gets the id of an ordinary chat. An engine
 * knows only the id of a chat, and saves nothing for ids of temporary chats. `isKept` is asked about the id
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
      // Tokens read before the chat was kept belong to its first id.
      const kept = sessionId === undefined ? undefined : keptName(sessionId, () => true)
      if (kept !== sessionId) await engines.forget(kept)
    },
  }
}
