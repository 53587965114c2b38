import { useState, type ReactNode } from 'react'
import { Select } from '../../../ui/Choice.tsx'
import { NumberInput } from '../../../ui/NumberField.tsx'
import type { FieldProps } from './field-props.ts'

type Props = FieldProps & { range: readonly [number, number] }

/** A number, or automatic. */
export function AutoNumberField({ setting, range, hintId, onChange }: Props): ReactNode {
  const { title, value } = setting
  const number = typeof value === 'number' ? value : null
  // True once the user chose “A number” or types one, until it is saved.
  const [isByHand, setByHand] = useState(false)
  return (
    <div className="grid gap-1.5">
      <Select
        label={title}
        value={number !== null || isByHand ? 'number' : 'auto'}
        options={[
          { value: 'auto', label: 'Automatic' },
          { value: 'number', label: 'A number' },
        ]}
        onChange={how => {
          setByHand(how === 'number')
          if (how === 'auto' && number !== null) onChange('auto')
        }}
      />
      {(number !== null || isByHand) && (
        // Another window may set “Automatic” while the user types.
        <div onInput={() => setByHand(true)} onBlur={() => number !== null && setByHand(false)}>
          <NumberInput
            name={{ label: `${title}, number` }}
            hintId={hintId}
            value={number}
            range={range}
            whole
            onChange={value => {
              setByHand(false)
              onChange(value)
            }}
          />
        </div>
      )}
    </div>
  )
}
