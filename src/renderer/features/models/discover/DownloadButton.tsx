import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CatalogueFile, CatalogueModel } from '../../../../shared/contract/transfers.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { comingFrom } from '../models-state.ts'
import { useModelsPage } from '../models-context.ts'
import { pageText } from '../page-strings.ts'
import { useActions } from '../use-actions.ts'

const text = pageText.discover

type Props = { model: CatalogueModel; file: CatalogueFile; primary?: boolean }

/** Fetches a file of the catalogue; says so instead when it is here, or on its way. */
export function DownloadButton({ model, file, primary = false }: Props): ReactNode {
  const transfer = useHost(host => comingFrom(host.transfers, file.address))
  const isKnown = useHost(host => host.models.some(each => each.id === file.modelId))
  const locked = useHost(host => host.locked)
  const { show } = useModelsPage()
  const { download } = useActions()
  if (isKnown) return <span className="badge badge-good">{text.here}</span>
  if (transfer) {
    const { doneBytes, totalBytes } = transfer
    return (
      <button type="button" className="btn btn-quiet" onClick={() => show('downloads')}>
        {text.coming(totalBytes === null ? null : doneBytes / totalBytes)}
      </button>
    )
  }
  const name = `${model.name} ${file.quantisation}`
  return (
    <button
      type="button"
      aria-label={text.downloadOf(name)}
      className={primary ? 'btn btn-primary' : 'btn btn-secondary'}
      disabled={locked}
      onClick={() =>
        void download({ catalogueId: file.id }).then(begun => {
          if (!begun.ok) showToast(begun.fault.message, { level: 'error' })
        })
      }
    >
      <Download size={15} />
      {text.download}
    </button>
  )
}
