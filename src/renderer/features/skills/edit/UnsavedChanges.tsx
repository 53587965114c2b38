import { type ReactNode, useId, useState } from 'react'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { Segmented } from '../../../ui/fields/Choice.tsx'
import { TextDiff } from '../../../ui/text/TextDiff.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useDraft } from './draft-context.ts'
import { unsavedIn } from './buffers.ts'

/** Shows both versions when the file changed on disk during an edit. Both are kept until the user chooses. */
export function Conflict(): ReactNode {
  const conflict = useDraft(draft => draft.conflict)
  const buffers = useDraft(draft => draft.buffers)
  const saving = useDraft(draft => draft.saving)
  const settle = useDraft(draft => draft.settle)
  const [side, setSide] = useState<'diff' | 'theirs' | 'mine'>('diff')
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
          {theirs === null ? `${path} was deleted in the meantime.` : `${path} was changed in the meantime.`}
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
            <TextDiff label="Their version and yours" before={theirs} after={mine} />
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
        <p className="text-sm break-words">{`Not saved: ${unsavedIn(buffers).join(', ')}.`}</p>
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
