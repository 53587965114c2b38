import { useState, type ReactNode } from 'react'
import type { Model } from '../../../../shared/contract/model.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { pageText } from '../page-strings.ts'
import { useActions } from '../use-actions.ts'

const text = pageText.list

/** Asks before a model goes: from the list only, or, in Talaria’s own folder, with its file. */
export function RemoveModel({ model, onClose }: { model: Model; onClose: () => void }): ReactNode {
  const { forget, deleteFile } = useActions()
  const [busy, setBusy] = useState(false)
  const owned = model.file?.owned === true
  const go = async () => {
    setBusy(true)
    const done = await (owned ? deleteFile(model) : forget(model))
    setBusy(false)
    // What was wrong stands in the corner; the question stays for another try.
    if (done) onClose()
  }
  const says = owned
    ? text.deleteSays(model.sizeBytes ?? 0)
    : model.server
      ? text.removeServerSays
      : text.removeSays
  return (
    <Dialog
      title={owned ? text.deleteTitle(model.name) : text.removeTitle(model.name)}
      closeLabel={pageText.close}
      onClose={onClose}
    >
      <p className="text-sm text-ink-2">{says}</p>
      <div className="mt-4 flex justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onClose}>
          {pageText.cancel}
        </button>
        <button type="button" className="btn btn-danger" disabled={busy} onClick={() => void go()}>
          {owned ? text.deleteFile : text.remove}
        </button>
      </div>
    </Dialog>
  )
}
