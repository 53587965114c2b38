/** Changes of the settings of chats that are being made. */
export type PendingChatChanges = ReturnType<typeof createPendingChanges>

/**
 * Lets what depends on the settings of a chat wait for changes of them. A window shows its change before the host has made it, so its
 * person may send a message in between.
 */
export function createPendingChanges() {
  const open = new Map<string, Promise<unknown>>()
  return {
    /** Note a change of a chat until it has ended. */
    during<T>(id: string, change: Promise<T>): Promise<T> {
      const all = Promise.allSettled([open.get(id), change])
      open.set(id, all)
      void all.then(() => open.get(id) === all && open.delete(id))
      return change
    },
    /** Resolves once the changes that were being made of a chat are made or refused. Never rejects. */
    ended: async (id: string): Promise<void> => void (await open.get(id)),
  }
}
