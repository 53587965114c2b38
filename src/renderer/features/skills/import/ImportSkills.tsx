import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SkillImport } from '../../../../shared/contract/learned/skill-imports.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { Dialog, StepHeading } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { goTo } from '../../../route.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { countOf, formatCount } from '../../../ui/text/format-values.ts'
import { ChooseStep, nothingAsked } from './ChooseStep.tsx'
import { ImportContext, useImport, createSkillImport, type From, type Step } from './skill-import-store.ts'
import { CandidatesStep } from './CandidatesStep.tsx'
import type { Upload } from './upload.ts'
import { Problem } from '../../../ui/Banner.tsx'

/** The initial state of the dialog: a source to fetch, or a fetched import. */
export type Initial = Upload | { kind: 'path'; path: string } | { kind: 'fetched'; found: SkillImport }

type Props = { open: boolean; onClose: () => void; initial?: Initial | undefined }

/** The import dialog: choose a source, review its skills, install the selected ones. */
export function ImportSkills({ open, onClose, initial }: Props): ReactNode {
  return open && <Import onClose={onClose} initial={initial} />
}

function Import({ onClose, initial }: Omit<Props, 'open'>) {
  const link = useLink()
  const [store] = useState(() => createSkillImport(link))
  const step = useStore(store, state => state.step)
  const [asked, setAsked] = useState(nothingAsked)

  const begin = useEffectEvent(() => {
    const { fetch, review } = store.getState()
    if (initial?.kind === 'fetched') review(initial.found)
    else if (initial) void fetch(initial)
  })
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    begin()
    return () => {
      isHere.current = false
      // In development, Strict Mode unmounts and remounts immediately, so close after a delay.
      setTimeout(() => isHere.current || store.getState().close())
    }
  }, [store])

  const isWide = step.name === 'candidates' && step.found.candidates.length > 0
  return (
    <ImportContext value={store}>
      <Dialog title="Import skills" closeLabel="Close" width={isWide ? 'large' : 'medium'} onClose={onClose}>
        {step.name === 'choosing' && (
          <ChooseStep
            asked={asked}
            problem={step.problem}
            leftOut={step.leftOut}
            onAsked={change => setAsked(now => ({ ...now, ...change }))}
            onFetch={from => void store.getState().fetch(from)}
          />
        )}
        {step.name === 'fetching' && <FetchingStep from={step.from} />}
        {step.name === 'candidates' && <CandidatesStep {...step} />}
        {step.name === 'done' && <DoneStep step={step} onClose={onClose} />}
        {step.name === 'undone' && <UndoneStep onClose={onClose} />}
      </Dialog>
    </ImportContext>
  )
}

function FetchingStep({ from }: { from: From }) {
  const cancel = useImport(state => state.cancel)
  const what = { path: 'path', git: 'address', upload: 'name', text: undefined } as const
  const key = what[from.kind]
  const name = key === undefined ? undefined : String((from as Record<string, unknown>)[key])
  return (
    <div className="grid gap-4">
      <div className="flex min-w-0 items-start gap-2.5">
        <span className="mt-0.5">
          <Spinner />
        </span>
        <div className="min-w-0">
          <StepHeading>
            <span className="break-all">{name === undefined ? 'Scanning the text' : `Fetching ${name}`}</span>
          </StepHeading>
          <p className="text-sm text-ink-3">The files go to quarantine and are scanned before you decide.</p>
        </div>
      </div>
      <button type="button" className="btn btn-secondary justify-self-end" onClick={cancel}>
        Cancel
      </button>
    </div>
  )
}

function UndoneStep({ onClose }: { onClose: () => void }) {
  const restart = useImport(state => state.restart)
  return (
    <div className="grid gap-4">
      <StepHeading>The import was undone.</StepHeading>
      <div className="flex justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={restart}>
          Import more
        </button>
        <button type="button" className="btn btn-primary px-5" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  )
}

type DoneStepProps = { step: Extract<Step, { name: 'done' }>; onClose: () => void }

/** Lists the installed skills, with links and undo. */
function DoneStep({ step: { ids, on }, onClose }: DoneStepProps): ReactNode {
  const undo = useImport(state => state.undo)
  const undoing = useImport(state => state.undoing)
  const problem = useImport(state => state.undoProblem)
  const restart = useImport(state => state.restart)
  const off = ids.length - on
  const open = (skillId: string) => {
    onClose()
    goTo({ page: 'skills', skillId })
  }
  return (
    <div className="grid gap-4">
      <div>
        <StepHeading>{`${countOf(ids.length, 'skill', 'skills')} installed`}</StepHeading>
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
      <Problem text={problem} />
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
