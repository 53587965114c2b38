import type { HostHandlers } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { TEMPORARY_IDLE_MS } from '../../../shared/text/temporary-chats.ts'
import type { SessionStore } from '../../db/chats/session-tables.ts'
import type { Clock } from '../../lib/timing.ts'
import type { Purge } from './open-purge.ts'

/** How often to look for temporary chats in which nothing was said for long, in ms. */
const CHECK_MS = 10 * 60_000

type Parts = {
  store: Pick<SessionStore, 'get' | 'temporary' | 'endTemporary'>
  purge: Pick<Purge, 'remove'>
  isRunning(sessionId: string): boolean
  now: Clock
}

type Removing = Pick<HostHandlers, 'session.remove' | 'session.changeAll'>

/** Ends temporary chats: when somebody asks, after a day without a message, and all of them when the host closes. */
export type TemporaryChats = {
  /** How chats end and are removed, given how ordinary ones are: a temporary one that is removed cannot be restored. */
  handlers(ordinary: Removing): Removing & Pick<HostHandlers, 'session.end'>
  /** End those in which nothing was said for a day and that do nothing now. */
  endIdle(): void
  endAll(): void
}

/**
 * Open the ends of temporary chats. Each end is stored before anything of the chat goes, so that a crash is finished at the next
 * start, where chats that a killed host left are ended too (`openStore`).
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
