import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { isKey, keyText } from '../../../ui/keys.ts'

/** Maximum length of an entry. The host reports the exact limit. */
const MAX_LENGTH = 20_000

type Props = {
  text: string
  busy: boolean
  refused: boolean
  onChange: (text: string) => void
  onKeep: () => void
  onCancel: () => void
}

/** A field to reword a proposal before accepting it. */
export function Rewording({ text, busy, refused, onChange, onKeep, onCancel }: Props): ReactNode {
  const about = useId()
  const isReady = !busy && text.trim() !== ''
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const isKeep = isKey(event, 'enter')
    if (!isKeep && !isKey(event, 'escape')) return
    event.preventDefault()
    // Elsewhere Esc stops an answer.
    event.stopPropagation()
    if (!isKeep) onCancel()
    else if (isReady) onKeep()
  }
  return (
    <div className="grid gap-2">
      <textarea
        rows={1}
        dir="auto"
        value={text}
        maxLength={MAX_LENGTH}
        aria-label="Text to keep"
        aria-invalid={refused}
        aria-describedby={about}
        className="field field-sizing-content max-h-40 resize-none"
        onChange={event => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center gap-2">
        <button type="button" disabled={!isReady} className="btn btn-secondary" onClick={onKeep}>
          Keep
        </button>
        <button type="button" className="btn btn-quiet" onClick={onCancel}>
          Cancel
        </button>
        <span id={about} className="text-xs text-ink-3">
          {`${keyText('enter')} keeps it, ${keyText('escape')} cancels.`}
        </span>
      </div>
    </div>
  )
}
