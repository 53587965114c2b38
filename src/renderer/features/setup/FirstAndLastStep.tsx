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

const TOUR = [
  ['Ask', 'Say what you need. When it wants to change something, a card asks you first.'],
  ['Remember', 'Say “remember that …”. The chip under the answer shows what was saved and lets you undo it.'],
  ['Repeat', 'What worked can become a skill. Type / in a chat to use one.'],
] as const

/** Names the model of the first chat and suggests three things to try, in the order they appear. */
export function DoneStep(): ReactNode {
  const model = useHost(host => host.models.find(each => each.id === host.defaultModelId))
  const coming = useHost(host =>
    host.transfers.find(({ state }) => ['waiting', 'running', 'checking'].includes(state)),
  )
  return (
    <>
      <p className="text-ink-2">
        {model &&
          (model.demo
            ? 'The built-in demo model answers in your first chat. It is tiny: it understands a handful of requests.'
            : `${model.name} answers in your first chat.`)}{' '}
        {coming && (model?.demo ?? true) && `${coming.name} takes over once it is ready.`} Everything here can
        be changed later under Settings.
      </p>
      <ol className="grid gap-3">
        {TOUR.map(([name, what], at) => (
          <li key={name} className="flex gap-4 rounded-xl border border-line bg-raised px-4 py-3 shadow-card">
            <span aria-hidden className="text-lg font-semibold text-accent">
              {at + 1}
            </span>
            <span>
              <span className="block text-sm font-semibold">{name}</span>
              <span className="block text-sm text-ink-2">{what}</span>
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}
