import { useId, useState, type ReactNode } from 'react'
import { formatCount } from '../../../ui/format.ts'
import { isKey } from '../../../ui/keys.ts'
import { Select } from '../../../ui/Select.tsx'
import { settingsText } from '../strings.ts'
import type { FieldProps } from './field-props.ts'

const text = settingsText.field

type Props = Pick<FieldProps, 'hintId'> & {
  /** Named by a label elsewhere, or by a text of its own. */
  name: { id: string } | { label: string }
  /** Null where there is none yet. */
  value: number | null
  range: readonly [number, number]
  whole: boolean
  onChange: (value: number) => void
}

/** A number, which counts when the field is left or Enter is pressed; Esc takes back what was typed. */
export function NumberField({ name, hintId, value, range, whole, onChange }: Props): ReactNode {
  /** Null while nothing else than the value was typed. */
  const [typed, setTyped] = useState<string | null>(null)
  const errorId = useId()
  const [least, most] = range
  // A comma is what half of the world writes for the point.
  const number = typed === null || typed.trim() === '' ? Number.NaN : Number(typed.trim().replace(',', '.'))
  const isRight = number >= least && number <= most && (!whole || Number.isInteger(number))
  const isWrong = typed !== null && !isRight
  const save = () => {
    if (typed === null || !isRight) return
    if (number !== value) onChange(number)
    setTyped(null)
  }
  return (
    <div className="grid gap-1">
      <input
        type="text"
        inputMode={whole ? 'numeric' : 'decimal'}
        autoComplete="off"
        className="field tabular-nums"
        {...('id' in name ? name : { 'aria-label': name.label })}
        aria-describedby={isWrong ? errorId : hintId}
        aria-invalid={isWrong}
        value={typed ?? (value === null ? '' : String(value))}
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
      {isWrong && (
        <p id={errorId} role="alert" className="text-xs text-danger">
          {(whole ? text.whole : text.number)(formatCount(least), formatCount(most))}
        </p>
      )}
    </div>
  )
}

type AutoProps = FieldProps & { range: readonly [number, number] }

/** A number, or Talaria’s own choice of one. */
export function AutoNumberField({ setting, range, hintId, onChange }: AutoProps): ReactNode {
  const { title, value } = setting
  const number = typeof value === 'number' ? value : null
  // A number that was asked for and not yet written.
  const [isByHand, setByHand] = useState(false)
  return (
    <div className="grid gap-1.5">
      <Select
        label={title}
        value={number !== null || isByHand ? 'number' : 'auto'}
        options={[
          { value: 'auto', label: text.auto },
          { value: 'number', label: text.byHand },
        ]}
        onChange={how => {
          setByHand(how === 'number')
          if (how === 'auto' && number !== null) onChange('auto')
        }}
      />
      {(number !== null || isByHand) && (
        <NumberField
          name={{ label: text.numberOf(title) }}
          hintId={hintId}
          value={number}
          range={range}
          whole
          onChange={onChange}
        />
      )}
    </div>
  )
}
