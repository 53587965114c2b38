import { Archive, ArchiveRestore, Download, FolderInput, Pin, PinOff, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { menuLabel } from '../../action-table.ts'
import { useProjects } from '../../rpc/use-lists.ts'
import { formatCount } from '../../ui/text/format-values.ts'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { useManyChats } from './many-chats.ts'

type Props = {
  chats: readonly Session[]
  onRemove: () => void
  onExport: () => void
  onDone: () => void
}

/** The actions on all selected chats. Each can be undone. */
export function SelectionBar({ chats, onRemove, onExport, onDone }: Props): ReactNode {
  const { change, moveTo } = useManyChats()
  const projects = useProjects()
  const ids = chats.map(({ id }) => id)
  const isArchived = chats.every(({ archived }) => archived)
  const isPinned = chats.every(({ pinned }) => pinned)
  const text = `${formatCount(chats.length)} selected`
  const act = (work: Promise<boolean>) => void work.then(isDone => isDone && onDone())
  return (
    <section aria-label="Selected chats" className="selection-bar">
      <output className="min-w-0 flex-1 truncate text-xs text-ink-2">{text}</output>
      <IconButton
        small
        label={menuLabel(isPinned ? 'chat.unpin' : 'chat.pin')}
        onClick={() => act(change(ids, { pinned: !isPinned }))}
      >
        {isPinned ? <PinOff size={16} /> : <Pin size={16} />}
      </IconButton>
      <IconButton
        small
        label={menuLabel(isArchived ? 'chat.unarchive' : 'chat.archive')}
        onClick={() => act(change(ids, { archived: !isArchived }))}
      >
        {isArchived ? <ArchiveRestore size={16} /> : <Archive size={16} />}
      </IconButton>
      {projects.length > 0 && (
        <Menu
          label="Move to a project"
          side="above"
          entries={[
            ...projects.map(({ id, name }) => ({
              id,
              label: name,
              onSelect: () => act(moveTo(chats, { id, name })),
            })),
            { id: '', label: 'No project', onSelect: () => act(moveTo(chats, null)) },
          ]}
          renderButton={props => (
            <IconButton small label="Move to a project" {...props}>
              <FolderInput size={16} />
            </IconButton>
          )}
        />
      )}
      <IconButton small label={menuLabel('chat.export')} aria-haspopup="dialog" onClick={onExport}>
        <Download size={16} />
      </IconButton>
      <IconButton small label={menuLabel('chat.remove')} onClick={onRemove}>
        <Trash2 size={16} />
      </IconButton>
      <IconButton small label="Select none" onClick={onDone}>
        <Icon name="close" size={14} />
      </IconButton>
    </section>
  )
}
