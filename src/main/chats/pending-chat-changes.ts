/** Changes of chat settings that are in progress. */
export type PendingChatChanges = ReturnType<typeof createPendingChanges>

/**
 * Track changes of chat settings, so that code which depends on them can wait. A window shows its change
 * before the host has made it, so the user may send a message in between.
 */
export function createPendingChanges() {
  const open = new Map<string, Promise<unknown>>()
  return {
    /** Track a change of a chat until it ends. */
    during<T>(id: string, change: Promise<T>): Promise<T> {
      const all = Promise.allSettled([open.get(id), change])
      open.set(id, all)
      void all.then(() => open.get(id) === all && open.delete(id))
      return change
    },
    /** Resolve once the changes in progress for a chat are made or refused. Never rejects. */
    ended: async (id: string): Promise<void> => void (await open.get(id)),
  }
}
