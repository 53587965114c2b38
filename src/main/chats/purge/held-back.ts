import type { UnremovedChat } from '../../../shared/contract/session.ts'
import type { Unremoved } from '../../lib/removal/unremoved.ts'

/** What is left of chats, until it is tried again. In memory only: names of files may be words of a chat. */
type HeldBack = {
  add(sessionId: string, left: readonly Unremoved[]): void
  has(sessionId: string): boolean
  /** Let these chats be tried again, or all. Whether there were any. */
  release(ids?: readonly string[]): boolean
  /** What is left, with when each chat was deleted. */
  list(deletedAt: ReadonlyMap<string, number>): UnremovedChat[]
}

/** Stands for what was deleted before version 9, which left its bytes in the database. */
export const EARLIER = 'earlier'

/** Keep what cannot be removed until it is tried again. */
export function createHeldBack(): HeldBack {
  const all = new Map<string, Unremoved[]>()
  return {
    add(sessionId, left) {
      const before = all.get(sessionId) ?? []
      const fresh = left.filter(({ path }) => !before.some(each => each.path === path))
      all.set(sessionId, [...before, ...fresh])
    },
    has: sessionId => all.has(sessionId),
    release(ids = [...all.keys()]) {
      return ids.filter(id => all.delete(id)).length > 0
    },
    list: deletedAt => [...all].map(([id, files]) => ({ id, deletedAt: deletedAt.get(id) ?? null, files })),
  }
}
