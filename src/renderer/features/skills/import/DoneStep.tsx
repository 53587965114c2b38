import type { ReactNode } from 'react'
import { go } from '../../../route.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { StepHeading } from '../../../ui/Dialog.tsx'
import { useImport } from './import-context.ts'
import type { Step } from './import-store.ts'
import { countOf, formatCount } from '../../../ui/format.ts'

type Props = { step: Extract<Step, { name: 'done' }>; onClose: () => void }

/** Lists the installed skills, with links and undo. */
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
        <StepHeading>{countOf(ids.length, 'skill', 'skills')} installed</StepHeading>
        <p className="text-sm text-ink-2">
          {[on > 0 && `${formatCount(on)} on`, off > 0 && `${formatCount(off)} off`]
            .filter(Boolean)
            .join(', ')}
        </p>
        {off > 0 && (
          <p className="text-sm text-ink-3">
            You can switch on the others in the list once you have checked them.
          </p>
        )}
      </div>
      <Scrollable label="Installed skills" className="max-h-[40dvh] overflow-y-auto">
        <ul aria-label="Installed skills" className="grid gap-1">
          {ids.map(id => {
            const name = id.split('/').at(-1) ?? id
            return (
              <li key={id}>
                <button
                  type="button"
                  aria-label={`Open “${name}”`}
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
          {undoing ? 'Undoing…' : 'Undo the import'}
        </button>
        <button type="button" className="btn btn-secondary" disabled={undoing} onClick={restart}>
          Import more
        </button>
        <button type="button" className="btn btn-primary px-5" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  )
}
