import { useEffect, useRef, type FormEvent, type ReactNode } from 'react'
import { useStore, type StoreApi } from 'zustand'
import { ChooseButton } from '../../desktop.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import type { ImportStore } from './import-store.ts'
import { PreviewStep, Report, RunStep } from './ImportSteps.tsx'

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
          home={state.home}
          onHome={state.setHome}
          onStart={() => void state.run()}
          onBack={state.restart}
        />
      )}
      {step.name === 'running' && <RunStep {...step} onCancel={state.cancel} />}
      {step.name === 'over' && <Report report={step.report} onMore={state.restart} onClose={close} />}
    </Dialog>
  )
}

const sources = [
  [
    'Hermes',
    'the folder .hermes, with its skills and settings, or a part of it: state.db, MEMORY.md or USER.md',
  ],
  ['ChatGPT', 'the export: the zip, the unpacked folder, or conversations.json'],
  ['Claude', 'the export: the zip, the unpacked folder, or conversations.json'],
] as const

type Props = {
  path: string
  problem: string | undefined
  isLooking: boolean
  onPath: (path: string) => void
  onLook: () => void
  onCancel: () => void
}

/** Asks for the path of the export. A problem is shown at the field, which gets the focus. */
function AskStep({ path, problem, isLooking, onPath, onLook, onCancel }: Props): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  const isReady = path.trim() !== '' && !isLooking
  useEffect(() => {
    if (!isLooking) field.current?.focus()
  }, [isLooking])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    // The button is about to be disabled, which would lose the focus.
    field.current?.focus()
    onLook()
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <p className="text-sm text-ink-2">
        Bring your chats and memories from another program. Everything is read on this computer, and the
        import sends nothing anywhere.
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {sources.map(([name, what]) => (
          <div key={name} className="contents">
            <dt className="font-medium">{name}</dt>
            <dd className="text-ink-2">{what}</dd>
          </div>
        ))}
      </dl>
      <TextField
        ref={field}
        label="File or folder"
        placeholder="/home/you/Downloads/export.zip"
        hint="The full path. Talaria only reads it, and imports nothing until you have seen what is in it."
        error={problem}
        dir="ltr"
        maxLength={4_096}
        readOnly={isLooking}
        value={path}
        onChange={event => onPath(event.target.value)}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <ChooseButton what="import" label="Choose a file…" disabled={isLooking} onChosen={onPath} />
        <ChooseButton what="folder" label="Choose a folder…" disabled={isLooking} onChosen={onPath} />
        {isLooking && (
          <button type="button" className="btn btn-secondary" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button type="submit" className="btn btn-primary px-5" disabled={!isReady}>
          {isLooking && <Spinner />}
          {isLooking ? 'Looking…' : 'Look inside'}
        </button>
      </div>
    </form>
  )
}
