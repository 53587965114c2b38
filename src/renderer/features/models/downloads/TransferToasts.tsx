import { useEffect, useRef, useState } from 'react'
import type { Transfer } from '../../../../shared/contract/download.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { showToast } from '../../../ui/toasts.ts'
import type { ModelsTab } from '../models-state.ts'

/** Shows one toast when a transfer completes or fails, on every page. */
export function TransferToasts({ onShow }: { onShow: (tab: ModelsTab) => void }): null {
  const transfers = useHost(host => host.transfers)
  const [openedAt] = useState(() => Date.now())
  const before = useRef(new Map<string, Transfer['state']>())
  useEffect(() => {
    for (const { id, name, state, endedAt } of transfers) {
      const was = before.current.get(id)
      // Skip transfers that ended before this window opened. A small file may end before its first event.
      const isNews = was === undefined ? (endedAt ?? 0) > openedAt : was !== state
      if (!isNews) continue
      if (state === 'done') {
        showToast(`${name} is here and can be used.`, {
          about: id,
          action: { label: 'Show', run: () => onShow('installed') },
        })
      } else if (state === 'failed') {
        showToast(`${name} could not be added.`, {
          about: id,
          level: 'error',
          action: { label: 'Show', run: () => onShow('downloads') },
        })
      }
    }
    before.current = new Map(transfers.map(({ id, state }) => [id, state]))
  }, [transfers, onShow, openedAt])
  return null
}
