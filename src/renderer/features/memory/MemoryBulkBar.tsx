import { Archive, ArrowRight, Lock, LockOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { useMemory } from './memory-context.ts'
import { useMemoryActions } from './use-memory-actions.ts'
import { useMoves } from './use-entry-menu.tsx'

/** Actions on all selected entries, applied all or nothing. */
export function MemoryBulkBar(): ReactNode {
  const selected = useMemory(memory => memory.selected)
  const select = useMemory(memory => memory.select)
  const { lock, move, remove } = useMemoryActions()
  const ids = [...selected]
  const moves = useMoves(place => void move(ids, place))
  if (ids.length === 0) return null
  return (
    <div role="toolbar" aria-label="Selected entries" className="bulk-bar">
      <output className="px-2 text-sm font-medium">{`${ids.length} selected`}</output>
      <button type="button" className="btn btn-quiet" onClick={() => void lock(ids, true)}>
        <Lock size={15} />
        Lock
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void lock(ids, false)}>
        <LockOpen size={15} />
        Unlock
      </button>
      <Menu
        label="Move"
        side="above"
        entries={moves}
        renderButton={props => (
          <button type="button" className="btn btn-quiet" {...props}>
            <ArrowRight size={15} className="rtl:-scale-x-100" />
            Move
          </button>
        )}
      />
      <button type="button" className="btn btn-quiet" onClick={() => void remove(ids)}>
        <Archive size={15} />
        Archive
      </button>
      <IconButton small label="Clear the selection" onClick={() => select(ids, false)}>
        <Icon name="close" size={14} />
      </IconButton>
    </div>
  )
}
