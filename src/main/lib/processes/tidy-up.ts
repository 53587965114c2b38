import { createTopic } from '../topic.ts'

/** Failures of cleaning up: published once per kind, since a child process can cause them at will. */
export const untidied = createTopic<{ what: string; error: unknown }>()

const told = new Set<string>()

/**
 * Run a step of cleaning up after a child process, or of reading what it left. Such steps run in timers and
 * events, where an exception would end the host with all its chats, and a child may replace its files by
 * anything. Exceptions are therefore only published, and the result is undefined.
 */
export function tidyUp<T>(what: string, step: () => T): T | undefined {
  try {
    return step()
  } catch (error) {
    tell(what, error)
    return undefined
  }
}

/** Do the same for asynchronous work. Never rejects. */
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
    // A full disk may prevent logging, which must not end the host either.
  }
}
