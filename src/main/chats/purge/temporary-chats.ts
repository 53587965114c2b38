import type { HostHandlers } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { TEMPORARY_IDLE_MS } from '../../../shared/text/temporary-chats.ts'
import type { SessionStore } from '../../db/chats/session-tables.ts'
import type { Clock } from '../../lib/timing.ts'
import type { Purge } from './open-purge.ts'

/** How often to look for idle temporary chats, in ms. */
const CHECK_MS = 10 * 60_000

type Parts = {
  store: Pick<SessionStore, 'get' | 'temporary' | 'endTemporary'>
  purge: Pick<Purge, 'remove'>
  isRunning(sessionId: string): boolean
  now: Clock
}

type Removing = Pick<HostHandlers, 'session.remove' | 'session.changeAll'>

/** Ends temporary chats: on request, after a day without a message, and all when the host closes. */
export type TemporaryChats = {
  /** Wrap the handlers that remove chats: a temporary chat is ended instead, and cannot be restored. */
  handlers(ordinary: Removing): Removing & Pick<HostHandlers, 'session.end'>
  /** End the chats that had no message for a day and are not running. */
  endIdle(): void
  endAll(): void
}

/**
 * Open the ending of temporary chats. Each end is stored before anything is removed, so that after a crash
 * the next start finishes it. That start also ends the chats that a killed host left (`openStore`).
 */
export function openTemporaryChats({
  store,
  purge,
  isRunning,
  now,
}: Parts): TemporaryChats & { close(): void } {
  const isTemporary = (id: string) => store.get(id)?.temporary === true
  function end(ids: readonly string[]): void {
    if (ids.length === 0) return
    store.endTemporary(ids)
    purge.remove(ids)
  }
  const endIdle = () => end(store.temporary(now() - TEMPORARY_IDLE_MS).filter(id => !isRunning(id)))
  const timer = setInterval(endIdle, CHECK_MS).unref()

  return {
    handlers: ordinary => ({
      'session.end'({ id }) {
        if (!store.get(id)) throw new Fault('not_found', 'This chat no longer exists.')
        if (!isTemporary(id)) throw new Fault('bad_input', 'This chat is not temporary. Delete it instead.')
        end([id])
        return {}
      },
      'session.remove'(input, signal) {
        if (!isTemporary(input.id)) return ordinary['session.remove'](input, signal)
        end([input.id])
        return {}
      },
      async 'session.changeAll'({ ids, change }, signal) {
        const ended = 'removed' in change && change.removed ? ids.filter(isTemporary) : []
        end(ended)
        const others = ids.filter(id => !ended.includes(id))
        return others.length === 0
          ? { ids: [] }
          : ordinary['session.changeAll']({ ids: others, change }, signal)
      },
    }),
    endIdle,
    endAll: () => end(store.temporary()),
    close: () => clearInterval(timer),
  }
}
