import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import type { CatalogueModel } from '../../../../shared/contract/download.ts'
import { formatBytes, formatCount } from '../../../ui/format.ts'
import { cx } from '../../../ui/style.ts'
import { FitLabel } from '../installed/FitLabel.tsx'
import { parametersText } from '../models-state.ts'
import { DownloadButton } from './DownloadButton.tsx'

const SIZES = { small: 'Small', balanced: 'Balanced', large: 'Large' } as const

/** A catalogue model. The open row lists its available sizes. */
export function CatalogueRow({ model }: { model: CatalogueModel }): ReactNode {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
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
            size={15}
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
              <span className="text-xs text-ink-3">by {model.maker}</span>
              <span className="badge">{model.format === '' ? 'No tools' : 'Tools'}</span>
              {model.vision && <span className="badge">Images</span>}
            </span>
            <span className="block text-sm text-ink-2">{model.goodAt}</span>
            <span className="block text-xs text-ink-3">
              {[
                ...(model.parameters > 0 ? [parametersText(model.parameters)] : []),
                `reads ${formatCount(model.contextTokens)} tokens`,
                ...(usual ? [formatBytes(usual.sizeBytes)] : []),
              ].join(' · ')}
            </span>
          </span>
        </button>
        <div className="ms-auto shrink-0">{!isOpen && <FitLabel fit={usual?.fit} />}</div>
      </div>
      {isOpen && (
        <div id={id} className="mt-3 grid gap-3 ps-6">
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
            {model.files.map(file => (
              <li key={file.id} className="size-row">
                <span className="w-20 text-sm font-medium">{SIZES[file.size]}</span>
                <span className="text-xs text-ink-3">
                  {formatBytes(file.sizeBytes)} · {file.quantisation}
                </span>
                <span className="ms-auto flex flex-wrap items-center justify-end gap-2">
                  <FitLabel fit={file.fit} />
                  <DownloadButton model={model} file={file} />
                </span>
              </li>
            ))}
          </ul>
          <p className="text-xs text-ink-2">
            <a href={model.licenceUrl} target="_blank" rel="noreferrer" className="link-btn">
              Licence: {model.licence}
            </a>
          </p>
        </div>
      )}
    </li>
  )
}
