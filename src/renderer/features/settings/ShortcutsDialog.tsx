import type { ReactNode } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { ShortcutList } from './ShortcutList.tsx'

type Props = { newChatKey: string; onClose: () => void }

/** All shortcuts in a dialog over the current page. */
export function ShortcutsDialog({ newChatKey, onClose }: Props): ReactNode {
  return (
    <Dialog title="Keyboard shortcuts" closeLabel="Close" onClose={onClose} width="medium">
      <ShortcutList newChatKey={newChatKey} />
    </Dialog>
  )
}
