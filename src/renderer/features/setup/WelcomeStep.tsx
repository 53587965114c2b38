import { useState, type ReactNode } from 'react'
import { useHost } from '../../rpc/host-context.tsx'
import { Segmented } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

const PROMISES = [
  ['No account', 'There is nothing to sign up for, and no key to enter.'],
  ['It stays here', 'Chats, memory and models are files in one folder of this computer.'],
  [
    'The network only when you start it',
    'Only downloads and servers that you choose. Every request is recorded.',
  ],
] as const

const THEMES = { system: 'Match the system', light: 'Light', dark: 'Dark' } as const

/** Shows three promises, the request list that proves the third, and the colour theme. */
export function WelcomeStep({ ledger }: { ledger: ReactNode }): ReactNode {
  const theme = useHost(host => host.settings.theme)
  const setSettings = useHost(host => host.setSettings)
  const [isShown, setShown] = useState(false)
  const last = PROMISES.at(-1)
  return (
    <>
      <p className="text-ink-2">
        An agent on your own computer that remembers, learns, and asks before it changes anything.
      </p>
      <dl className="grid gap-3">
        {PROMISES.map(promise => (
          <div key={promise[0]} className="rounded-xl border border-line bg-raised px-4 py-3 shadow-card">
            <dt className="text-sm font-semibold">{promise[0]}</dt>
            <dd className="text-sm text-ink-2">
              {promise[1]}{' '}
              {promise === last && ledger !== undefined && (
                <button
                  type="button"
                  aria-haspopup="dialog"
                  className="link-btn"
                  onClick={() => setShown(true)}
                >
                  See what was sent so far
                </button>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <Segmented
        label="Colours"
        showLabel
        options={(['system', 'light', 'dark'] as const).map(value => ({ value, label: THEMES[value] }))}
        value={theme}
        onChange={value => void setSettings({ theme: value })}
      />
      {isShown && (
        <Dialog title="What was sent so far" closeLabel="Close" width="large" onClose={() => setShown(false)}>
          {ledger}
        </Dialog>
      )}
    </>
  )
}
