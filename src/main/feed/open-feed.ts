import type { AppEvent } from '../../shared/contract/app.ts'
import type { Area } from '../../shared/contract/areas.ts'
import type { TableWatch } from '../db/watch-tables.ts'
import type { Broadcast } from '../lib/topic.ts'
import { areaOf } from './table-areas.ts'

/** Tells every window what changed. */
export type Feed = {
  /** Announce a change in a file, setting, process or connection. Table changes need no announcement. */
  tell(this: void, ...areas: Area[]): void
  /** Set the one listener for changed chats. */
  onSessions(this: void, listener: (ids: ReadonlySet<string>) => void): void
  close(): void
}

/** Minimum ms between two events. The first of a burst is sent immediately, the others together. */
const PACE_MS = 50

type Parts = {
  changes: TableWatch
  /** Return the chats of a project; a removed project has none. */
  chatsOf(projectId: string): readonly string[]
  events: Pick<Broadcast<AppEvent>, 'publish'>
}

/**
 * Open the feed of changes, which merges the changes of tables and of features into one event for windows.
 * Changed chats go to the listener of `onSessions`, which sends an event for each.
 */
export function openFeed({ changes, chatsOf, events }: Parts): Feed {
  let areas = new Set<Area>()
  let sessions = new Set<string>()
  let hear: (ids: ReadonlySet<string>) => void = () => undefined
  let pause: NodeJS.Timeout | undefined
  let isDue = false

  function send(): void {
    isDue = false
    pause = undefined
    if (areas.size === 0 && sessions.size === 0) return
    const changed = { areas, sessions }
    areas = new Set()
    sessions = new Set()
    pause = setTimeout(send, PACE_MS).unref()
    if (changed.sessions.size > 0) hear(changed.sessions)
    if (changed.areas.size > 0) events.publish({ type: 'changed', areas: [...changed.areas] })
  }
  function sendSoon(): void {
    if (pause || isDue) return
    isDue = true
    queueMicrotask(send)
  }
  const tell = (...told: Area[]) => {
    for (const area of told) areas.add(area)
    sendSoon()
  }
  const leave = changes.subscribe(tables => {
    const ofProjects = [...(tables.get('projects') ?? [])].flatMap(chatsOf)
    for (const id of [...(tables.get('sessions') ?? []), ...ofProjects]) sessions.add(id)
    tell(...[...tables.keys()].flatMap(areaOf))
  })

  return {
    tell,
    onSessions: listener => (hear = listener),
    close() {
      leave()
      clearTimeout(pause)
    },
  }
}
