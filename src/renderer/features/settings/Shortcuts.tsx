import type { ReactNode } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { useHost } from '../../rpc/host-context.tsx'
import { keyText } from '../../ui/keys.ts'

type Props = { newChatKey: string; onClose: () => void }

/** All shortcuts in a dialog over the current page. */
export function ShortcutsDialog({ newChatKey, onClose }: Props): ReactNode {
  return (
    <Dialog title="Keyboard shortcuts" closeLabel="Close" onClose={onClose} width="medium">
      <ShortcutList newChatKey={newChatKey} />
    </Dialog>
  )
}

/** All shortcuts in the notation of this platform. */
export function ShortcutList({ newChatKey }: { newChatKey: string }): ReactNode {
  const sendWith = useHost(host => host.settings.sendWith)
  const named: Readonly<Record<string, string>> = {
    newChat: newChatKey,
    send: sendWith === 'enter' ? 'enter' : 'mod+enter',
    newline: sendWith === 'enter' ? 'shift+enter' : 'enter',
  }
  return (
    <div className="grid gap-x-10 gap-y-6 rail:grid-cols-2">
      {shortcutGroups.map(group => (
        <section key={group.title}>
          <h3 className="mb-2 text-sm font-semibold">{group.title}</h3>
          <dl className="grid gap-1.5 text-sm">
            {group.keys.map(([key, does]) => (
              <div key={key} className="flex items-center justify-between gap-4">
                <dt className="text-ink-2">{does}</dt>
                <dd>
                  <kbd className="kbd">{keyText(named[key] ?? key)}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

/** All keyboard shortcuts. `newChat`, `send` and `newline` are placeholders for keys that depend on the platform or on a setting. */
export const shortcutGroups = [
  {
    title: 'Everywhere',
    keys: [
      ['newChat', 'New chat'],
      ['mod+shift+f', 'Search in chats'],
      ['mod+,', 'Settings'],
      ['mod+p', 'Print the open chat'],
      ['mod+/', 'This list'],
    ],
  },
  {
    title: 'In a chat',
    keys: [
      ['send', 'Send the message'],
      ['newline', 'Start a new line'],
      ['escape', 'Stop the answer'],
      ['mod+j', 'Go to the waiting question'],
    ],
  },
  {
    title: 'On a question',
    keys: [
      ['enter', 'Allow once'],
      ['mod+enter', 'Allow in this chat'],
      ['escape', 'Deny'],
    ],
  },
  {
    title: 'In the list of chats',
    keys: [
      ['↑ ↓', 'Move'],
      ['F2', 'Rename'],
      ['Delete', 'Remove'],
    ],
  },
] as const
