import { useState, type ReactNode } from 'react'
import type { CatalogueFile, CatalogueModel } from '../../../shared/contract/models/download.ts'
import type { Machine } from '../../../shared/contract/models/model.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { useTransfers } from '../../rpc/use-lists.ts'
import { formatBytes } from '../../ui/text/format-values.ts'
import { cx } from '../../ui/style.ts'
import { ModelDownload } from './ModelDownload.tsx'
import { Problem } from '../../ui/Banner.tsx'
import { expectedSpeed } from '../../expected-speed.ts'

const CARDS = {
  light: ['Light', 'Small and quick'],
  balanced: ['Balanced', 'Recommended'],
  best: ['Best that fits', 'For the largest tasks'],
} as const

const FITS = {
  gpu: () => 'Fits the graphics card',
  memory: () => 'Fits into memory',
  too_big: (missing: number) => `Too big: ${formatBytes(missing)} missing`,
  unknown: () => 'Cannot tell whether it fits',
} as const

/** One of the three offered models. */
export type OfferedModel = { kind: 'light' | 'balanced' | 'best'; model: CatalogueModel; file: CatalogueFile }
type Props = {
  choice: OfferedModel
  machine: Machine | undefined
  /** Name of an offered model that calls tools, for a model that cannot; empty if there is none. */
  better: string
}

/** Disk space required, as a multiple of the file size. Other programs write to the disk in the meantime. */
const ROOM = 1.1

/** The card of a downloadable model: description, fit for this computer and download progress. */
export function OfferedModelCard({ choice: { kind, model, file }, machine, better }: Props): ReactNode {
  const [name, about] = CARDS[kind]
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
        <p>{`${formatBytes(file.sizeBytes)} to download`}</p>
        <FitLabel file={file} hasGpu={machine?.gpu != null} />
        {speed && (
          <p>
            {speed.low === speed.high
              ? `Writes roughly ${speed.low} words a second`
              : `Writes roughly ${speed.low} to ${speed.high} words a second`}
          </p>
        )}
        <p>{`Licence: ${model.licence}`}</p>
        {model.format === '' && (
          <p className="text-warn">
            It cannot use tools, so it can do and learn little.{better === '' ? '' : ` ${better} can.`}
          </p>
        )}
      </div>
      <Fetching model={model} file={file} diskFreeBytes={machine?.diskFreeBytes ?? 0} />
    </li>
  )
}

/** Running in main memory is a drawback only if the computer has a graphics card. */
function FitLabel({ file: { fit }, hasGpu }: { file: CatalogueFile; hasGpu: boolean }) {
  if (!fit) return null
  const tone = { gpu: 'good', memory: hasGpu ? 'warn' : 'good', too_big: 'bad', unknown: 'unsure' }[fit.label]
  return (
    <p className={cx('fit-label', `fit-${tone}`)}>
      {fit.label === 'memory' && hasGpu ? 'Runs in memory, slower' : FITS[fit.label](fit.missingBytes)}
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
  const transfer = useTransfers().find(each => each.from === file.address)
  const isHere = useHost(host => host.models.some(each => each.id === (transfer?.modelId ?? file.modelId)))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  if (isHere) return <p className="text-sm font-medium text-good">Installed</p>
  if (transfer && transfer.state !== 'done') return <ModelDownload transfer={transfer} />

  const begin = async () => {
    setBusy(true)
    setProblem(undefined)
    const started = await attemptCall(client['download.start']({ catalogueId: file.id }))
    setBusy(false)
    if (!started.ok) setProblem(started.fault.message)
  }
  // Zero free bytes means that the free space is unknown.
  const missing = diskFreeBytes > 0 ? file.sizeBytes * ROOM - diskFreeBytes : 0
  return (
    <div className="grid gap-2">
      {missing > 0 && (
        <p className="text-xs text-warn">{`Not enough disk space: ${formatBytes(missing)} more needed.`}</p>
      )}
      <Problem className="text-xs break-words" text={problem} />
      <button
        type="button"
        className={cx('btn', missing > 0 ? 'btn-quiet' : 'btn-secondary')}
        aria-label={`Download ${model.name}`}
        disabled={locked || busy}
        onClick={() => void begin()}
      >
        Download
      </button>
    </div>
  )
}
