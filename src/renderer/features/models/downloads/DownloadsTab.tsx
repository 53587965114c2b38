import type { ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { useModelsPage } from '../models-context.ts'
import { orderTransfers } from '../models-state.ts'
import { pageText } from '../page-strings.ts'
import { useActions } from '../use-actions.ts'
import { TransferRow } from './TransferRow.tsx'

const text = pageText.downloads

/** Everything that comes in or came in, each with how it stands. */
export function DownloadsTab(): ReactNode {
  const transfers = useHost(host => host.transfers)
  const { show } = useModelsPage()
  const { clear } = useActions()
  if (transfers.length === 0) {
    return (
      <div className="grid justify-items-start gap-3 text-sm text-ink-2">
        <p>{text.empty}</p>
        <button type="button" className="btn btn-secondary" onClick={() => show('discover')}>
          {pageText.list.seeDiscover}
        </button>
      </div>
    )
  }
  const isOver = transfers.some(({ state }) => state === 'done')
  return (
    <>
      <ul aria-label={text.label} className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {orderTransfers(transfers).map(transfer => (
          <TransferRow key={transfer.id} transfer={transfer} />
        ))}
      </ul>
      {isOver && (
        <button type="button" className="btn btn-quiet mt-3" onClick={() => void clear()}>
          {text.clear}
        </button>
      )}
    </>
  )
}
