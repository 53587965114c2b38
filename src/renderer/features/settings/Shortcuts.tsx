import type { ReactNode } from 'react'
import { actionTable, type ActionPlace, type ActionText } from '../../action-table.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { useHost } from '../../rpc/host-context.tsx'
import { keyText } from '../../ui/keys.ts'

/** All shortcuts in a dialog over the current page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keyboard shortcuts" closeLabel="Close" onClose={onClose} width="medium" givesWay>
      <ShortcutList />
    </Dialog>
  )
}

/** All shortcuts in the notation of this platform. */
export function ShortcutList(): ReactNode {
  const sendWith = useHost(host => host.settings.sendWith)
  const named: Readonly<Record<string, string>> = {
    send: sendWith === 'enter' ? 'enter' : 'mod+enter',
    newline: sendWith === 'enter' ? 'shift+enter' : 'enter',
  }
  return (
    <div className="grid gap-x-10 gap-y-6 rail:grid-cols-2">
      {shortcutGroups.map(group => (
        <section key={group.title}>
          <h3 className="mb-2 text-sm font-semibold">{group.title}</h3>
          <dl className="grid gap-1.5 text-sm">
            {group.rows.map(({ keys, label }) => (
              <div key={label} className="flex items-center justify-between gap-4">
                <dt className="text-ink-2">{label}</dt>
                <dd>
                  <kbd className="kbd">{keyText(named[keys] ?? keys)}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

const titles: Record<ActionPlace, string> = {
  everywhere: 'Everywhere',
  chat: 'In a chat',
  question: 'On a question',
  list: 'In the list of chats',
}

/** All keyboard shortcuts. `send` and `newline` stand for keys that depend on a setting. */
export const shortcutGroups = (Object.keys(titles) as ActionPlace[]).map(place => ({
  title: titles[place],
  rows: (Object.values(actionTable) as ActionText[]).flatMap(({ label, keys, place: own }) =>
    own === place && keys !== undefined ? [{ label, keys }] : [],
  ),
}))
