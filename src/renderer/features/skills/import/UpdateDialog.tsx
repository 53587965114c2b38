import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SkillImport } from '../../../../shared/contract/learned/skill-imports.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { Dialog, StepHeading } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { CandidateDetail } from './CandidateDetail.tsx'
import { ImportContext, useImport, createSkillImport, type Step } from './skill-import-store.ts'
import { LeftOut, Source, ReadFirst } from './SourceNotes.tsx'
import { Problem } from '../../../ui/Banner.tsx'

/** How long the toast offers to undo an update, in ms. */
const UNDO_MS = 10_000

type Looked =
  | { state: 'looking' }
  | { state: 'none' }
  | { state: 'failed'; problem: string }
  | { state: 'found' }

/** Checks the source of an imported skill for an update and shows the changes before installing it. */
export function UpdateDialog({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const link = useLink()
  const [store] = useState(() => createSkillImport(link))
  const [looked, setLooked] = useState<Looked>({ state: 'looking' })
  const step = useStore(store, state => state.step)

  const showOutcome = useEffectEvent((answer: Outcome<{ import: SkillImport | null }>, isOver: boolean) => {
    const found = answer.ok ? answer.value.import : null
    if (isOver) {
      if (found) void attemptCall(link.client['skills.discard']({ importId: found.id }))
      return
    }
    if (!answer.ok) return setLooked({ state: 'failed', problem: answer.fault.message })
    setLooked({ state: found ? 'found' : 'none' })
    if (!found) return
    const { review, choose } = store.getState()
    review(found)
    // An update keeps the name, even if another skill has it too.
    for (const { path, refused } of found.candidates) if (refused === null) choose(path, { act: 'replace' })
  })
  const isLooking = looked.state === 'looking'
  useEffect(() => {
    if (!isLooking) return
    const over = new AbortController()
    const { signal } = over
    void attemptCall(link.client['skills.update']({ id }, { signal })).then(answer =>
      showOutcome(answer, signal.aborted),
    )
    return () => over.abort()
  }, [id, link, isLooking])
  useEffect(() => () => store.getState().close(), [store])

  const done = useEffectEvent((revisionIds: number[]) => {
    const undo = async () => {
      const answer = await attemptCall(link.client['skills.undo']({ revisionIds }))
      if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    }
    showToast('The skill was updated.', { ms: UNDO_MS, action: { label: 'Undo', run: () => void undo() } })
    onClose()
  })
  useEffect(() => {
    if (step.name === 'done') done(step.revisions.map(revision => revision.id))
  }, [step])

  const candidate = step.name === 'candidates' ? step.found.candidates[0] : undefined
  return (
    <ImportContext value={store}>
      <Dialog
        title={candidate ? `Update of “${candidate.name}”` : 'Check for updates'}
        closeLabel="Close"
        width={candidate ? 'large' : 'medium'}
        onClose={onClose}
      >
        {looked.state === 'looking' && (
          <div className="grid gap-4">
            <div className="flex items-center gap-2.5">
              <Spinner />
              <StepHeading>Checking its source…</StepHeading>
            </div>
            <button type="button" className="btn btn-secondary justify-self-end" onClick={onClose}>
              Cancel
            </button>
          </div>
        )}
        {(looked.state === 'none' || looked.state === 'failed') && (
          <div className="grid gap-4">
            {looked.state === 'none' ? (
              <StepHeading>There is no newer version at its source.</StepHeading>
            ) : (
              <Problem text={looked.problem} />
            )}
            <div className="flex justify-end gap-2">
              <button
                type="button"
                className="btn btn-secondary"
                onClick={() => setLooked({ state: 'looking' })}
              >
                Check again
              </button>
              <button type="button" className="btn btn-primary px-5" onClick={onClose}>
                Close
              </button>
            </div>
          </div>
        )}
        {step.name === 'candidates' && <Found step={step} onClose={onClose} />}
      </Dialog>
    </ImportContext>
  )
}

function Found({ step, onClose }: { step: Extract<Step, { name: 'candidates' }>; onClose: () => void }) {
  const { found, installing, problem } = step
  const install = useImport(state => state.install)
  const [candidate] = found.candidates
  const accepted = useImport(state => state.accepted)
  const choice = useImport(state => (candidate ? state.choices[candidate.path] : undefined))
  if (!candidate || !choice) return <StepHeading>There is no newer version at its source.</StepHeading>
  return (
    <div className="grid min-w-0 gap-4">
      <div className="grid gap-1">
        <StepHeading>What would change</StepHeading>
        <Source source={found.source} />
        <LeftOut leftOut={found.leftOut} />
      </div>
      <CandidateDetail candidate={candidate} choice={choice} wrong={undefined} isUpdate />
      <ReadFirst candidates={found.candidates} />
      <Problem text={problem} />
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn btn-secondary" disabled={installing} onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="btn btn-primary px-5"
          disabled={installing || candidate.refused !== null || (candidate.policy === 'ask' && !accepted)}
          onClick={() => void install()}
        >
          {installing && <Spinner />}
          {installing ? 'Installing…' : 'Install the update'}
        </button>
      </div>
    </div>
  )
}
