import type { ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { useModelsPage } from '../models-context.ts'
import { orderTransfers } from '../models-state.ts'
import { useModelActions } from '../use-model-actions.ts'
import { TransferRow } from './TransferRow.tsx'

/** All current and past transfers with their state. */
export function DownloadsTab(): ReactNode {
  const transfers = useHost(host => host.transfers)
  const { show } = useModelsPage()
  const { clear } = useModelActions()
  if (transfers.length === 0) {
    return (
      <div className="grid justify-items-start gap-3 text-sm text-ink-2">
        <p>No downloads yet.</p>
        <button type="button" className="btn btn-secondary" onClick={() => show('discover')}>
          Find a model
        </button>
      </div>
    )
  }
  const isOver = transfers.some(({ state }) => state === 'done')
  return (
    <>
      <ul aria-label="Downloads" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {orderTransfers(transfers).map(transfer => (
          <TransferRow key={transfer.id} transfer={transfer} />
        ))}
      </ul>
      {isOver && (
        <button type="button" className="btn btn-quiet mt-3" onClick={() => void clear()}>
          Clear finished
        </button>
      )}
    </>
  )
}
