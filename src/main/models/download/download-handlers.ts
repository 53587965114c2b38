import type { HostHandlers } from '../../../shared/contract/index.ts'
import type { Downloads } from './open-downloads.ts'

/** Model files that come in, and the catalogue. */
export function downloadHandlers({ transfers }: { transfers: Downloads }) {
  return {
    'catalogue.list': () => transfers.catalogue(),
    'download.list': () => ({ transfers: transfers.list() }),
    'download.start': wish => transfers.download(wish),
    'download.copy': input => transfers.copy(input),
    'download.upload': input => transfers.upload(input),
    'download.pause': ({ id }) => transfers.pause(id),
    'download.resume': ({ id }) => transfers.resume(id),
    async 'download.cancel'({ id }) {
      await transfers.cancel(id)
      return {}
    },
    'download.clear'() {
      transfers.clear()
      return {}
    },
  } satisfies Partial<HostHandlers>
}
