import { useId, useState, type ReactNode } from 'react'

const MOST = 8_000

type Props = {
  label: string
  hint: string
  value: string
  /** Resolves to the reason why the text was not saved; undefined if it was saved. */
  save: (text: string) => Promise<string | undefined>
}

/** Instructions for a model. Saved with a button, because each change makes the model read the chat again. */
export function InstructionsField({ label, hint, value, save }: Props): ReactNode {
  const id = useId()
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string>()
  const [kept, setKept] = useState(value)
  if (kept !== value) {
    setKept(value)
    setText(value)
  }
  const note = problem ?? (text.length > MOST ? 'Instructions have at most 8,000 characters.' : undefined)
  const isChanged = text.trim() !== value
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        {label}
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={4}
        value={text}
        aria-describedby={`${id}-about`}
        aria-invalid={note !== undefined}
        className="field resize-y"
        onChange={event => {
          setText(event.target.value)
          setProblem(undefined)
        }}
      />
      <p
        id={`${id}-about`}
        role={note === undefined ? undefined : 'alert'}
        className={note === undefined ? 'text-xs text-ink-3' : 'text-xs text-danger'}
      >
        {note ?? hint}
      </p>
      {isChanged && (
        <div className="flex gap-2">
          <button
            type="button"
            className="btn btn-primary"
            disabled={text.length > MOST}
            onClick={() => void save(text).then(setProblem)}
          >
            Save the instructions
          </button>
          <button type="button" className="btn btn-quiet" onClick={() => setText(value)}>
            Discard
          </button>
        </div>
      )}
    </div>
  )
}
