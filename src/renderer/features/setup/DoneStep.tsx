import type { ReactNode } from 'react'
import { useHost } from '../../rpc/host-context.tsx'

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
