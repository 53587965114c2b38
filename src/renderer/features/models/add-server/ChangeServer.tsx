import { useState, type ReactNode } from 'react'
import type { Model } from '../../../../shared/contract/model.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { ServerFields } from './ServerFields.tsx'

/** The button that edits a known server. Chats that use the server keep it. */
export function ChangeServer({ model }: { model: Model }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className="btn btn-secondary"
        onClick={() => setOpen(true)}
      >
        Change…
      </button>
      {isOpen && (
        <Dialog title={`Change ${model.name}`} closeLabel="Close" onClose={() => setOpen(false)}>
          <ServerFields
            known={model}
            onDone={({ name }) => {
              setOpen(false)
              showToast(`${name} was changed.`)
            }}
          />
        </Dialog>
      )}
    </>
  )
}
