import { Lock, Search } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { CatalogueModel } from '../../../../shared/contract/download.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { formatDay } from '../../../ui/format.ts'
import { useInMemory, useModels } from '../models-context.ts'
import { CatalogueRow } from './CatalogueRow.tsx'
import { FromAddress } from './FromAddress.tsx'
import { Suggested } from './Suggested.tsx'

/** Models to download: the bundled catalogue, or a URL from the user. */
export function DiscoverTab(): ReactNode {
  useCatalogue()
  const catalogue = useModels(models => models.catalogue)
  const words = useModels(models => models.machine?.words)
  const locked = useHost(host => host.locked)
  const [query, setQuery] = useState('')
  if (!catalogue) return null
  const shown = catalogue.models.filter(model => isFound(model, query))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid gap-2 text-sm">
        {words !== undefined && <p className="font-medium">{words}</p>}
        <p className="text-xs text-ink-2">
          This list came with Talaria and was compiled on {dayOf(catalogue.asOf)}. Nothing was fetched to show
          it, and nothing leaves this computer until you press Download.
        </p>
        {locked && (
          <p className="locked-note">
            <Lock size={15} className="mt-0.5 shrink-0" />
            The offline lock is on: nothing can be downloaded. Switch it off under Settings, Privacy and
            network, or bring a file on a stick.
          </p>
        )}
      </div>
      <Suggested catalogue={catalogue} />
      <section aria-label="All models in the list" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="text-sm font-semibold">All models in the list</h2>
        <div className="relative">
          <Search size={15} className="absolute start-3 top-2.5 text-ink-3" />
          <input
            type="text"
            aria-label="Search the list"
            placeholder="Search the list"
            className="field ps-9"
            value={query}
            onChange={event => setQuery(event.target.value)}
          />
        </div>
        <output className="text-sm text-ink-2 empty:hidden">
          {shown.length === 0 ? `Nothing in the list matches “${query}”.` : ''}
        </output>
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {shown.map(model => (
            <CatalogueRow key={model.id} model={model} />
          ))}
        </ul>
      </section>
      <FromAddress />
    </div>
  )
}

/** The catalogue is reloaded when the model list or the loaded model changes. */
function useCatalogue() {
  const load = useModels(models => models.loadCatalogue)
  const here = useHost(host => host.models.map(model => model.id).join('\n'))
  const inMemory = useInMemory()
  const key = inMemory === undefined ? null : `${inMemory}\n${here}`
  useEffect(() => {
    if (key !== null) void load()
  }, [load, key])
}

function isFound(model: CatalogueModel, query: string): boolean {
  const said = [
    model.name,
    model.maker,
    model.goodAt,
    model.licence,
    ...model.files.map(file => file.quantisation),
  ]
  const all = said.join(' ').toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/u)
    .every(word => all.includes(word))
}

/** Formats `2026-11-01` for the locale. Other text is returned unchanged. */
function dayOf(asOf: string): string {
  const at = Date.parse(`${asOf}T12:00:00`)
  return Number.isNaN(at) ? asOf : formatDay(at)
}
