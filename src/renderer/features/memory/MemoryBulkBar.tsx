import { Archive, ArrowRight, Lock, LockOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { useMemory } from './memory-context.ts'
import { memoryText } from './strings.ts'
import { useActions } from './use-actions.ts'
import { useMoves } from './use-entry-menu.tsx'

/** What can be done with all selected entries at once: all of it or nothing. */
export function BulkBar(): ReactNode {
  const selected = useMemory(memory => memory.selected)
  const select = useMemory(memory => memory.select)
  const { lock, move, remove } = useActions()
  const ids = [...selected]
  const moves = useMoves(place => void move(ids, place))
  if (ids.length === 0) return null
  const text = memoryText.bulk
  return (
    <div role="toolbar" aria-label={text.bar} className="bulk-bar">
      <output className="px-2 text-sm font-medium">{text.selected(ids.length)}</output>
      <button type="button" className="btn btn-quiet" onClick={() => void lock(ids, true)}>
        <Lock size={15} />
        {text.lock}
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void lock(ids, false)}>
        <LockOpen size={15} />
        {text.unlock}
      </button>
      <Menu
        label={text.move}
        side="above"
        entries={moves}
        renderButton={props => (
          <button type="button" className="btn btn-quiet" {...props}>
            <ArrowRight size={15} className="rtl:-scale-x-100" />
            {text.move}
          </button>
        )}
      />
      <button type="button" className="btn btn-quiet" onClick={() => void remove(ids)}>
        <Archive size={15} />
        {text.archive}
      </button>
      <IconButton small label={text.clear} onClick={() => select(ids, false)}>
        <Icon name="close" size={14} />
      </IconButton>
    </div>
  )
}
