import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { formatCount } from '../text/format-values.ts'
import { isKey } from '../keyboard/keys.ts'
import { TextField } from './TextField.tsx'
import { Problem } from '../Banner.tsx'

type Entry = {
  /** Null if no number is set. */
  value: number | null
  range: readonly [least: number, most: number]
  /** Whether only whole numbers are allowed. */
  whole: boolean
  onChange: (value: number) => void
}

/** The sentence below a field whose number is out of range. */
export const rangeText = ([least, most]: Entry['range'], whole: boolean): string =>
  whole
    ? `A whole number from ${formatCount(least)} to ${formatCount(most)}.`
    : `A number from ${formatCount(least)} to ${formatCount(most)}.`

/** A number that is saved on Enter or when the field loses focus. Esc discards the typed text. */
function useTypedNumber({ value, range, whole, onChange }: Entry) {
  /** Null until the user types. */
  const [typed, setTyped] = useState<string | null>(null)
  const [least, most] = range
  // Many languages write a decimal comma.
  const number = typed === null || typed.trim() === '' ? Number.NaN : Number(typed.trim().replace(',', '.'))
  const isRight = number >= least && number <= most && (!whole || Number.isInteger(number))
  const save = () => {
    if (typed === null || !isRight) return
    if (number !== value) onChange(number)
    setTyped(null)
  }
  return {
    error: typed === null || isRight ? undefined : rangeText(range, whole),
    input: {
      inputMode: whole ? ('numeric' as const) : ('decimal' as const),
      value: typed ?? (value === null ? '' : String(value)),
      onChange: (event: { target: { value: string } }) => setTyped(event.target.value),
      onBlur: save,
      onKeyDown: (event: KeyboardEvent) => {
        if (isKey(event, 'enter')) save()
        else if (isKey(event, 'escape') && typed !== null) {
          event.preventDefault()
          setTyped(null)
        }
      },
    },
  }
}

type FieldProps = Entry & { label: string; hint: string }

/** A number field with a label above and a hint below. */
export function NumberField({ label, hint, ...entry }: FieldProps): ReactNode {
  const { error, input } = useTypedNumber(entry)
  return <TextField label={label} hint={hint} error={error} {...input} />
}

type InputProps = Entry & {
  /** The id for an external label, or a name without a visible label. */
  name: { id: string } | { label: string }
  hintId: string
}

/** A number input whose label and hint are rendered elsewhere. */
export function NumberInput({ name, hintId, ...entry }: InputProps): ReactNode {
  const { error, input } = useTypedNumber(entry)
  const errorId = useId()
  return (
    <div className="grid gap-1">
      <input
        type="text"
        autoComplete="off"
        className="field tabular-nums"
        {...('id' in name ? name : { 'aria-label': name.label })}
        aria-describedby={error === undefined ? hintId : errorId}
        aria-invalid={error !== undefined}
        {...input}
      />
      <Problem id={errorId} className="text-xs" text={error} />
    </div>
  )
}
