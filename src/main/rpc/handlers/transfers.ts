import type { HostHandlers } from '../../../shared/contract/index.ts'
import type { Transfers } from '../../transfers/open-transfers.ts'

/** Model files that come in, and the catalogue. */
export function transfersHandlers({ transfers }: { transfers: Transfers }) {
  return {
    'catalogue.list': () => transfers.catalogue(),
    'transfer.list': () => ({ transfers: transfers.list() }),
    'transfer.download': wish => transfers.download(wish),
    'transfer.copy': input => transfers.copy(input),
    'transfer.upload': input => transfers.upload(input),
    'transfer.pause': ({ id }) => transfers.pause(id),
    'transfer.resume': ({ id }) => transfers.resume(id),
    async 'transfer.cancel'({ id }) {
      await transfers.cancel(id)
      return {}
    },
    'transfer.clear'() {
      transfers.clear()
      return {}
    },
  } satisfies Partial<HostHandlers>
}
