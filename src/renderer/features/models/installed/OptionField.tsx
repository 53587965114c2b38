import { useState, type ReactNode } from 'react'
import { isKey } from '../../../ui/keys.ts'
import { rangeText } from '../../../ui/NumberField.tsx'
import { TextField } from '../../../ui/TextField.tsx'

type Props = {
  label: string
  hint: string
  /** Undefined for automatic. */
  value: number | undefined
  range: readonly [least: number, most: number]
  /** Whether only whole numbers are allowed. */
  whole?: boolean
  onChange: (value: number | undefined) => void
}

/** An optional number. Saved on blur or Enter; Esc discards what was typed. */
export function OptionField({ label, hint, value, range, whole = false, onChange }: Props): ReactNode {
  /** Null until the user types. */
  const [typed, setTyped] = useState<string | null>(null)
  const [least, most] = range
  const number = Number((typed ?? '').trim().replace(',', '.'))
  const isEmpty = typed !== null && typed.trim() === ''
  const isRight =
    isEmpty ||
    (Number.isFinite(number) && number >= least && number <= most && (!whole || Number.isInteger(number)))
  const save = () => {
    if (typed === null || !isRight) return
    const next = isEmpty ? undefined : number
    if (next !== value) onChange(next)
    setTyped(null)
  }
  return (
    <TextField
      label={label}
      hint={hint}
      error={typed === null || isRight ? undefined : rangeText(range, whole)}
      inputMode="decimal"
      placeholder="automatic"
      value={typed ?? (value === undefined ? '' : String(value))}
      onChange={event => setTyped(event.target.value)}
      onBlur={save}
      onKeyDown={event => {
        if (isKey(event, 'enter')) save()
        else if (isKey(event, 'escape') && typed !== null) {
          event.stopPropagation()
          setTyped(null)
        }
      }}
    />
  )
}
