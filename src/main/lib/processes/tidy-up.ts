import { createTopic } from '../topic.ts'

/** What could not be cleaned up: published once for each kind of trouble, since a child process can cause it at will. */
export const untidied = createTopic<{ what: string; error: unknown }>()

const told = new Set<string>()

/**
 * Do a step of cleaning up after a child process, or of reading what it left. Such steps run in timers and in events, where
 * what is thrown would end the host with all its chats, and a child may put anything in the place of its files. So whatever
 * this throws is only published; the result is then undefined.
 */
export function tidyUp<T>(what: string, step: () => T): T | undefined {
  try {
    return step()
  } catch (error) {
    tell(what, error)
    return undefined
  }
}

/** The same for work that takes time. It never rejects. */
export async function tidyUpLater<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    tell(what, error)
    return undefined
  }
}

function tell(what: string, error: unknown): void {
  const { code = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  const kind = `${what} ${code}`
  if (told.has(kind)) return
  told.add(kind)
  try {
    untidied.publish({ what, error })
  } catch {
    // A full disk may keep the log from writing it, which must not end the host either.
  }
}
