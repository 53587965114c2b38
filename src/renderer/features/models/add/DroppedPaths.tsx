import type { ReactNode } from 'react'
import type { FoundFile, Model } from '../../../../shared/contract/model.ts'
import { attempt, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { AddFound } from './AddFound.tsx'

type Props = {
  paths: readonly string[]
  onAdded: ((model: Model) => void) | undefined
  onClose: () => void
}

/** The files at the dropped paths, and the choice of how to add them. */
export function DroppedPaths({ paths, onAdded, onClose }: Props): ReactNode {
  const { client } = useLink()
  const answer = useAsked(async (signal): Promise<Outcome<FoundFile[]>> => {
    // All parts of a split model give the same answer.
    const found = new Map<string, FoundFile>()
    for (const path of paths) {
      const answer = await attempt(client['model.look']({ path }, { signal }))
      if (!answer.ok) return answer
      for (const file of answer.value.files) found.set(file.path, file)
    }
    return { ok: true, value: [...found.values()] }
  }, paths.join('\n'))
  return (
    <Dialog
      title={answer?.ok && answer.value.length > 1 ? `Add ${answer.value.length} models` : 'Add a model'}
      closeLabel="Close"
      width="medium"
      onClose={onClose}
    >
      {!answer && (
        <output className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          Reading the file…
        </output>
      )}
      {answer && !answer.ok && (
        <p role="alert" className="text-sm text-danger">
          {answer.fault.message}
        </p>
      )}
      {answer?.ok && <AddFound files={answer.value} onAdded={onAdded} onDone={onClose} />}
    </Dialog>
  )
}
