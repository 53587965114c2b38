import type { ReactNode } from 'react'
import type { FoundFile, Model } from '../../../../shared/contract/model.ts'
import { attempt, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { AddFound } from './AddFound.tsx'
import { addText } from './strings.ts'

type Props = {
  paths: readonly string[]
  onAdded: ((model: Model) => void) | undefined
  onClose: () => void
}

/** What lies at the places that were dropped, and how it is to be brought in. */
export function DroppedPaths({ paths, onAdded, onClose }: Props): ReactNode {
  const { client } = useLink()
  const answer = useAsked(async (signal): Promise<Outcome<FoundFile[]>> => {
    // All parts of one model say the same.
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
      title={addText.title(answer?.ok ? Math.max(1, answer.value.length) : 1)}
      closeLabel={addText.close}
      width="medium"
      onClose={onClose}
    >
      {!answer && (
        <output className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          {addText.looking}
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
