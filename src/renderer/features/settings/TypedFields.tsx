import { useState, type ReactNode } from 'react'
import type { Setting } from '../../../shared/contract/settings.ts'
import { isKey } from '../../ui/keys.ts'
import { Select } from '../../ui/Choice.tsx'
import { NumberInput } from '../../ui/NumberField.tsx'

/** Props of every settings field. The row renders the name and the help. */
export type FieldProps = {
  setting: Setting
  /** The target id of the row's label. Choices and lists have their own label and ignore it. */
  id: string
  hintId: string
  onChange: (value: unknown) => void
}

/** Settings shown as a choice although their kind is different. */
const CHOICES = new Set(['ui.expert', 'models.fast', 'models.auxiliary'])

/** Whether the field uses the row's label. */
export const takesLabel = ({ path, kind }: Setting): boolean =>
  !CHOICES.has(path) && (kind.type === 'switch' || kind.type === 'number' || kind.type === 'text')

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
