import type { ReactNode } from 'react'
import { actionTable, type ActionId, type ActionPlace, type ActionText } from '../../action-table.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { useHost } from '../../rpc/host-context.tsx'
import { KeyField, useBoundKeys } from './KeyField.tsx'
import { keyText } from '../../ui/keyboard/keys.ts'

/** All shortcuts in a dialog over the current page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keyboard shortcuts" closeLabel="Close" onClose={onClose} width="medium" givesWay>
      <ShortcutList />
    </Dialog>
  )
}

/** All shortcuts in the notation of this platform. A click on one binds another key. */
export function ShortcutList(): ReactNode {
  const sendWith = useHost(host => host.settings.sendWith)
  const named: Readonly<Record<string, string>> = {
    send: sendWith === 'enter' ? 'enter' : 'mod+enter',
    newline: sendWith === 'enter' ? 'shift+enter' : 'enter',
  }
  const { bound, save } = useBoundKeys()
  return (
    <div className="grid gap-x-10 gap-y-6 rail:grid-cols-2">
      {shortcutGroups.map(group => (
        <section key={group.title}>
          <h3 className="mb-2 text-sm font-semibold">{group.title}</h3>
          <dl className="grid gap-1.5 text-sm">
            {group.rows.map(({ id, keys, label, isOnlyKey = false }) => (
              <div key={id} className="flex items-center justify-between gap-4">
                <dt className="text-ink-2">{label}</dt>
                <dd>
                  {isOnlyKey ? (
                    <kbd className="kbd">{keyText(named[keys] ?? keys)}</kbd>
                  ) : (
                    <KeyField id={id} />
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {Object.keys(bound).length > 0 && (
        <button type="button" className="btn btn-secondary justify-self-start" onClick={() => void save({})}>
          Reset all keys
        </button>
      )}
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
  rows: (Object.entries(actionTable) as [ActionId, ActionText][]).flatMap(([id, { keys, ...text }]) =>
    text.place === place && keys !== undefined ? [{ id, keys, ...text }] : [],
  ),
}))
