import { useEffect, useRef, type FormEvent, type ReactNode } from 'react'
import { Spinner } from '../../ui/Spinner.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { importText } from './strings.ts'

type Props = {
  path: string
  problem: string | undefined
  isLooking: boolean
  onPath: (path: string) => void
  onLook: () => void
  onCancel: () => void
}

/** What can be imported, and where it is. What was wrong with it stands at the field, which has the focus. */
export function AskStep({ path, problem, isLooking, onPath, onLook, onCancel }: Props): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  const isReady = path.trim() !== '' && !isLooking
  useEffect(() => {
    if (!isLooking) field.current?.focus()
  }, [isLooking])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    // The button is about to be off, and would take the focus with it.
    field.current?.focus()
    onLook()
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <p className="text-sm text-ink-2">{importText.explains}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {importText.sources.map(([name, what]) => (
          <div key={name} className="contents">
            <dt className="font-medium">{name}</dt>
            <dd className="text-ink-2">{what}</dd>
          </div>
        ))}
      </dl>
      <TextField
        ref={field}
        label={importText.path}
        placeholder={importText.pathPlaceholder}
        hint={importText.pathHint}
        error={problem}
        dir="ltr"
        maxLength={4_096}
        readOnly={isLooking}
        value={path}
        onChange={event => onPath(event.target.value)}
      />
      <div className="flex justify-end gap-2">
        {isLooking && (
          <button type="button" className="btn btn-secondary" onClick={onCancel}>
            {importText.cancel}
          </button>
        )}
        <button type="submit" className="btn btn-primary px-5" disabled={!isReady}>
          {isLooking && <Spinner />}
          {isLooking ? importText.looking : importText.look}
        </button>
      </div>
    </form>
  )
}
