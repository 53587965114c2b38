import { Ellipsis } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { Icon, IconButton } from './IconButton.tsx'
import { Popover, type PopoverButton } from './Popover.tsx'
import { showHidden } from '../../shared/visible-text/show-hidden.ts'

export type MenuEntry = {
  id: string
  label: string
  /** A second line with an explanation. */
  hint?: string
  icon?: ReactNode
  /** Set this for choices, one of which is checked. Omit it for actions. */
  checked?: boolean
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
}

type Props = {
  label: string
  entries: readonly MenuEntry[]
  renderButton: (props: PopoverButton) => ReactNode
  align?: 'start' | 'end'
  side?: 'below' | 'above'
}

/** A menu of actions or choices. Arrow keys, Home, End and first letters move the focus. */
export function Menu({ label, entries, renderButton, align = 'start', side = 'below' }: Props): ReactNode {
  return (
    <Popover
      label={label}
      role="menu"
      renderButton={renderButton}
      align={align}
      side={side}
      className="w-max max-w-80 min-w-48"
    >
      {close => <Entries entries={entries} close={close} />}
    </Popover>
  )
}

/** The button with three dots at the end of a card, and its menu. `of` names the card. */
export function MoreMenu({ of, entries }: { of: string; entries: readonly MenuEntry[] }): ReactNode {
  return (
    <Menu
      label={`More for ${of}`}
      align="end"
      entries={entries}
      renderButton={props => (
        <IconButton label={`More for ${of}`} {...props}>
          <Ellipsis size={18} />
        </IconButton>
      )}
    />
  )
}

function Entries({ entries, close }: { entries: readonly MenuEntry[]; close: () => void }) {
  const ref = useRef<HTMLDivElement>(null)
  const items = () => [...(ref.current?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])]
  useEffect(() => {
    const all = [...(ref.current?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])]
    const chosen = all.find(item => item.getAttribute('aria-checked') === 'true')
    ;(chosen ?? all[0])?.focus()
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLButtonElement)
    const next = {
      ArrowDown: all[(at + 1) % all.length],
      ArrowUp: all[(at - 1 + all.length) % all.length],
      Home: all[0],
      End: all.at(-1),
    }[event.key]
    const typed = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey
    const named = typed
      ? [...all.slice(at + 1), ...all].find(item =>
          item.textContent.toLowerCase().startsWith(event.key.toLowerCase()),
        )
      : undefined
    if (event.key === 'Tab') close()
    if (!next && !named) return
    event.preventDefault()
    ;(next ?? named)?.focus()
  }

  return (
    <div ref={ref} role="presentation" onKeyDown={onKeyDown}>
      {entries.map(entry => (
        <button
          key={entry.id}
          type="button"
          role={entry.checked === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={entry.checked}
          disabled={entry.disabled}
          tabIndex={-1}
          className={entry.danger ? 'menu-item text-danger' : 'menu-item'}
          onClick={() => {
            close()
            entry.onSelect()
          }}
        >
          {entry.icon}
          <span className="min-w-0 flex-1">
            <span className="block truncate">{showHidden(entry.label)}</span>
            {entry.hint !== undefined && <span className="block text-xs text-ink-3">{entry.hint}</span>}
          </span>
          {entry.checked && <Icon name="check" />}
        </button>
      ))}
    </div>
  )
}
