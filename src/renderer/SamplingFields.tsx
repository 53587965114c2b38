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

/** The sampling fields, in the order shown. The ranges are those of the contract. */
const fields: readonly Field[] = [
  {
    key: 'temperature',
    label: 'Temperature',
    hint: 'Higher values allow less likely words.',
    range: [0, 5],
    whole: false,
  },
  {
    key: 'topP',
    label: 'Top-p',
    hint: 'Only the likeliest words that add up to this share.',
    range: [0, 1],
    whole: false,
  },
  {
    key: 'topK',
    label: 'Top-k',
    hint: 'Only this many of the likeliest words.',
    range: [1, 1_000],
    whole: true,
  },
  {
    key: 'minP',
    label: 'Min-p',
    hint: 'Only words at least this fraction as likely as the most likely word.',
    range: [0, 1],
    whole: false,
  },
  {
    key: 'repeatPenalty',
    label: 'Repeat penalty',
    hint: 'Above 1 means fewer repetitions.',
    range: [0.1, 3],
    whole: false,
  },
  {
    key: 'seed',
    label: 'Seed',
    hint: 'The same seed gives the same answer where possible.',
    range: [0, 2 ** 31 - 1],
    whole: true,
  },
  {
    key: 'maxTokens',
    label: 'Max tokens',
    hint: 'Maximum length of a reply.',
    range: [16, 1_000_000],
    whole: true,
  },
]

type Props = { value: Sampling; onChange: (sampling: Sampling) => void }

/** Fields for sampling options. A value is saved when its field loses focus; an empty field is unset. */
export function SamplingFields({ value, onChange }: Props): ReactNode {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-xs font-medium text-ink-2">Sampling</legend>
      <p className="text-xs text-ink-3">
        Leave a field empty for the model’s default. Local models use all of these. A server that rejects one
        answers without it. Claude uses temperature, top-p, top-k and max tokens, and does not think if max
        tokens is set.
      </p>
      <div className="grid grid-cols-2 gap-3">
        {fields.map(field => (
          <OptionalNumber
            // The key changes with the value, so a change from another window replaces the shown text.
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
