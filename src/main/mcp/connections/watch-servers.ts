import type { CommandConfinement } from '../../confinement/sandbox-setting.ts'
import { keepLooking, type Lookout } from '../../confinement/obeyed/guard/keep-looking.ts'
import type { ProgramStart, StdioTransport } from '../transport/stdio-transport.ts'

/** Maximum number of sentences about one server that wait for the next result. */
const MOST_UNTOLD = 20

/**
 * Watch how running servers change obeyed files. Such files are moved aside, and reported in the server's log
 * and with its next result. `key` names a server in one folder of chats, so that no chat learns about
 * another's folder.
 */
export function watchServers(commands: CommandConfinement, changed: () => void) {
  const untold = new Map<string, string[]>()
  const lookouts = new Map<string, Lookout>()

  return {
    watch(made: StdioTransport, { written = [], confined }: ProgramStart, key: string, name: string): void {
      const access = confined
        ? ({ profile: 'work', network: false, obeyed: 'nothing' } as const)
        : 'unconfined'
      const guard = commands.guards?.guardFolder(written, { sessionId: `mcp-${name}`, access, lasts: true })
      const lookout =
        guard &&
        keepLooking(guard, {
          found() {
            const news = lookout!.news()
            for (const line of news) made.note(line)
            untold.set(key, [...(untold.get(key) ?? []), ...news].slice(-MOST_UNTOLD))
            changed()
          },
          endIt: made.endFor,
        })
      if (lookout) lookouts.set(key, lookout)
      void made.ended.then(() => {
        lookout?.end()
        confined?.cleanUp()
        if (lookouts.get(key) === lookout) lookouts.delete(key)
      })
    },
    /** Take the sentences for a model about changes since the last call. */
    take(key: string): string[] {
      lookouts.get(key)?.look()
      const news = untold.get(key) ?? []
      untold.delete(key)
      return news
    },
  }
}
