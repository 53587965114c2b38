import { ArrowUp } from 'lucide-react'
import { useState, type ReactNode, useRef, type FormEvent } from 'react'
import { Select } from '../../ui/Choice.tsx'
import { useHost } from '../../rpc/host-context.tsx'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { modelWords } from './setting-texts.ts'
import type { FieldProps } from './TypedFields.tsx'

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
            <Icon name="close" size={13} />
          </IconButton>
        </li>
      ))}
    </List>
  )
}
