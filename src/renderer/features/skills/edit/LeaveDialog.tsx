import type { ReactNode } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useDraft } from './draft-context.ts'
import { unsavedIn } from './buffers.ts'

type Props = { onStay: () => void; onLeave: () => void }

/** Asks before the user leaves the editor with unsaved changes. */
export function LeaveDialog({ onStay, onLeave }: Props): ReactNode {
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
