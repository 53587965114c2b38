import type { ReactNode } from 'react'
import { useHost } from '../../rpc/host-context.tsx'
import { setupText } from './strings.ts'

const text = setupText.done

/** What answers in the first chat, and three things to try there, in the order in which they are met. */
export function DoneStep(): ReactNode {
  const model = useHost(host => host.models.find(each => each.id === host.defaultModelId))
  const coming = useHost(host =>
    host.transfers.find(({ state }) => ['waiting', 'running', 'checking'].includes(state)),
  )
  return (
    <>
      <p className="text-ink-2">
        {model && (model.demo ? text.demo : text.answers(model.name))}{' '}
        {coming && (model?.demo ?? true) && text.coming(coming.name)} {text.about}
      </p>
      <ol className="grid gap-3">
        {text.tour.map(([name, what], at) => (
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
