import { ChevronRight, Download } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { waitsToRetry } from '../../../WaitingToRetry.tsx'
import type { CatalogueModel, CatalogueFile } from '../../../../shared/contract/models/download.ts'
import { formatBytes, formatCount, formatShare } from '../../../ui/text/format-values.ts'
import { cx } from '../../../ui/style.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { useTransfers } from '../../../rpc/use-lists.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { SpeedLabel } from './SpeedLabel.tsx'
import { parametersText, comingFrom } from '../models-state.ts'
import { useModelsPage, useModelActions } from '../use-models.ts'

const SIZES = { small: 'Small', balanced: 'Balanced', large: 'Large' } as const

/** A catalogue model. The open row lists its available sizes. */
export function CatalogueRow({ model }: { model: CatalogueModel }): ReactNode {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const cores = useModelsPage().machine?.cores ?? 4
  // The closed row describes the middle size.
  const usual = model.files.find(file => file.size === 'balanced') ?? model.files[0]
  return (
    <li className="model-card">
      <div className="flex flex-wrap items-start gap-2">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          className="model-open"
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight
            size={16}
            className={cx(
              'mt-0.5 shrink-0 text-ink-3 transition-transform',
              isOpen ? 'rotate-90' : 'rtl:rotate-180',
            )}
          />
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span dir="auto" className="text-sm font-medium">
                {model.name}
              </span>
              <span className="text-xs text-ink-3">{`by ${model.maker}`}</span>
              <span className="badge">{model.format === '' ? 'No tools' : 'Tools'}</span>
              {model.vision && <span className="badge">Images</span>}
            </span>
            <span className="block text-sm text-ink-2">{model.goodAt}</span>
            <span className="block text-xs text-ink-3">
              {[
                ...(model.parameters > 0 ? [parametersText(model.parameters)] : []),
                `reads ${formatCount(model.contextTokens)} tokens`,
                ...(usual ? [`${formatBytes(usual.sizeBytes)} to download`] : []),
              ].join(' · ')}
            </span>
          </span>
        </button>
        <div className="ms-auto shrink-0">
          {!isOpen && <SpeedLabel model={model} file={usual} cores={cores} />}
        </div>
      </div>
      {isOpen && (
        <div id={id} className="mt-3 grid gap-3 ps-6">
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
            {model.files.map(file => (
              <li key={file.id} className="size-row">
                <span className="w-20 text-sm font-medium">{SIZES[file.size]}</span>
                <span className="text-xs text-ink-3">{`${formatBytes(file.sizeBytes)} to download · ${file.quantisation}`}</span>
                <span className="ms-auto flex flex-wrap items-center justify-end gap-2">
                  <SpeedLabel model={model} file={file} cores={cores} />
                  <DownloadButton model={model} file={file} />
                </span>
              </li>
            ))}
          </ul>
          <p className="text-xs text-ink-2">
            <a href={model.licenceUrl} target="_blank" rel="noreferrer" className="link-btn">
              {`Licence: ${model.licence}`}
            </a>
          </p>
        </div>
      )}
    </li>
  )
}

type DownloadButtonProps = { model: CatalogueModel; file: CatalogueFile; primary?: boolean }

/** Downloads a catalogue file. Shows a label instead if the file is installed or being downloaded. */
export function DownloadButton({ model, file, primary = false }: DownloadButtonProps): ReactNode {
  const transfer = comingFrom(useTransfers(), file.address)
  const isKnown = useHost(host => host.models.some(each => each.id === file.modelId))
  const locked = useHost(host => host.locked)
  const { show } = useModelsPage()
  const { download } = useModelActions()
  if (isKnown) return <span className="badge badge-good">Installed</span>
  if (transfer) {
    const { doneBytes, totalBytes } = transfer
    return (
      <button type="button" className="btn btn-quiet" onClick={() => show('downloads')}>
        {waitsToRetry(transfer)
          ? 'Waiting for the server'
          : totalBytes === null
            ? 'Downloading'
            : `Downloading, ${formatShare(doneBytes / totalBytes)}`}
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
      <Download size={16} />
      Download
    </button>
  )
}
