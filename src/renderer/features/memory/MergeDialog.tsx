import { useId, useState, type ReactNode } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { keyText } from '../../ui/keys.ts'
import { LongText } from './LongText.tsx'
import { joined, type Pair } from './merge.ts'
import { focusEntry } from './rows.ts'
import { memoryText } from './strings.ts'
import { useActions } from './use-actions.ts'

const text = memoryText.merge

/** Two entries become one: what is written here is the one, and the other goes to the archive. */
export function MergeDialog({ kept, other, onClose }: Pair & { onClose: () => void }): ReactNode {
  const id = useId()
  const { merge } = useActions()
  // Both as they were when the person saw them; what becomes of them meanwhile is told and not overwritten.
  const [seen] = useState({ kept, other })
  const [written, setWritten] = useState(() => joined(kept.text, other.text))
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const keys = text.keys(keyText('mod+enter'), keyText('escape'))

  const save = async () => {
    if (busy || written.trim() === '') return
    setBusy(true)
    const answer = await merge(seen.kept, seen.other, written)
    setBusy(false)
    if (!answer.ok) return setProblem(text.problems[answer.left](answer.why))
    onClose()
    requestAnimationFrame(() => focusEntry(kept.id))
  }

  return (
    <Dialog title={text.title} closeLabel={memoryText.close} onClose={onClose} width="medium">
      <div className="grid gap-3">
        <p id={id} className="text-sm text-ink-2">
          {text.says}
        </p>
        <LongText
          value={written}
          label={text.field}
          hint={keys}
          describedBy={id}
          invalid={problem !== null}
          onChange={written => {
            setWritten(written)
            setProblem(null)
          }}
          onSave={() => void save()}
          onCancel={onClose}
        />
        {problem !== null && (
          <p role="alert" className="text-sm whitespace-pre-wrap text-danger">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <span aria-hidden="true" className="me-auto text-xs text-ink-3">
            {keys}
          </span>
          <button type="button" className="btn btn-secondary" onClick={onClose}>
            {text.cancel}
          </button>
          <button
            type="button"
            className="btn btn-primary"
            disabled={busy || written.trim() === ''}
            onClick={() => void save()}
          >
            {text.button}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
