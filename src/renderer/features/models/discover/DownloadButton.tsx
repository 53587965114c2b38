import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CatalogueFile, CatalogueModel } from '../../../../shared/contract/download.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { formatShare } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toasts.ts'
import { comingFrom } from '../models-state.ts'
import { useModelsPage } from '../models-context.ts'
import { useModelActions } from '../use-model-actions.ts'

type Props = { model: CatalogueModel; file: CatalogueFile; primary?: boolean }

/** Downloads a catalogue file. Shows a label instead when the file is installed or being downloaded. */
export function DownloadButton({ model, file, primary = false }: Props): ReactNode {
  const transfer = useHost(host => comingFrom(host.transfers, file.address))
  const isKnown = useHost(host => host.models.some(each => each.id === file.modelId))
  const locked = useHost(host => host.locked)
  const { show } = useModelsPage()
  const { download } = useModelActions()
  if (isKnown) return <span className="badge badge-good">Installed</span>
  if (transfer) {
    const { doneBytes, totalBytes } = transfer
    return (
      <button type="button" className="btn btn-quiet" onClick={() => show('downloads')}>
        {totalBytes === null ? 'On its way' : `On its way, ${formatShare(doneBytes / totalBytes)}`}
      </button>
    )
  }
  const name = `${model.name} ${file.quantisation}`
  return (
    <button
      type="button"
      aria-label={`Download ${name}`}
      className={primary ? 'btn btn-primary' : 'btn btn-secondary'}
      disabled={locked}
      onClick={() =>
        void download({ catalogueId: file.id }).then(begun => {
          if (!begun.ok) showToast(begun.fault.message, { level: 'error' })
        })
      }
    >
      <Download size={15} />
      Download
    </button>
  )
}
