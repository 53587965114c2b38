import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import type { Clock } from '../../../lib/timing.ts'
import { isWithin } from '../../../confinement/profile.ts'
import { openProcesses } from '../../../processes/open-processes.ts'
import { processHandlers } from '../../../processes/process-handlers.ts'

type Needs = { store: Pick<Store, 'sessions'>; feed: Pick<Feed, 'tell'>; now: Clock }

/** Background processes of all chats. They end with their chat and with the host. */
export function processesFeature({ store, feed, now }: Needs) {
  const running = openProcesses({ now })
  running.changes.subscribe(() => feed.tell('process'))
  return {
    running,
    endChat: running.endChat,
    /** Return the command of a process running in a folder, above or below it; undefined if none does. */
    runningIn: (place: string): string | undefined =>
      running
        .list()
        .map(each => each.facts())
        .find(
          ({ state, folder }) => state === 'running' && (isWithin(place, folder) || isWithin(folder, place)),
        )?.command,
    handlers: processHandlers(running, id => store.sessions.get(id)?.title ?? ''),
    close: running.close,
  }
}
