import { useState, type ReactNode } from 'react'
import { useAnswer } from '../../rpc/use-answer.ts'
import { goTo, type Place } from '../../route.ts'
import { formatBytes } from '../../ui/text/format-values.ts'

/** Maximum number of parts of the home to list. */
const NAMED = 5

/** Where the user can shrink a part, or what they can do with it by hand. */
const WAYS: Record<string, { label: string; place: Place } | string> = {
  models: { label: 'Delete models…', place: { page: 'models' } },
  backups: { label: 'See backups…', place: { page: 'settings', tab: 'data', itemId: 'kept' } },
  logs: 'You can delete these files yourself.',
  trajectories: 'You can delete these files yourself, and export them again later.',
}

/** The largest parts of Talaria’s folder, and ways to free space. Shown while the disk is full. */
export function TakesSpace(): ReactNode {
  const [looks, setLooks] = useState(0)
  const answer = useAnswer('data.sizes', {}, { isOnce: true, by: String(looks) })
  if (!answer?.ok) return null
  const { home, parts, bytes } = answer.value
  const largest = parts.toSorted((a, b) => b.bytes - a.bytes).slice(0, NAMED)
  return (
    <details open className="mt-1">
      <summary className="cursor-pointer">{`What uses space here: ${formatBytes(bytes)} in all, in ${home}`}</summary>
      <ul aria-label="What uses space here" className="my-1 grid gap-1 ps-4">
        {largest.map(({ id, title, bytes: size }) => (
          <li key={id}>
            {title}: {formatBytes(size)} <Way way={WAYS[id]} />
          </li>
        ))}
      </ul>
      <button type="button" className="link-btn" onClick={() => setLooks(looks + 1)}>
        Measure again
      </button>
    </details>
  )
}

function Way({ way }: { way: (typeof WAYS)[string] | undefined }): ReactNode {
  if (way === undefined) return null
  if (typeof way === 'string') return <span className="text-ink-2">{way}</span>
  return (
    <button type="button" className="link-btn" onClick={() => goTo(way.place)}>
      {way.label}
    </button>
  )
}
