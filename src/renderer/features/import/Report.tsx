import type { ReactNode } from 'react'
import { Counts } from './Counts.tsx'
import type { ImportReport } from './import-store.ts'
import { LeftOut } from './LeftOut.tsx'
import { StepHeading } from '../../ui/StepHeading.tsx'
import { importText } from './strings.ts'

type Props = { report: ImportReport | null; onMore: () => void; onClose: () => void }

/** What came of it. */
export function Report({ report, onMore, onClose }: Props): ReactNode {
  return (
    <div className="grid gap-4">
      <StepHeading>{report ? importText.done : importText.stopped}</StepHeading>
      {report ? (
        <>
          <Counts chats={report.sessions} messages={report.messages} memories={report.memories} />
          <LeftOut skipped={report.skipped} />
        </>
      ) : (
        <p className="text-sm text-ink-2">{importText.stoppedHint}</p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onMore}>
          {importText.more}
        </button>
        <button type="button" className="btn btn-primary px-5" onClick={onClose}>
          {importText.close}
        </button>
      </div>
    </div>
  )
}
