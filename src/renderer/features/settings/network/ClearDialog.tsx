import { useState, type ReactNode } from 'react'
import { attempt } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { countOf } from '../../../ui/format.ts'

type Props = { count: number; onCleared: () => void; onClose: () => void }

/** Confirms clearing the ledger. */
export function ClearDialog({ count, onCleared, onClose }: Props): ReactNode {
  const { client } = useLink()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const clear = async () => {
    setBusy(true)
    const answer = await attempt(client['network.clear']({}))
    setBusy(false)
    if (!answer.ok) return setProblem(answer.fault.message)
    onCleared()
    onClose()
  }
  return (
    <Dialog title="Clear the list of requests?" closeLabel="Close" onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-sm text-ink-2">
          The record of {countOf(count, 'request', 'requests')} is deleted. This cannot be undone.
        </p>
        {problem !== null && (
          <p role="alert" className="text-sm text-danger">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <button type="button" className="btn btn-secondary" onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="btn btn-danger" disabled={isBusy} onClick={() => void clear()}>
            Clear the list
          </button>
        </div>
      </div>
    </Dialog>
  )
}
