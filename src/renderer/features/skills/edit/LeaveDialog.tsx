import type { ReactNode } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useDraft } from './draft-context.ts'
import { unsavedIn } from './buffers.ts'
import { editText } from './strings.ts'

const text = editText.leave

type Props = { onStay: () => void; onLeave: () => void }

/** The editor is about to be left with something that is not saved. */
export function LeaveDialog({ onStay, onLeave }: Props): ReactNode {
  const buffers = useDraft(draft => draft.buffers)
  const saving = useDraft(draft => draft.saving)
  const save = useDraft(draft => draft.save)
  const saveAndLeave = async () => ((await save()) ? onLeave() : onStay())
  return (
    <Dialog title={text.title} closeLabel={text.stay} onClose={onStay}>
      <div className="grid gap-4">
        <p className="text-sm break-words">{text.says(unsavedIn(buffers))}</p>
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" className="btn btn-secondary" onClick={onStay}>
            {text.stay}
          </button>
          <button type="button" className="btn btn-danger" onClick={onLeave}>
            {text.drop}
          </button>
          <button
            type="button"
            className="btn btn-primary"
            disabled={saving}
            onClick={() => void saveAndLeave()}
          >
            {text.save}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
