import { Lock, Search } from 'lucide-react'
import { useState, type ReactNode, useId, type FormEvent } from 'react'
import type { CatalogueModel, CatalogueFile } from '../../../../shared/contract/models/download.ts'
import { readChecksum } from '../../../../shared/text/read-checksum.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { formatDay, formatBytes } from '../../../ui/text/format-values.ts'
import { cx } from '../../../ui/style.ts'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { useModelsPage, useModelActions } from '../use-models.ts'
import { SpeedLabel } from './SpeedLabel.tsx'
import type { Answer } from '../../../rpc/answers.ts'
import { useAnswer, useLastValue } from '../../../rpc/use-answer.ts'
import { CatalogueRow, DownloadButton } from './CatalogueRow.tsx'

/** Models to download: the bundled catalogue, or a URL from the user. */
export function DiscoverTab(): ReactNode {
  const read = useAnswer('catalogue.list', {})
  const catalogue = useLastValue(read?.ok ? read.value : undefined)
  const words = useModelsPage().machine?.words
  const locked = useHost(host => host.locked)
  const [query, setQuery] = useState('')
  if (!catalogue) return null
  const shown = catalogue.models.filter(model => isFound(model, query))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid gap-2 text-sm">
        {words !== undefined && <p className="font-medium">{words}</p>}
        <p className="text-xs text-ink-2">{`This list came with Talaria and was compiled on ${dayOf(catalogue.asOf)}. Nothing was fetched to show it, and nothing leaves this computer until you press Download.`}</p>
        {locked && (
          <p className="locked-note">
            <Lock size={16} className="mt-0.5 shrink-0" />
            The offline lock is on: nothing can be downloaded. Switch it off under Settings, Privacy and
            network, or add a file from a USB stick.
          </p>
        )}
      </div>
      <Suggested catalogue={catalogue} />
      <section aria-label="All models in the list" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="text-sm font-semibold">All models in the list</h2>
        <div className="relative">
          <Search size={16} className="absolute start-3 top-2.5 text-ink-3" />
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

const RANK_HINTS = {
  light: 'Quick, for short questions.',
  balanced: 'Recommended.',
  best: 'The best answers, not the fastest.',
} as const

const RANKS = { light: 'Light', balanced: 'Balanced', best: 'Best that fits' } as const

/** Up to three suggestions for this computer, without duplicates. */
function Suggested({ catalogue }: { catalogue: Answer<'catalogue.list'> }): ReactNode {
  const id = useId()
  const cores = useModelsPage().machine?.cores ?? 4
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
                <p className="text-xs text-ink-3">{`${formatBytes(file.sizeBytes)} to download · ${file.quantisation}`}</p>
              </div>
              <p className="text-xs text-ink-2">{model.goodAt}</p>
              <div className="mt-auto grid justify-items-start gap-2 pt-1">
                <SpeedLabel model={model} file={file} cores={cores} />
                <DownloadButton model={model} file={file} primary={rank === 'balanced'} />
              </div>
            </li>
          ))}
      </ul>
    </section>
  )
}

function findFile(
  { models }: Answer<'catalogue.list'>,
  id: string,
): { model: CatalogueModel; file: CatalogueFile } | undefined {
  for (const model of models) {
    const file = model.files.find(each => each.id === id)
    if (file) return { model, file }
  }
  return undefined
}

/** Downloads a file from a URL that the user enters. */
function FromAddress(): ReactNode {
  const id = useId()
  const locked = useHost(host => host.locked)
  const { download } = useModelActions()
  const [address, setAddress] = useState('')
  const [sha256, setSha] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isAddress = /^https?:\/\/[^\s/]+\/\S/iu.test(address.trim())
  const [here, setHere] = useState<string>()
  const fileName = URL.parse(address.trim())?.pathname.split('/').at(-1) ?? ''
  const sum = sha256.trim() === '' ? undefined : readChecksum(sha256, fileName)
  const isSha = sum === undefined || 'sha256' in sum
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isAddress || !isSha || busy || locked) return
    setBusy(true)
    const begun = await download({
      address: address.trim(),
      ...(sum && 'sha256' in sum && { sha256: sum.sha256 }),
      // The second press confirms that the file is to be fetched again.
      ...(here === address.trim() && { again: true }),
    })
    setBusy(false)
    if (!begun.ok) return setProblem(begun.fault.message)
    if (begun.value.here) {
      setHere(address.trim())
      return setProblem(
        `${begun.value.name} is already on this computer. Press Download again to fetch it anyway.`,
      )
    }
    setHere(undefined)
    setAddress('')
    setSha('')
  }
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="text-sm font-semibold">
        From an address
      </h2>
      <form className="grid gap-3" onSubmit={event => void submit(event)}>
        <TextField
          label="Address of a .gguf file"
          hint="For a split model, the first part. The file is downloaded only from this address."
          error={
            problem ??
            (address === '' || /^h(t|$)/iu.test(address.trim())
              ? undefined
              : 'An address starts with https:// or http://.')
          }
          inputMode="url"
          dir="ltr"
          maxLength={4_000}
          value={address}
          onChange={event => {
            setAddress(event.target.value)
            setProblem(undefined)
          }}
        />
        <TextField
          label="Checksum (SHA-256)"
          hint="Optional. If you enter it, Talaria checks the file against it."
          error={isSha ? undefined : sum.problem}
          dir="ltr"
          maxLength={2_000}
          value={sha256}
          onChange={event => setSha(event.target.value)}
        />
        <button
          type="submit"
          className="btn btn-secondary justify-self-start"
          disabled={!isAddress || !isSha || busy || locked}
        >
          Download
        </button>
      </form>
    </section>
  )
}
