import type { HostHandlers } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { Store } from '../../db/store.ts'
import type { createEdits } from './edit-schedules.ts'
import type { Scheduler } from './open-schedules.ts'

type Parts = {
  store: Pick<Store, 'schedules'>
  edits: ReturnType<typeof createEdits>
  scheduler: Pick<Scheduler, 'run' | 'stop'>
  /** Restore the files that a chat changed. Resolves to those that could not be restored, with reasons. */
  undoFiles(this: void, sessionId: string, obeyed: boolean): Promise<{ kept: string[]; held: string[] }>
  zone(this: void): string
  now(this: void): number
  changed(this: void): void
}

/** Handlers for schedules, for windows and terminals. */
export function scheduleHandlers({ store, edits, scheduler, undoFiles, zone, now, changed }: Parts) {
  const shown = (row: ReturnType<typeof edits.found>) => {
    changed()
    return edits.show(row)
  }
  return {
    'schedule.parse': ({ text, zone: inZone }) => edits.parse(text, inZone),
    'schedule.list': () => ({ schedules: store.schedules.list().map(edits.show), zone: zone() }),
    'schedule.get': ({ id }) => edits.show(edits.found(id)),
    'schedule.add': async wanted => shown(await edits.add(wanted)),
    'schedule.update': async ({ id, ...wanted }) => shown(await edits.change(id, wanted)),
    'schedule.pause': ({ id }) => shown(edits.pause(id)),
    'schedule.resume': ({ id, seen }) => shown(edits.resume(edits.asSeen(id, seen).id)),
    'schedule.copy': ({ id }) => shown(edits.copy(id)),
    'schedule.run': ({ id, seen, trial }) =>
      edits.shownRun(scheduler.run(edits.asSeen(id, seen).id, trial ? 'trial' : 'now')),
    'schedule.stop'({ id }) {
      edits.found(id)
      scheduler.stop(id, 'stopped')
      return {}
    },
    'schedule.removeGrant': ({ id, grantId }) => shown(edits.removeGrant(id, grantId)),
    'schedule.remove'({ id }) {
      edits.found(id)
      scheduler.stop(id, 'removed')
      store.schedules.remove(id, now())
      changed()
      return {}
    },
    'schedule.restore'({ id }) {
      if (!store.schedules.restore(id)) throw new Fault('not_found', 'This schedule no longer exists.')
      // Runs missed while it was removed are not caught up.
      const row = edits.found(id)
      return shown(row.paused === null ? edits.resume(id) : row)
    },
    'schedule.history'({ id, before, limit }) {
      edits.found(id)
      const runs = store.schedules.history(id, { before, limit: limit + 1 })
      return { runs: runs.slice(0, limit).map(edits.shownRun), more: runs.length > limit }
    },
    'schedule.chats': () => ({ schedules: store.schedules.chats() }),
    async 'schedule.undo'({ runId, obeyed }) {
      const run = store.schedules.run(runId)
      if (!run) throw new Fault('not_found', 'This run is no longer in the history.')
      if (run.state === 'running' || run.state === 'claimed')
        throw new Fault('busy', 'This run has not ended. Stop it first.')
      const { kept, held } =
        run.sessionId === null ? { kept: [], held: [] } : await undoFiles(run.sessionId, obeyed)
      changed()
      return { run: edits.shownRun(run), kept, held }
    },
  } satisfies Partial<HostHandlers>
}
