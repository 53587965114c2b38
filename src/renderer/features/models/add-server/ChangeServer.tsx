import { useState, type ReactNode } from 'react'
import type { Model } from '../../../../shared/contract/model.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { ServerFields } from './ServerFields.tsx'
import { serverText as text } from './strings.ts'

/** The button that opens a known server to be changed; chats that use it go on with it. */
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
        {text.change}
      </button>
      {isOpen && (
        <Dialog title={text.changeTitle(model.name)} closeLabel={text.close} onClose={() => setOpen(false)}>
          <ServerFields
            known={model}
            onDone={({ name }) => {
              setOpen(false)
              showToast(text.saved(name))
            }}
          />
        </Dialog>
      )}
    </>
  )
}
