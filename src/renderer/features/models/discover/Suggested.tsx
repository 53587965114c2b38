import { useId, type ReactNode } from 'react'
import type { CatalogueFile, CatalogueModel } from '../../../../shared/contract/download.ts'
import { formatBytes } from '../../../ui/format.ts'
import { cx } from '../../../ui/style.ts'
import { FitLabel } from '../installed/FitLabel.tsx'
import type { Catalogue } from '../models-store.ts'
import { DownloadButton } from './DownloadButton.tsx'

const RANK_HINTS = {
  light: 'Quick, for short questions.',
  balanced: 'Recommended.',
  best: 'The best answers, not the fastest.',
} as const

const RANKS = { light: 'Light', balanced: 'Balanced', best: 'Best that fits' } as const

/** Up to three suggestions for this computer, without duplicates. */
export function Suggested({ catalogue }: { catalogue: Catalogue }): ReactNode {
  const id = useId()
  const { suggested } = catalogue
  const ids = new Set<string>()
  const cards = (['balanced', 'light', 'best'] as const).flatMap(rank => {
    const found = findFile(catalogue, suggested[rank])
    if (!found || ids.has(found.file.id)) return []
    ids.add(found.file.id)
    return [{ rank, ...found }]
  })
  if (cards.length === 0) return null
  const order = ['light', 'balanced', 'best']
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="text-sm font-semibold">
        Suggested for this computer
      </h2>
      <ul className="suggested">
        {cards
          .toSorted((a, b) => order.indexOf(a.rank) - order.indexOf(b.rank))
          .map(({ rank, model, file }) => (
            <li key={rank} className={cx('suggested-card', rank === 'balanced' && 'suggested-best')}>
              <div>
                <p className="text-xs font-semibold text-ink-2">{RANKS[rank]}</p>
                <p className="text-xs text-ink-3">{RANK_HINTS[rank]}</p>
              </div>
              <div className="min-w-0">
                <p dir="auto" className="text-sm font-medium">
                  {model.name}
                </p>
                <p className="text-xs text-ink-3">
                  {formatBytes(file.sizeBytes)} · {file.quantisation}
                </p>
              </div>
              <p className="text-xs text-ink-2">{model.goodAt}</p>
              <div className="mt-auto grid justify-items-start gap-2 pt-1">
                <FitLabel fit={file.fit} />
                <DownloadButton model={model} file={file} primary={rank === 'balanced'} />
              </div>
            </li>
          ))}
      </ul>
    </section>
  )
}

function findFile(
  { models }: Catalogue,
  id: string,
): { model: CatalogueModel; file: CatalogueFile } | undefined {
  for (const model of models) {
    const file = model.files.find(each => each.id === id)
    if (file) return { model, file }
  }
  return undefined
}
