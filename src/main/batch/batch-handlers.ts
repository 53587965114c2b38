import type { HostHandlers } from '../../shared/contract/index.ts'
import type { Batches } from './open-batches.ts'

/** What windows and terminals call about batches. */
export const batchHandlers = (batches: Batches) =>
  ({
    'batch.look': batches.look,
    'batch.start': batches.start,
    'batch.watch': ({ id }, signal) => batches.watch(id, signal),
    async 'batch.pause'({ id }) {
      await batches.pause(id)
      return {}
    },
    'batch.resume': ({ id }) => batches.resume(id),
    'batch.watchList': (_, signal) => batches.watchList(signal),
    'batch.list': () => ({ batches: batches.list() }),
  }) satisfies Partial<HostHandlers>
