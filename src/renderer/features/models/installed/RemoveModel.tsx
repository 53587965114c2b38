import { useState, type ReactNode } from 'react'
import type { Model } from '../../../../shared/contract/model.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { useModelActions } from '../use-model-actions.ts'

/** Confirms removal. A model in Talaria’s own folder loses its file; others only leave the list. */
export function RemoveModel({ model, onClose }: { model: Model; onClose: () => void }): ReactNode {
  const { forget, deleteFile } = useModelActions()
  const [busy, setBusy] = useState(false)
  const owned = model.file?.owned === true
  const go = async () => {
    setBusy(true)
    const done = await (owned ? deleteFile(model) : forget(model))
    setBusy(false)
    // On failure a toast shows the error, and the dialog stays open for another try.
    if (done) onClose()
  }
  const says = owned
    ? `It is in Talaria’s own folder. This frees ${formatBytes(model.sizeBytes ?? 0)} and cannot be undone.`
    : model.server
      ? 'Talaria deletes its address and its key.'
      : 'The file stays where it is and can be added again.'
  return (
    <Dialog
      title={owned ? `Delete the file of ${model.name}?` : `Remove ${model.name} from the list?`}
      closeLabel="Close"
      onClose={onClose}
    >
      <p className="text-sm text-ink-2">{says}</p>
      <div className="mt-4 flex justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="btn btn-danger" disabled={busy} onClick={() => void go()}>
          {owned ? 'Delete the file' : 'Remove from the list'}
        </button>
      </div>
    </Dialog>
  )
}
