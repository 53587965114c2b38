import { type ReactNode, useId, useState } from 'react'
import { Icon } from '../../../ui/IconButton.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { Segmented } from '../../../ui/Choice.tsx'
import { TextDiff } from '../../../ui/TextDiff.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Findings } from '../Findings.tsx'
import { unchangedLines } from '../skill-labels.tsx'
import { useDraft } from './draft-context.ts'
import { unsavedIn } from './buffers.ts'

const WHY_A_COPY = {
  builtin: 'Skills that ship with Talaria stay unchanged.',
  imported: 'Imported skills stay unchanged so that updates still apply.',
} as const

/** Notes to read before editing. */
export function Notes(): ReactNode {
  const skill = useDraft(draft => draft.skill)
  const restored = useDraft(draft => draft.restored)
  const revert = useDraft(draft => draft.revert)
  // Skills of the agent, the user, projects and folders are edited in place; others get an edited copy.
  const isOriginal = skill && !skill.isOwn && (skill.origin === 'builtin' || skill.origin === 'imported')
  return (
    <>
      {restored && (
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-line bg-sunken px-3.5 py-2 text-sm">
          <p className="flex-1">Your unsaved changes are back.</p>
          <button type="button" className="btn btn-quiet" onClick={() => void revert()}>
            Discard them
          </button>
        </div>
      )}
      {isOriginal && (
        <div className="mb-3 flex items-start gap-2.5 rounded-xl border border-line bg-sunken px-3.5 py-2.5 text-sm">
          <span className="mt-0.5 text-ink-2">
            <Icon name="info" />
          </span>
          <p>
            <strong className="font-semibold">This is an original.</strong>{' '}
            {WHY_A_COPY[skill.origin === 'builtin' ? 'builtin' : 'imported']} Saving makes an edited copy that
            is used instead. You can go back to the original at any time.
          </p>
        </div>
      )}
    </>
  )
}

/** Why a file was not saved. If the scan refused it, a second step can save it anyway. */
export function Refusal(): ReactNode {
  const refused = useDraft(draft => draft.refused)
  const saving = useDraft(draft => draft.saving)
  const save = useDraft(draft => draft.save)
  const jump = useDraft(draft => draft.jump)
  const dismissRefused = useDraft(draft => draft.dismissRefused)
  const [asked, setAsked] = useState<typeof refused>(null)
  const heading = useId()
  if (!refused) return null
  const { path, message, scan } = refused
  const isClean = scan !== null && scan.findings.length === 0
  const canInsist = scan !== null && scan.verdict === 'dangerous'
  const isSure = asked !== null && asked.message === message && asked.path === path
  return (
    <section
      aria-labelledby={heading}
      className="mb-3 grid gap-2.5 rounded-xl border border-danger/30 bg-danger-soft p-3.5"
    >
      <div role="alert">
        <h3 id={heading} className="text-sm font-semibold">
          {path} was not saved.
        </h3>
        <p className="text-sm break-words whitespace-pre-wrap">{message}</p>
      </div>
      {scan !== null && scan.findings.length > 0 && (
        <Findings findings={scan.findings} onJump={({ path, line }) => void jump(path, line)} />
      )}
      {isClean && <p className="text-sm">The scan no longer finds anything. Save again.</p>}
      {canInsist && isSure && (
        <p role="alert" className="text-sm font-medium">
          Save it even though it looks dangerous? Do so only if you wrote every word yourself or understand
          each finding above. A model does what a skill says.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {canInsist && !isSure && (
          <button type="button" className="btn btn-danger" onClick={() => setAsked(refused)}>
            Save anyway…
          </button>
        )}
        {canInsist && isSure && (
          <>
            <button
              type="button"
              className="btn btn-danger"
              disabled={saving}
              onClick={() => void save({ despite: true })}
            >
              Yes, save it anyway
            </button>
            <button type="button" className="btn btn-secondary" onClick={() => setAsked(null)}>
              No, keep editing
            </button>
          </>
        )}
        {!(canInsist && isSure) && (
          <button type="button" className="btn btn-secondary" onClick={dismissRefused}>
            Dismiss
          </button>
        )}
      </div>
    </section>
  )
}

type Side = 'diff' | 'theirs' | 'mine'

/** Shows both versions when the file changed on disk during an edit. Both are kept until the user chooses. */
export function Conflict(): ReactNode {
  const conflict = useDraft(draft => draft.conflict)
  const buffers = useDraft(draft => draft.buffers)
  const saving = useDraft(draft => draft.saving)
  const settle = useDraft(draft => draft.settle)
  const [side, setSide] = useState<Side>('diff')
  const heading = useId()
  if (!conflict) return null
  const { path, theirs } = conflict
  const mine = buffers[path]?.text ?? ''
  return (
    <section
      aria-labelledby={heading}
      className="mb-3 grid min-w-0 gap-2.5 rounded-xl border border-warn-line bg-warn-soft p-3.5"
    >
      <div role="alert">
        <h3 id={heading} className="text-sm font-semibold">
          {theirs === null ? `${path} was removed meanwhile.` : `${path} was changed meanwhile.`}
        </h3>
        <p className="text-sm">
          {theirs === null
            ? 'The agent, another window or another program deleted it.'
            : 'The agent, another window or another program changed it. Struck-out text is the other version, underlined text is yours.'}
        </p>
      </div>
      {theirs !== null && (
        <>
          <Segmented
            label="What is shown"
            value={side}
            options={[
              { value: 'diff', label: 'Their version and yours' },
              { value: 'theirs', label: 'Their version' },
              { value: 'mine', label: 'Your version' },
            ]}
            onChange={setSide}
          />
          {side === 'diff' ? (
            <TextDiff
              label="Their version and yours"
              before={theirs}
              after={mine}
              sameLines={unchangedLines}
            />
          ) : (
            <Scrollable
              as="pre"
              label={side === 'mine' ? 'Your version' : 'Their version'}
              className="max-h-80 overflow-auto rounded-lg border border-line bg-side px-3 py-2 font-mono text-xs break-words whitespace-pre-wrap"
            >
              {side === 'mine' ? mine : theirs}
            </Scrollable>
          )}
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-primary"
          disabled={saving}
          onClick={() => void settle('mine')}
        >
          Keep mine
        </button>
        <button
          type="button"
          className="btn btn-secondary"
          disabled={saving}
          onClick={() => void settle('theirs')}
        >
          {theirs === null ? 'Discard mine' : 'Use theirs'}
        </button>
      </div>
    </section>
  )
}

type LeaveDialogProps = { onStay: () => void; onLeave: () => void }

/** Asks before the user leaves the editor with unsaved changes. */
export function LeaveDialog({ onStay, onLeave }: LeaveDialogProps): ReactNode {
  const buffers = useDraft(draft => draft.buffers)
  const saving = useDraft(draft => draft.saving)
  const save = useDraft(draft => draft.save)
  const saveAndLeave = async () => ((await save()) ? onLeave() : onStay())
  return (
    <Dialog title="Leave without saving?" closeLabel="Keep editing" onClose={onStay}>
      <div className="grid gap-4">
        <p className="text-sm break-words">Not saved: {unsavedIn(buffers).join(', ')}.</p>
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" className="btn btn-secondary" onClick={onStay}>
            Keep editing
          </button>
          <button type="button" className="btn btn-danger" onClick={onLeave}>
            Discard
          </button>
          <button
            type="button"
            className="btn btn-primary"
            disabled={saving}
            onClick={() => void saveAndLeave()}
          >
            Save and leave
          </button>
        </div>
      </div>
    </Dialog>
  )
}
