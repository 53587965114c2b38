import { useState, useEffect, type ReactNode } from 'react'
import { useHost } from '../../rpc/host-context.tsx'
import { useTransfers } from '../../rpc/use-lists.ts'
import { Segmented } from '../../ui/fields/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { Machine } from '../../../shared/contract/models/model.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { Spinner } from '../../ui/Progress.tsx'
import { formatBytes, countOf } from '../../ui/text/format-values.ts'

const PROMISES = [
  ['No account', 'There is nothing to sign up for, and no key to enter.'],
  ['It stays here', 'Chats, memory and models are files in one folder on this computer.'],
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
  const coming = useTransfers().find(({ state }) => ['waiting', 'running', 'checking'].includes(state))
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

const freeOf = (free: number, total: number) => `${formatBytes(free)} free of ${formatBytes(total)}`

/** How long to wait until the text says that the check is taking longer, in ms. */
const PATIENCE_MS = 2_000

type Props = {
  /** The result of the check; undefined while it runs. */
  machine: Outcome<Machine> | undefined
  onRetry: () => void
}

/** Sums up what this computer can run. The user can continue before the check ends. */
export function ComputerStep({ machine, onRetry }: Props): ReactNode {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <output className="text-lg font-medium empty:hidden">
        {machine?.ok && machine.value.words}
        {!machine && (
          <span className="flex items-center gap-2 text-base font-normal text-ink-2">
            {!isLate && <Spinner />}
            {isLate ? 'This is taking longer than usual. You can continue.' : 'Checking…'}
          </span>
        )}
      </output>
      {machine?.ok && <Facts machine={machine.value} />}
      {machine && !machine.ok && (
        <div className="grid justify-items-start gap-3 text-ink-2">
          <p>{`This computer could not be checked: ${machine.fault.message} You can continue. Talaria checks again before it loads a model.`}</p>
          <button type="button" className="btn btn-secondary" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
    </>
  )
}

function Facts({ machine }: { machine: Machine }) {
  const { cpu, cores, instructions, freeBytes, totalBytes, gpu, diskFreeBytes } = machine
  const rows = [
    ['Processor', [cpu, countOf(cores, 'core', 'cores'), ...instructions].filter(Boolean).join(', ')],
    ['Memory', freeOf(freeBytes, totalBytes)],
    [
      'Graphics card',
      gpu
        ? `${gpu.names.join(', ')}: ${freeOf(gpu.freeBytes, gpu.totalBytes)}`
        : 'None that models can use. They run on the processor.',
    ],
    ['Disk', diskFreeBytes > 0 ? `${formatBytes(diskFreeBytes)} free for models` : 'Free space unknown'],
  ] as const
  return (
    <dl className="grid gap-x-5 text-sm rail:grid-cols-[auto_1fr] rail:gap-y-2">
      {rows.map(([name, what]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="mb-2 break-words rail:mb-0">{what}</dd>
        </div>
      ))}
    </dl>
  )
}
