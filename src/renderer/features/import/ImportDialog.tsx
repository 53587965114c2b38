import { useEffect, type ReactNode } from 'react'
import { useStore, type StoreApi } from 'zustand'
import { Dialog } from '../../ui/Dialog.tsx'
import type { ImportStore } from './import-store.ts'
import { AskStep } from './AskStep.tsx'
import { PreviewStep } from './PreviewStep.tsx'
import { Report } from './Report.tsx'
import { RunStep } from './RunStep.tsx'

/** The import dialog: choose a file, preview it, import it. */
export function ImportDialog({
  store,
  onClose,
}: {
  store: StoreApi<ImportStore>
  onClose: () => void
}): ReactNode {
  const state = useStore(store)
  const { step, setShown } = state
  useEffect(() => {
    setShown(true)
    return () => setShown(false)
  }, [setShown])
  const close = () => {
    state.leave()
    onClose()
  }
  return (
    <Dialog title="Import chats and memories" closeLabel="Close" width="medium" onClose={close}>
      {(step.name === 'asking' || step.name === 'looking') && (
        <AskStep
          path={state.path}
          problem={step.name === 'asking' ? step.problem : undefined}
          isLooking={step.name === 'looking'}
          onPath={state.setPath}
          onLook={() => void state.look()}
          onCancel={state.cancel}
        />
      )}
      {step.name === 'found' && (
        <PreviewStep
          preview={step.preview}
          memories={state.memories}
          onMemories={state.setMemories}
          onStart={() => void state.run()}
          onBack={state.restart}
        />
      )}
      {step.name === 'running' && <RunStep {...step} onCancel={state.cancel} />}
      {step.name === 'over' && <Report report={step.report} onMore={state.restart} onClose={close} />}
    </Dialog>
  )
}
