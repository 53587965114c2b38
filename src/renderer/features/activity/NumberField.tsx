import { useState, type ReactNode } from 'react'
import { formatCount } from '../../ui/format.ts'
import { isKey } from '../../ui/keys.ts'
import { TextField } from '../../ui/TextField.tsx'
import { activityText } from './strings.ts'

type Props = {
  label: string
  hint: string
  value: number
  range: readonly [number, number]
  onChange: (value: number) => void
}

/** A whole number, which counts when the field is left or Enter is pressed; Esc takes back what was typed. */
export function NumberField({ label, hint, value, range, onChange }: Props): ReactNode {
  /** Null while nothing else than the value was typed. */
  const [typed, setTyped] = useState<string | null>(null)
  const [least, most] = range
  const number = typed === null || typed.trim() === '' ? Number.NaN : Number(typed)
  const isRight = Number.isInteger(number) && number >= least && number <= most
  const save = () => {
    if (typed === null || !isRight) return
    if (number !== value) onChange(number)
    setTyped(null)
  }
  return (
    <TextField
      label={label}
      hint={hint}
      error={
        typed === null || isRight
          ? undefined
          : activityText.controls.range(formatCount(least), formatCount(most))
      }
      inputMode="numeric"
      value={typed ?? String(value)}
      onChange={event => setTyped(event.target.value)}
      onBlur={save}
      onKeyDown={event => {
        if (isKey(event, 'enter')) save()
        else if (isKey(event, 'escape')) setTyped(null)
      }}
    />
  )
}
