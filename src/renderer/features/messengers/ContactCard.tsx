import { Trash2 } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import type { Contact } from '../../../shared/contract/connections/gateway.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useHostCall } from '../../use-host-call.ts'
import { Radios, Select, Switch } from '../../ui/fields/Choice.tsx'
import { countOf, formatCount, formatWhen } from '../../ui/text/format-values.ts'
import { MoreMenu } from '../../ui/Menu.tsx'
import { OpenableCard } from '../../ui/OpenableCard.tsx'
import { InPlaceField, TextField } from '../../ui/fields/TextField.tsx'
import { showToast } from '../../ui/Toasts.tsx'

const RIGHTS = [
  {
    value: 'deny',
    label: 'Answer, but never ask',
    hint: 'It reads and answers. Whatever would ask you is denied.',
  },
  {
    value: 'ask',
    label: 'Ask on the phone',
    hint: 'Questions appear there as buttons, and in this window. Those that need more than a phone are decided only here.',
  },
] as const

type Props = { contact: Contact; titles: Titles; isOpen: boolean; onOpen: (id: string | null) => void }

/** The titles of the messengers, by name. */
type Titles = ReadonlyMap<string, string>

/** One contact, with its rights. When open, the card can change them. */
export function ContactCard({ contact, titles, isOpen, onOpen }: Props): ReactNode {
  const { id, relation, rights, accounts, today, lastAt } = contact
  const act = useHostCall()
  const shown = showHidden(contact.name)
  const facts = [
    accounts.map(({ platform, accountId }) => `${titles.get(platform) ?? platform} ${accountId}`).join(', '),
    ...(today.messages === 0
      ? []
      : [`today ${countOf(today.messages, 'message', 'messages')}, ${formatCount(today.tokens)} tokens`]),
    ...(lastAt === null ? [] : [`last ${formatWhen(lastAt)}`]),
  ]
  const remove = async () => {
    if (await act(client => client['gateway.remove']({ id })))
      showToast(`${shown} can no longer write to your agent. The chats stay.`)
  }
  return (
    <OpenableCard
      label={shown}
      title={shown}
      badges={
        <>
          <span className="badge">{relation === 'you' ? 'You' : 'Somebody else'}</span>
          {rights === 'ask' && <span className="badge text-warn">May be asked</span>}
        </>
      }
      facts={facts.join(' · ')}
      isOpen={isOpen}
      onToggle={() => onOpen(isOpen ? null : id)}
      actions={
        <MoreMenu
          of={shown}
          entries={[
            {
              id: 'remove',
              label: 'Remove',
              hint: 'This contact can no longer write to your agent. Chats stay.',
              icon: <Trash2 size={16} />,
              danger: true,
              onSelect: () => void remove(),
            },
          ]}
        />
      }
    >
      <ContactFields contact={contact} />
    </OpenableCard>
  )
}

/** The rights of a contact. Each change is saved at once. */
function ContactFields({ contact }: { contact: Contact }) {
  const { id, seen, relation, rights, readsMemory, folder, modelId, limits } = contact
  const act = useHostCall()
  const models = useHost(host => host.models)
  const [isNaming, setNaming] = useState(false)
  type Change = Partial<Pick<Contact, 'name' | 'rights' | 'readsMemory' | 'folder' | 'modelId'>> & {
    limits?: Partial<Contact['limits']>
  }
  const save = useSaving((from, what: Change) =>
    act(client => client['gateway.change']({ id, seen: from, ...what })),
  )
  const change = (what: Change) => save(seen, what)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {isNaming ? (
        <InPlaceField
          label="Name"
          className="field"
          text={contact.name}
          onDone={name => {
            setNaming(false)
            if (name !== null) change({ name })
          }}
        />
      ) : (
        <button type="button" className="btn btn-quiet justify-self-start" onClick={() => setNaming(true)}>
          Rename
        </button>
      )}
      <Radios
        label="When a call would ask"
        options={RIGHTS}
        value={rights}
        onChange={next => change({ rights: next })}
      />
      {relation === 'other' && (
        <Switch
          label="May read what is remembered about you"
          hint="If off, chats with this contact cannot use your notes, your chats or your skills’ keys. Either way, nothing from them is saved in your memory."
          on={readsMemory}
          onChange={next => change({ readsMemory: next })}
        />
      )}
      <Select
        label="Model"
        showLabel
        value={modelId ?? ''}
        options={[
          { value: '', label: 'Same as new chats' },
          ...models.map(({ id: value, name }) => ({ value, label: showHidden(name) })),
        ]}
        onChange={next => change({ modelId: next === '' ? null : next })}
      />
      <SavedField
        label="Folder"
        hint="Chats with this contact may read and write here. Leave empty for a separate, empty folder."
        value={folder ?? ''}
        onSave={next => change({ folder: next === '' ? null : next })}
      />
      <SavedField
        label="Maximum tokens per day"
        hint="Read and written by the model. Leave empty for no limit."
        value={limits.tokensADay === null ? '' : String(limits.tokensADay)}
        check={next =>
          next === '' || tokensIn(next) !== undefined
            ? undefined
            : 'Enter a whole number of at least 1,000, or leave this empty.'
        }
        onSave={next => change({ limits: { tokensADay: tokensIn(next) ?? null } })}
      />
    </div>
  )
}

/**
 * Sends changes one after another. The host checks each against the version that was shown, which may be
 * older than changes by this card itself.
 */
function useSaving<T>(send: (seen: string, what: T) => Promise<{ seen: string } | undefined>) {
  const queue = useRef(Promise.resolve())
  const own = useRef(new Map<string, string>())
  return (shown: string, what: T) => {
    queue.current = queue.current.then(async () => {
      let from = shown
      for (let next = own.current.get(from); next !== undefined; next = own.current.get(from)) from = next
      const done = await send(from, what)
      if (!done || done.seen === from) return
      // The same version may occur again.
      own.current.delete(done.seen)
      own.current.set(from, done.seen)
    })
  }
}

/** Parse a number of tokens: 50000, 50,000 or 50 000. */
function tokensIn(text: string): number | undefined {
  const plain = text.replaceAll(/(?<=\d)[\s.,’'](?=\d{3}(?!\d))/g, '')
  return /^\d{4,12}$/.test(plain) ? Number(plain) : undefined
}

type SavedFieldProps = {
  label: string
  hint: string
  value: string
  /** Returns what is wrong with a text, which is then not saved. */
  check?: (value: string) => string | undefined
  onSave: (value: string) => void
}

/** A text that is saved on Enter or when the field loses the focus. */
function SavedField({ label, hint, value, check, onSave }: SavedFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string>()
  const save = () => {
    const next = typed?.trim()
    const wrong = next === undefined || next === value ? undefined : check?.(next)
    setProblem(wrong)
    if (wrong !== undefined) return
    if (next !== undefined && next !== value) onSave(next)
    setTyped(null)
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        save()
      }}
    >
      <TextField
        label={label}
        hint={hint}
        error={problem}
        dir="ltr"
        maxLength={4_096}
        value={typed ?? value}
        onChange={event => setTyped(event.target.value)}
        onBlur={save}
      />
    </form>
  )
}
