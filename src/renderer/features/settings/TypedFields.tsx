import { useState, useRef, type ReactNode, type FormEvent } from 'react'
import { ArrowUp } from 'lucide-react'
import type { Setting } from '../../../shared/contract/settings.ts'
import { isKey } from '../../ui/keyboard/keys.ts'
import { Select } from '../../ui/fields/Choice.tsx'
import { NumberInput } from '../../ui/fields/NumberField.tsx'
import { useHost } from '../../rpc/host-context.tsx'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { modelWords } from './setting-texts.ts'

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
export function TextSettingField({
  setting,
  id,
  hintId,
  most,
  onChange,
}: FieldProps & { most: number }): ReactNode {
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

const entriesOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

/** A list of paths with buttons to add and remove entries. */
export function ListField({ setting, onChange }: FieldProps): ReactNode {
  const entries = entriesOf(setting.value)
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const add = (event: FormEvent) => {
    event.preventDefault()
    const entry = typed.trim()
    if (entry === '' || entries.includes(entry)) return
    onChange([...entries, entry])
    setTyped('')
  }
  return (
    <div className="grid gap-2">
      <Entries
        setting={setting}
        entries={entries.map(id => ({ id, name: id }))}
        onChange={entries => {
          field.current?.focus()
          onChange(entries)
        }}
      />
      <form className="flex gap-2" onSubmit={add}>
        <input
          ref={field}
          type="text"
          dir="auto"
          spellCheck={false}
          autoComplete="off"
          maxLength={4_096}
          aria-label={`Add to ${setting.title}`}
          className="field"
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        <button type="submit" className="btn btn-secondary" disabled={typed.trim() === ''}>
          Add
        </button>
      </form>
    </div>
  )
}

/** An ordered list of models. The first is tried first. */
export function ModelListField({ setting, onChange }: FieldProps): ReactNode {
  const models = useHost(host => host.models)
  const entries = entriesOf(setting.value)
  const left = models.filter(({ id }) => !entries.includes(id))
  return (
    <div className="grid gap-2">
      <Entries
        ordered
        setting={setting}
        entries={entries.map(id => ({ id, name: modelWords(id, models) }))}
        onChange={onChange}
      />
      {left.length > 0 && (
        <Select
          label={`Add to ${setting.title}`}
          value=""
          options={[
            { value: '', label: 'Choose a model…' },
            ...left.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={id => id !== '' && onChange([...entries, id])}
        />
      )}
    </div>
  )
}

type EntriesProps = {
  setting: FieldProps['setting']
  entries: readonly { id: string; name: string }[]
  /** Whether the order matters. */
  ordered?: boolean
  onChange: (ids: readonly string[]) => void
}

function Entries({ setting, entries, ordered = false, onChange }: EntriesProps) {
  const ids = entries.map(({ id }) => id)
  if (entries.length === 0) return <p className="text-xs text-ink-3">Nothing yet.</p>
  const List = ordered ? 'ol' : 'ul'
  return (
    <List aria-label={setting.title} className="grid gap-1">
      {entries.map(({ id, name }, index) => (
        <li key={id} className="setting-entry">
          <span dir="auto" className="min-w-0 flex-1 break-all">
            {name}
          </span>
          {ordered && index > 0 && (
            <IconButton
              small
              label={`Move ${name} up`}
              onClick={() => onChange(ids.with(index - 1, id).with(index, ids[index - 1]!))}
            >
              <ArrowUp size={14} />
            </IconButton>
          )}
          <IconButton
            small
            label={`Remove ${name}`}
            onClick={() => onChange(ids.filter(each => each !== id))}
          >
            <Icon name="close" size={14} />
          </IconButton>
        </li>
      ))}
    </List>
  )
}
