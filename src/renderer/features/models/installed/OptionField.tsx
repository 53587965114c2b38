import { useState, type ReactNode } from 'react'
import { isKey } from '../../../ui/keys.ts'
import { TextField } from '../../../ui/TextField.tsx'
import { pageText } from '../page-strings.ts'

const text = pageText.options

type Props = {
  label: string
  hint: string
  /** Undefined where Talaria decides. */
  value: number | undefined
  range: readonly [least: number, most: number]
  /** Whether only whole numbers will do. */
  whole?: boolean
  onChange: (value: number | undefined) => void
}

/** A number, or nothing; it counts when the field is left or Enter is pressed, and Esc takes back what was typed. */
export function OptionField({ label, hint, value, range, whole = false, onChange }: Props): ReactNode {
  /** Null while nothing else than the value was typed. */
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
      error={typed === null || isRight ? undefined : (whole ? text.whole : text.range)(least, most)}
      inputMode="decimal"
      placeholder={text.auto}
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
