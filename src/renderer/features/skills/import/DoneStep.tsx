import type { ReactNode } from 'react'
import { go } from '../../../route.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { StepHeading } from '../../../ui/StepHeading.tsx'
import { useImport } from './import-context.ts'
import type { Step } from './import-store.ts'
import { importText } from './strings.ts'

type Props = { step: Extract<Step, { name: 'done' }>; onClose: () => void }

/** What was installed, with a way to each and a way back. */
export function DoneStep({ step: { ids, on }, onClose }: Props): ReactNode {
  const undo = useImport(state => state.undo)
  const undoing = useImport(state => state.undoing)
  const problem = useImport(state => state.undoProblem)
  const restart = useImport(state => state.restart)
  const off = ids.length - on
  const open = (skillId: string) => {
    onClose()
    go({ page: 'skills', skillId })
  }
  return (
    <div className="grid gap-4">
      <div>
        <StepHeading>{importText.done(ids.length)}</StepHeading>
        <p className="text-sm text-ink-2">{importText.doneCounts(on, off)}</p>
        {off > 0 && <p className="text-sm text-ink-3">{importText.offHint}</p>}
      </div>
      <Scrollable label={importText.installed} className="max-h-[40dvh] overflow-y-auto">
        <ul aria-label={importText.installed} className="grid gap-1">
          {ids.map(id => {
            const name = id.split('/').at(-1) ?? id
            return (
              <li key={id}>
                <button
                  type="button"
                  aria-label={importText.open(name)}
                  className="link-btn text-sm"
                  onClick={() => open(id)}
                >
                  {name}
                </button>
              </li>
            )
          })}
        </ul>
      </Scrollable>
      {problem !== '' && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <button
          type="button"
          className="btn btn-secondary me-auto"
          disabled={undoing}
          onClick={() => void undo()}
        >
          {undoing && <Spinner />}
          {undoing ? importText.undoing : importText.undo}
        </button>
        <button type="button" className="btn btn-secondary" disabled={undoing} onClick={restart}>
          {importText.more}
        </button>
        <button type="button" className="btn btn-primary px-5" onClick={onClose}>
          {importText.close}
        </button>
      </div>
    </div>
  )
}
