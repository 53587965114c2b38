import { useState, type ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { Prose } from '../transcript/Answer.tsx'
import { tellTrouble } from '../branches/MessageActions.tsx'
import { useChat } from '../store/open-chats.ts'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import type { Lane } from './comparison.ts'

/** The compared answers: side by side, or stacked if the window is narrow. */
export function ComparisonRow(): ReactNode {
  const comparison = useChat(chat => chat.comparison)
  if (!comparison) return null
  const some = comparison.lanes.some(({ answer }) => answer !== null)
  return (
    <section aria-label="Answers to compare" className="grid gap-2 py-2">
      <div className="grid gap-3 sm:grid-cols-2">
        {comparison.lanes.map((lane, at) => (
          // Lanes have no identity beyond their place.
          // oxlint-disable-next-line react/no-array-index-key
          <LaneCard key={at} lane={lane} at={at} />
        ))}
      </div>
      {some && (
        <p className="text-sm text-ink-2">
          Keep one to continue. The other stays as a branch, and nothing is learned from it.
        </p>
      )}
    </section>
  )
}

function LaneCard({ lane, at }: { lane: Lane; at: number }) {
  const { modelId, text, thoughts, answer, end, problem } = lane
  const name = useHost(host => host.models.find(({ id }) => id === modelId)?.name ?? modelId)
  const keep = useChat(chat => chat.switchTo)
  const stop = useChat(chat => chat.stopLane)
  const [open, setOpen] = useState(false)
  const isOver = end !== null
  return (
    <article
      aria-label={`Answer of ${name}`}
      className="flex min-w-0 flex-col gap-2 rounded-xl border border-line bg-raised px-3.5 py-2.5"
    >
      <h2 className="text-xs font-semibold break-words text-ink-2">
        <bdi>{name}</bdi>
      </h2>
      {thoughts.trim() !== '' && (
        <Disclosure open={open} onToggle={() => setOpen(!open)} inline line="Thoughts">
          <p dir="auto" className="text-sm break-words whitespace-pre-wrap text-ink-2">
            {thoughts.trim()}
          </p>
        </Disclosure>
      )}
      <div className="min-w-0 flex-1">
        {text !== '' && <Prose text={text} live={!isOver} />}
        {!isOver && text === '' && (
          <output className="flex items-center gap-2 text-sm text-ink-3">
            <Spinner />
            Waiting for the answer…
          </output>
        )}
      </div>
      {problem !== '' && <p className="text-sm break-words text-danger">{problem}</p>}
      {end === 'stopped' && <p className="text-sm text-ink-3 italic">This answer was cut short here.</p>}
      <div className="flex gap-2">
        {!isOver && (
          <button
            type="button"
            aria-label={`Stop ${name}`}
            className="btn btn-secondary"
            onClick={() => void stop(at).then(tellTrouble)}
          >
            Stop
          </button>
        )}
        {isOver && answer && (
          <button
            type="button"
            aria-label={`Keep the answer of ${name}`}
            className="btn btn-primary"
            onClick={() => void keep(answer.id).then(tellTrouble)}
          >
            Keep
          </button>
        )}
      </div>
    </article>
  )
}
