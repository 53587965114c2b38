import { useState, type FormEvent, type ReactNode } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useMemory } from './memory-context.ts'
import { memoryText } from './strings.ts'
import { useActions } from './use-actions.ts'

/** Everything goes at once only after a word was typed. */
export function ForgetDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = memoryText.forget
  const count = useMemory(memory => memory.view?.entries.length ?? 0)
  const { forgetAll } = useActions()
  const [word, setWord] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isTyped = word.trim().toLowerCase() === text.word

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
    <Dialog title={text.title} closeLabel={memoryText.close} onClose={onClose}>
      <form className="grid gap-4" onSubmit={event => void submit(event)}>
        <p className="text-sm text-ink-2">{text.says(count)}</p>
        <TextField
          label={text.field(text.word)}
          value={word}
          error={problem}
          onChange={event => setWord(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <button type="button" className="btn btn-secondary" onClick={onClose}>
            {text.cancel}
          </button>
          <button type="submit" className="btn btn-danger" disabled={!isTyped || busy}>
            {text.button}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
