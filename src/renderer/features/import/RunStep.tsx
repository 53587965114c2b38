import { useId, type ReactNode } from 'react'
import type { ImportPreview } from '../../../shared/contract/import.ts'
import { StepHeading } from '../../ui/Dialog.tsx'
import { formatCount } from '../../ui/format.ts'
import { sourceNames, type ImportReport } from './import-store.ts'
import { Counts, LeftOut } from './ImportSummary.tsx'

type Props = {
  preview: ImportPreview
  done: number
  total: number
  stopping: boolean
  onCancel: () => void
}

/** Progress of the import, with a stop button. */
export function RunStep({ preview, done, total, stopping, onCancel }: Props): ReactNode {
  const id = useId()
  const isRead = total > 0 && done >= total
  const words = isRead ? 'Preparing the search…' : `${formatCount(done)} of ${formatCount(total)}`
  return (
    <div className="grid gap-4">
      <div id={id}>
        <StepHeading>{`Importing from ${sourceNames[preview.kind]}`}</StepHeading>
      </div>
      <div>
        <progress
          aria-labelledby={id}
          max={Math.max(1, total)}
          value={done}
          aria-valuetext={words}
          className="sr-only"
        />
        <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-active">
          <span
            className="block h-full rounded-full bg-accent transition-[inline-size]"
            style={{ inlineSize: `${(100 * done) / Math.max(1, total)}%` }}
          />
        </div>
        <p className="mt-1.5 text-sm tabular-nums">{words}</p>
      </div>
      <p className="text-xs text-ink-3">You can close this and keep working. The import continues.</p>
      <button
        type="button"
        className="btn btn-secondary justify-self-end"
        disabled={stopping}
        onClick={onCancel}
      >
        {stopping ? 'Stopping…' : 'Cancel'}
      </button>
    </div>
  )
}

type ReportProps = { report: ImportReport | null; onMore: () => void; onClose: () => void }

/** The result of the import. */
export function Report({ report, onMore, onClose }: ReportProps): ReactNode {
  return (
    <div className="grid gap-4">
      <StepHeading>{report ? 'Imported' : 'Stopped'}</StepHeading>
      {report ? (
        <>
          <Counts chats={report.sessions} messages={report.messages} memories={report.memories} />
          <LeftOut skipped={report.skipped} />
        </>
      ) : (
        <p className="text-sm text-ink-2">
          Each chat was imported completely or not at all. Import the same file again for the rest; nothing is
          imported twice.
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onMore}>
          Import more
        </button>
        <button type="button" className="btn btn-primary px-5" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  )
}
