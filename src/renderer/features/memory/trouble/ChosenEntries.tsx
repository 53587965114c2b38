import { type ReactNode, useState } from 'react'
import { MAX_ENTRY_CHARS, type WaitingFile } from '../../../../shared/contract/learned/memory.ts'
import { newEntries } from '../../../../shared/words/waiting-words.ts'
import { countOf, oneLine } from '../../../ui/text/format-values.ts'

type Row = { text: string; taken: boolean; isTheirs: boolean }

type Props = {
  file: WaitingFile
  busy: boolean
  onSave: (entries: string[]) => void
  onCancel: () => void
}

/**
 * The entries of both versions, each with a checkbox and an editor. The checked entries become the memory
 * file.
 */
export function ChosenEntries({ file, busy, onSave, onCancel }: Props): ReactNode {
  const [rows, setRows] = useState<Row[]>(() => [
    ...file.mine.entries.map(text => ({ text, taken: true, isTheirs: false })),
    ...newEntries(file).map(text => ({ text, taken: file.kind === 'copy', isTheirs: true })),
  ])
  const change = (at: number, change: Partial<Row>) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...change } : row)))
  const taken = rows.filter(row => row.taken && row.text.trim() !== '').map(row => row.text)
  return (
    <form
      className="grid gap-2"
      onSubmit={event => {
        event.preventDefault()
        onSave(taken)
      }}
    >
      <ul className="grid gap-1.5">
        {rows.map((row, at) => (
          <li key={at} className="flex items-start gap-2">
            <input
              type="checkbox"
              className="check mt-2.5"
              checked={row.taken}
              aria-label={`Keep “${oneLine(row.text, 60)}”`}
              onChange={event => change(at, { taken: event.target.checked })}
            />
            <textarea
              rows={1}
              dir="auto"
              maxLength={MAX_ENTRY_CHARS}
              value={row.text}
              aria-label={row.isTheirs ? 'Their entry' : 'Your entry'}
              className="field entry-field min-w-0 flex-1"
              onChange={event => change(at, { text: event.target.value, taken: true })}
            />
            <span className="memory-chip mt-1.5 shrink-0 text-xs">{row.isTheirs ? 'Theirs' : 'Mine'}</span>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <button type="submit" className="btn btn-primary" disabled={busy || taken.length === 0}>
          {`Keep ${countOf(taken.length, 'entry', 'entries')}`}
        </button>
        <button type="button" className="btn btn-secondary" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  )
}
