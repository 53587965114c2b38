import { useState, type ReactNode } from 'react'
import { isKey } from '../../../ui/keys.ts'
import type { FieldProps } from './field-props.ts'

/** A line of text. Saved on blur or Enter; Esc discards what was typed. */
export function TextField({ setting, id, hintId, most, onChange }: FieldProps & { most: number }): ReactNode {
  const value = typeof setting.value === 'string' ? setting.value : ''
  const [typed, setTyped] = useState<string | null>(null)
  const save = () => {
    if (typed === null) return
    if (typed.trim() !== value) onChange(typed.trim())
    setTyped(null)
  }
  return (
    <input
      id={id}
      type="text"
      dir="auto"
      spellCheck={false}
      autoComplete="off"
      maxLength={most}
      className="field"
      aria-describedby={hintId}
      value={typed ?? value}
      onChange={event => setTyped(event.target.value)}
      onBlur={save}
      onKeyDown={event => {
        if (isKey(event, 'enter')) save()
        else if (isKey(event, 'escape') && typed !== null) {
          event.preventDefault()
          setTyped(null)
        }
      }}
    />
  )
}
