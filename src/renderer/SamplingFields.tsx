import { useState, type ReactNode } from 'react'
import type { Sampling } from '../shared/contract/models/sampling.ts'
import { rangeText } from './ui/fields/NumberField.tsx'
import { TextField } from './ui/fields/TextField.tsx'

type Field = {
  key: keyof Sampling
  label: string
  hint: string
  range: readonly [least: number, most: number]
  whole: boolean
}

/** What can be set, in the order shown. The contract has the same ranges. */
const fields: readonly Field[] = [
  {
    key: 'temperature',
    label: 'Temperature',
    hint: 'Higher: less likely words.',
    range: [0, 5],
    whole: false,
  },
  { key: 'topP', label: 'Top-p', hint: 'Words that make up this share.', range: [0, 1], whole: false },
  { key: 'topK', label: 'Top-k', hint: 'The likeliest of this number.', range: [1, 1_000], whole: true },
  { key: 'minP', label: 'Min-p', hint: 'Words at least this likely.', range: [0, 1], whole: false },
  {
    key: 'repeatPenalty',
    label: 'Repeat penalty',
    hint: 'Above 1: fewer repetitions.',
    range: [0.1, 3],
    whole: false,
  },
  {
    key: 'seed',
    label: 'Seed',
    hint: 'The same again, as far as it goes.',
    range: [0, 2 ** 31 - 1],
    whole: true,
  },
  { key: 'maxTokens', label: 'Max tokens', hint: 'The longest reply.', range: [16, 1_000_000], whole: true },
]

type Props = { value: Sampling; onChange: (sampling: Sampling) => void }

/** How a model picks its words. Each value is saved when its field is left; an empty one is not set. */
export function SamplingFields({ value, onChange }: Props): ReactNode {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-xs font-medium text-ink-2">Sampling</legend>
      <p className="text-xs text-ink-3">
        Empty: as the model has it. Local models take all of them. A server that refuses one answers without
        it; Claude takes temperature, top-p, top-k and max tokens, and does not think with the last one.
      </p>
      <div className="grid grid-cols-2 gap-3">
        {fields.map(field => (
          <OptionalNumber
            // A value that another window changed replaces what is shown.
            key={`${field.key} ${value[field.key]}`}
            field={field}
            value={value[field.key]}
            onChange={number => {
              const { [field.key]: _before, ...others } = value
              onChange(number === undefined ? others : { ...others, [field.key]: number })
            }}
          />
        ))}
      </div>
    </fieldset>
  )
}

type OptionalProps = {
  field: Field
  value: number | undefined
  onChange: (value: number | undefined) => void
}

function OptionalNumber({ field: { label, hint, range, whole }, value, onChange }: OptionalProps) {
  const before = value === undefined ? '' : String(value)
  const [typed, setTyped] = useState(before)
  const text = typed.trim().replace(',', '.')
  const number = Number(text)
  const isRight =
    text === '' || (number >= range[0] && number <= range[1] && (!whole || Number.isInteger(number)))
  const save = () => {
    if (isRight && text !== before) onChange(text === '' ? undefined : number)
  }
  return (
    <TextField
      label={label}
      hint={hint}
      error={isRight ? undefined : rangeText(range, whole)}
      inputMode={whole ? 'numeric' : 'decimal'}
      placeholder="not set"
      value={typed}
      onChange={event => setTyped(event.target.value)}
      onBlur={save}
      onKeyDown={event => event.key === 'Enter' && save()}
    />
  )
}
