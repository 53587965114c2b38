/** Keeps chats from overwriting each other’s work in the same files. Knows about tools, not commands. */
export type FileWriters = {
  /** Note that a run starts, which counts as knowing all earlier writes. */
  begin(sessionId: string): void
  /** Note that a chat has read a file. */
  read(sessionId: string, path: string): void
  /** Write to a file while no one else does. Refuses if another chat wrote to it since this one read it. */
  write<T>(
    sessionId: string,
    path: string,
    work: () => Promise<T>,
    isDone: (result: T) => boolean,
  ): Promise<T | { refused: string }>
}

/** How many files and chats are remembered; the oldest are forgotten first. */
const MOST_FILES = 10_000
const MOST_CHATS = 200

/** `nameOf` returns the title of a chat, as the user knows it. */
export function createFileWriters(nameOf: (sessionId: string) => string): FileWriters {
  /** Counts writes, so that their order is known without a clock. */
  let count = 0
  const written = new Map<string, { by: string; at: number }>()
  const known = new Map<string, { since: number; files: Map<string, number> }>()
  const busy = new Map<string, Promise<unknown>>()

  function chatOf(sessionId: string) {
    const chat = known.get(sessionId) ?? { since: count, files: new Map<string, number>() }
    known.delete(sessionId)
    known.set(sessionId, chat)
    forgetOldest(known, MOST_CHATS)
    return chat
  }
  function saw(sessionId: string, path: string): void {
    const { files } = chatOf(sessionId)
    files.delete(path)
    files.set(path, count)
    forgetOldest(files, MOST_FILES)
  }
  function whyNot(sessionId: string, path: string): string | undefined {
    const last = written.get(path)
    if (!last || last.by === sessionId) return undefined
    const { since, files } = chatOf(sessionId)
    if (last.at <= (files.get(path) ?? since)) return undefined
    const name = nameOf(last.by) || 'another chat'
    return `“${name}” has changed this file since you read it. Read it again, and make your change to what is there now.`
  }

  return {
    begin: sessionId => void chatOf(sessionId),
    read: saw,
    async write(sessionId, path, work, isDone) {
      const before = busy.get(path) ?? Promise.resolve()
      const mine = before.then(async () => {
        const refused = whyNot(sessionId, path)
        if (refused !== undefined) return { refused }
        const result = await work()
        if (isDone(result)) {
          written.delete(path)
          written.set(path, { by: sessionId, at: ++count })
          forgetOldest(written, MOST_FILES)
          saw(sessionId, path)
        }
        return result
      })
      const settled = mine.catch(() => undefined)
      busy.set(path, settled)
      void settled.then(() => {
        if (busy.get(path) === settled) busy.delete(path)
      })
      return await mine
    },
  }
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  while (map.size > most) map.delete(map.keys().next().value!)
}
