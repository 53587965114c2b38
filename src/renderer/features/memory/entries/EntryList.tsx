import { Ellipsis, Info, Lock, LockOpen } from 'lucide-react'
import { useState, type ReactNode, memo, useRef, type KeyboardEvent } from 'react'
import type { MemoryEntry } from '../../../../shared/contract/learned/memory.ts'
import { useRoute, goTo } from '../../../route.ts'
import { cx, foldAway } from '../../../ui/style.ts'
import { Highlight } from '../../../ui/text/InlineText.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { Menu } from '../../../ui/Menu.tsx'
import { oneLine } from '../../../ui/text/format-values.ts'
import { useMemory, useMemoryActions } from '../use-memory.ts'
import { entryAt, moveEntryByKey } from './entry-focus.ts'
import { Chips } from './entry-labels.tsx'
import { EntryEditor } from './EntryEditor.tsx'
import { ForgetForGood } from './ForgetForGood.tsx'
import type { Edit } from '../memory-state.ts'
import { useEntryMenu } from './use-entry-menu.tsx'

type Props = {
  label: string
  entries: readonly MemoryEntry[]
  /** Whether entries can be selected. */
  isLong: boolean
}

/** A list of entries with a roving tabindex: one tab stop, and arrow keys between the rows. */
export function EntryList({ label, entries, isLong }: Props): ReactNode {
  const edits = useMemory(memory => memory.edits)
  const selected = useMemory(memory => memory.selected)
  const opened = useRoute(route => route.entryId)
  const [lastId, setLastId] = useState<string | null>(null)
  const has = (id: string | null) => entries.some(entry => entry.id === id && !edits[entry.id])
  const tabId = [lastId, opened].find(has) ?? entries.find(entry => !edits[entry.id])?.id
  return (
    <div
      role="presentation"
      onKeyDown={moveEntryByKey}
      onFocus={event => setLastId(entryAt(event.target) ?? lastId)}
    >
      <ul aria-label={label} className="entry-list">
        {entries.map(entry => (
          <EntryRow
            isSelectable={isLong}
            key={entry.id}
            entry={entry}
            edit={edits[entry.id]}
            selected={selected.has(entry.id)}
            opened={entry.id === opened}
            inTabOrder={entry.id === tabId}
          />
        ))}
      </ul>
    </div>
  )
}

type EntryRowProps = {
  entry: MemoryEntry
  isSelectable: boolean
  edit: Edit | undefined
  selected: boolean
  /** Whether the details panel shows this entry. */
  opened: boolean
  inTabOrder: boolean
}

/** One entry. Enter or a click edits it, Delete archives it. */
const EntryRow = memo(function EntryRow(props: EntryRowProps): ReactNode {
  const { entry, isSelectable, edit, selected, opened, inTabOrder } = props
  const item = useRef<HTMLLIElement>(null)
  const menu = useRef<HTMLButtonElement>(null)
  const startEdit = useMemory(memory => memory.startEdit)
  const select = useMemory(memory => memory.select)
  const query = useMemory(memory => memory.filters.query)
  const actions = useMemoryActions()
  const name = oneLine(entry.text, 60)
  const tabIndex = inTabOrder ? 0 : -1

  const remove = async () => {
    const unfold = await foldAway(item.current)
    if (!(await actions.remove([entry.id]))) unfold()
  }
  const [isForgetting, setIsForgetting] = useState(false)
  const entries = useEntryMenu(entry, {
    onEdit: () => startEdit(entry),
    onRemove: () => void remove(),
    onForget: () => setIsForgetting(true),
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'delete')) return
    event.preventDefault()
    void remove()
  }

  if (edit) {
    return (
      <li ref={item} className="entry entry-edited">
        <EntryEditor edit={edit} />
      </li>
    )
  }
  return (
    <li ref={item} className={cx('entry group', selected && 'entry-selected', opened && 'entry-opened')}>
      {isSelectable && (
        <input
          type="checkbox"
          className="check mt-1"
          tabIndex={tabIndex}
          aria-label={`Select “${name}”`}
          checked={selected}
          onChange={event => select([entry.id], event.target.checked)}
        />
      )}
      <div className="min-w-0 flex-1">
        <button
          type="button"
          data-entry={entry.id}
          dir="auto"
          tabIndex={tabIndex}
          title="Edit"
          className="entry-text"
          onClick={() => startEdit(entry)}
          onKeyDown={onKeyDown}
          onContextMenu={event => {
            event.preventDefault()
            menu.current?.click()
          }}
        >
          <Highlight text={entry.text} query={query} />
        </button>
        <Chips entry={entry} tabIndex={tabIndex} />
      </div>
      <span className="entry-tools">
        <IconButton
          small
          label={entry.locked ? `Unlock “${name}”` : `Lock “${name}”`}
          title={
            entry.locked ? 'Unlock: the agent may change it' : 'Lock: the agent may not change or drop it'
          }
          aria-pressed={entry.locked}
          tabIndex={tabIndex}
          className={cx('entry-tool', entry.locked && 'entry-tool-on')}
          onClick={() => void actions.lock([entry.id], !entry.locked)}
        >
          {entry.locked ? <Lock size={16} /> : <LockOpen size={16} />}
        </IconButton>
        <IconButton
          small
          label={`Details of “${name}”`}
          title="Details"
          tabIndex={tabIndex}
          className="entry-tool"
          onClick={() => goTo({ page: 'memory', entryId: entry.id })}
        >
          <Info size={16} />
        </IconButton>
        <Menu
          label={`More for “${name}”`}
          align="end"
          entries={entries}
          renderButton={props => (
            <IconButton
              ref={menu}
              small
              label={`More for “${name}”`}
              title="More"
              tabIndex={tabIndex}
              className="entry-tool"
              {...props}
            >
              <Ellipsis size={16} />
            </IconButton>
          )}
        />
      </span>
      {isForgetting && <ForgetForGood entry={entry} onClose={() => setIsForgetting(false)} />}
    </li>
  )
})
