import { useEffect, useRef, useState } from 'react'
import type { Transfer } from '../../../../shared/contract/transfers.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { showToast } from '../../../ui/toasts.ts'
import type { ModelsTab } from '../models-state.ts'
import { pageText } from '../page-strings.ts'

const text = pageText.downloads

/** Says in the corner when a file has come or could not, once each, wherever the person is by then. */
export function TransferToasts({ onShow }: { onShow: (tab: ModelsTab) => void }): null {
  const transfers = useHost(host => host.transfers)
  const [openedAt] = useState(() => Date.now())
  const before = useRef(new Map<string, Transfer['state']>())
  useEffect(() => {
    for (const { id, name, state, endedAt } of transfers) {
      const was = before.current.get(id)
      // What was over when this window opened is no news; what is small may come before anybody heard of it.
      const isNews = was === undefined ? (endedAt ?? 0) > openedAt : was !== state
      if (!isNews) continue
      if (state === 'done') {
        showToast(text.arrived(name), {
          about: id,
          action: { label: text.show, run: () => onShow('installed') },
        })
      } else if (state === 'failed') {
        showToast(text.broke(name), {
          about: id,
          level: 'error',
          action: { label: text.show, run: () => onShow('downloads') },
        })
      }
    }
    before.current = new Map(transfers.map(({ id, state }) => [id, state]))
  }, [transfers, onShow, openedAt])
  return null
}
