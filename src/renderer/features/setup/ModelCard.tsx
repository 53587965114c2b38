import { useState, type ReactNode } from 'react'
import type { Machine } from '../../../shared/contract/model.ts'
import type { CatalogueFile, CatalogueModel } from '../../../shared/contract/transfers.ts'
import { attempt } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { cx } from '../../ui/cx.ts'
import { ComingRow } from './ComingRow.tsx'
import { expectedSpeed } from './speed.ts'
import { setupText } from './strings.ts'

const text = setupText.model

/** One of the three models that are offered. */
export type Choice = { kind: 'light' | 'balanced' | 'best'; model: CatalogueModel; file: CatalogueFile }
type Props = {
  choice: Choice
  machine: Machine | undefined
  /** The card of a model that calls tools, in case this one cannot; empty where there is none. */
  better: string
}

/** What a file takes on the disk beyond its size, because others write to the disk too. */
const ROOM = 1.1

/** A model that can be fetched: what it is, whether it runs here, and how far it is. */
export function ModelCard({ choice: { kind, model, file }, machine, better }: Props): ReactNode {
  const [name, about] = text.cards[kind]
  const speed = expectedSpeed(model, file, machine?.cores ?? 4)
  return (
    <li
      className={cx(
        'flex min-w-0 flex-col gap-2 rounded-xl border bg-raised p-4 shadow-card',
        kind === 'balanced' ? 'border-accent' : 'border-line',
      )}
    >
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-sm font-semibold">{name}</h3>
        <span className="badge">{about}</span>
      </div>
      <div className="min-w-0">
        <p dir="auto" className="text-sm font-medium break-words">
          {model.name}
        </p>
        <p className="text-xs text-ink-2">{model.goodAt}</p>
      </div>
      <div className="mt-auto grid justify-items-start gap-1 pt-1 text-xs text-ink-3">
        <p>{text.size(file.sizeBytes)}</p>
        <FitLabel file={file} hasGpu={machine?.gpu != null} />
        {speed && <p>{text.speed(speed.low, speed.high)}</p>}
        <p>{text.licence(model.licence)}</p>
        {model.dialect === '' && <p className="text-warn">{text.noTools(better)}</p>}
      </div>
      <Fetching model={model} file={file} diskFreeBytes={machine?.diskFreeBytes ?? 0} />
    </li>
  )
}

/** Memory is second best only where a graphics card could do better. */
function FitLabel({ file: { fit }, hasGpu }: { file: CatalogueFile; hasGpu: boolean }) {
  if (!fit) return null
  const tone = { gpu: 'good', memory: hasGpu ? 'warn' : 'good', too_big: 'bad', unknown: 'unsure' }[fit.label]
  return (
    <p className={cx('fit-label', `fit-${tone}`)}>
      {fit.label === 'memory' && hasGpu ? text.fitsBeside : text.fits[fit.label](fit.missingBytes)}
    </p>
  )
}

function Fetching({
  model,
  file,
  diskFreeBytes,
}: {
  model: CatalogueModel
  file: CatalogueFile
  diskFreeBytes: number
}) {
  const { client } = useLink()
  const locked = useHost(host => host.locked)
  const transfer = useHost(host => host.transfers.find(each => each.from === file.address))
  const isHere = useHost(host => host.models.some(each => each.id === (transfer?.modelId ?? file.modelId)))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  if (isHere) return <p className="text-sm font-medium text-good">{text.here}</p>
  if (transfer && transfer.state !== 'done') return <ComingRow transfer={transfer} />

  const begin = async () => {
    setBusy(true)
    setProblem(undefined)
    const begun = await attempt(client['transfer.download']({ catalogueId: file.id }))
    setBusy(false)
    if (!begun.ok) setProblem(begun.fault.message)
  }
  // Nothing is known of a disk that has no room at all.
  const missing = diskFreeBytes > 0 ? file.sizeBytes * ROOM - diskFreeBytes : 0
  return (
    <div className="grid gap-2">
      {missing > 0 && <p className="text-xs text-warn">{text.noRoom(missing)}</p>}
      {problem !== undefined && (
        <p role="alert" className="text-xs break-words text-danger">
          {problem}
        </p>
      )}
      <button
        type="button"
        className={cx('btn', missing > 0 ? 'btn-quiet' : 'btn-secondary')}
        aria-label={text.download(model.name)}
        disabled={locked || busy}
        onClick={() => void begin()}
      >
        {text.downloadShort}
      </button>
    </div>
  )
}
