import type { ReactNode } from 'react'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { AddFound } from './AddFound.tsx'
import { canAdd } from './FoundFiles.tsx'

/** Models downloaded by other programs, which can be linked in place. Opening the dialog starts the scan. */
export function ScanDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { client } = useLink()
  const answer = useAsked(signal => attemptCall(client['model.scanApps']({}, { signal })), '')
  return (
    <Dialog title="Models from other programs" closeLabel="Close" width="medium" onClose={onClose}>
      {!answer && (
        <output className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          Looking in the folders of LM Studio, Jan, GPT4All and Ollama…
        </output>
      )}
      {answer && !answer.ok && (
        <p role="alert" className="text-sm text-danger">
          {answer.fault.message}
        </p>
      )}
      {answer?.ok && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {answer.value.files.length === 0 ? (
            <p className="text-sm text-ink-2">No model files from these programs were found.</p>
          ) : (
            <>
              {!answer.value.files.some(canAdd) && (
                <p className="text-sm text-ink-2">All of them are already in your list.</p>
              )}
              <AddFound files={answer.value.files} onDone={onClose} />
            </>
          )}
          {answer.value.looked.length > 0 && (
            <p dir="auto" className="text-xs break-words text-ink-3">
              Looked in {answer.value.looked.join(', ')}.
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}
