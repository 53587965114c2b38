import { Ellipsis, Eye, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { ForgetDialog } from './ForgetDialog.tsx'
import { useMemory } from './memory-context.ts'
import { PreviewDialog } from './PreviewDialog.tsx'

/** The page title, and the actions on the whole memory. */
export function MemoryHeader({ start }: { start?: ReactNode }): ReactNode {
  const [open, setOpen] = useState<'preview' | 'forget' | null>(null)
  const isEmpty = useMemory(memory => (memory.view?.entries.length ?? 0) === 0)
  const close = () => setOpen(null)
  return (
    <header className="chat-header">
      {start}
      <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">Memory</h1>
      <button type="button" className="btn btn-quiet" onClick={() => setOpen('preview')}>
        <Eye size={16} />
        As the model sees it
      </button>
      <Menu
        label="More"
        align="end"
        entries={[
          {
            id: 'forget',
            label: 'Forget everything…',
            icon: <Trash2 size={15} />,
            danger: true,
            disabled: isEmpty,
            onSelect: () => setOpen('forget'),
          },
        ]}
        renderButton={props => (
          <IconButton label="More" {...props}>
            <Ellipsis size={18} />
          </IconButton>
        )}
      />
      {open === 'preview' && <PreviewDialog onClose={close} />}
      {open === 'forget' && <ForgetDialog onClose={close} />}
    </header>
  )
}
