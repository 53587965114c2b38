import { useState, type ReactNode } from 'react'
import type { Model } from '../../../../shared/contract/model.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toasts.ts'
import type { ModelsStore } from '../models-store.ts'
import { AddPath } from './AddModelDialog.tsx'

type Props = {
  files: readonly File[]
  send: ModelsStore['send']
  onAdded: ((model: Model) => void) | undefined
  /** Called when the uploads have started. */
  onSent: () => void
  onClose: () => void
}

/** Uploads files, because a browser hides their paths. The user can enter the path instead. */
export function SendFiles({ files, send, onAdded, onSent, onClose }: Props): ReactNode {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const begin = async () => {
    setBusy(true)
    const sent = await send(files)
    setBusy(false)
    if (!sent.ok) return setProblem(sent.fault.message)
    showToast(files.length === 1 ? 'The file is being sent.' : `${files.length} files are being sent.`)
    onClose()
    onSent()
  }
  return (
    <Dialog title="Send a model file" closeLabel="Close" width="medium" onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <ul className="grid gap-1">
          {files.map(file => (
            <li key={file.name} className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
              <span dir="auto" className="font-medium break-all">
                {file.name}
              </span>
              <span className="text-xs text-ink-3">{formatBytes(file.size)}</span>
            </li>
          ))}
        </ul>
        <p className="text-sm text-ink-2">
          A browser page cannot use a file in place, so the file is sent to the computer that Talaria runs on.
          You can use it once it has arrived.
        </p>
        {problem !== '' && (
          <p role="alert" className="text-sm text-danger">
            {problem}
          </p>
        )}
        <button
          type="button"
          className="btn btn-primary justify-self-start px-5"
          disabled={busy}
          onClick={() => void begin()}
        >
          Send {formatBytes(bytes)}
        </button>
        <div className="grid gap-3 border-t border-line pt-4">
          <p className="text-sm text-ink-2">
            Is it on the same computer? Then enter its path and nothing is copied.
          </p>
          <AddPath
            onAdded={model => {
              showToast(`${model.name} was added.`)
              onClose()
              onAdded?.(model)
            }}
            onCopying={onClose}
          />
        </div>
      </div>
    </Dialog>
  )
}
