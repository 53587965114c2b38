import { useState, type FormEvent, type ReactNode } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useMemory } from './memory-context.ts'
import { useMemoryActions } from './use-memory-actions.ts'
import { plural } from '../../ui/format.ts'

/** Erases all entries, after the user types a word to confirm. */
export function ForgetDialog({ onClose }: { onClose: () => void }): ReactNode {
  const count = useMemory(memory => memory.view?.entries.length ?? 0)
  const { forgetAll } = useMemoryActions()
  const [word, setWord] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isTyped = word.trim().toLowerCase() === 'forget'

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isTyped || busy) return
    setBusy(true)
    const answer = await forgetAll()
    setBusy(false)
    if (answer.ok) onClose()
    else setProblem(answer.fault.message)
  }

  return (
    <Dialog title="Forget everything?" closeLabel="Close" onClose={onClose}>
      <form className="grid gap-4" onSubmit={event => void submit(event)}>
        <p className="text-sm text-ink-2">{`${plural(count, '1 entry goes', 'entries go')} to the archive, locked ones too. Chats and skills stay.`}</p>
        <TextField
          label="Type “forget” to confirm"
          value={word}
          error={problem}
          onChange={event => setWord(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <button type="button" className="btn btn-secondary" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn btn-danger" disabled={!isTyped || busy}>
            Forget everything
          </button>
        </div>
      </form>
    </Dialog>
  )
}
