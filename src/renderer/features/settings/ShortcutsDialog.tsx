import type { ReactNode } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { ShortcutList } from './ShortcutList.tsx'
import { settingsText } from './strings.ts'

type Props = { newChatKey: string; onClose: () => void }

/** All shortcuts, over whatever page is shown. */
export function ShortcutsDialog({ newChatKey, onClose }: Props): ReactNode {
  return (
    <Dialog title={settingsText.shortcuts} closeLabel={settingsText.close} onClose={onClose} width="medium">
      <ShortcutList newChatKey={newChatKey} />
    </Dialog>
  )
}
