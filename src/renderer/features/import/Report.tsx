import type { ReactNode } from 'react'
import { Counts } from './Counts.tsx'
import type { ImportReport } from './import-store.ts'
import { LeftOut } from './LeftOut.tsx'
import { StepHeading } from '../../ui/Dialog.tsx'

type Props = { report: ImportReport | null; onMore: () => void; onClose: () => void }

/** The result of the import. */
export function Report({ report, onMore, onClose }: Props): ReactNode {
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
