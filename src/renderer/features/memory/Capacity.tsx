import { useId, useState, type ReactNode } from 'react'
import type { MemoryCapacity, MemoryEntry } from '../../../shared/contract/memory.ts'
import { cx } from '../../ui/style.ts'
import { formatCount, formatShare } from '../../ui/format.ts'
import { useMemory, usePlaceName } from './memory-context.ts'
import { MakeRoomDialog } from './MakeRoomDialog.tsx'
import { NEARLY_FULL, WANTS_ROOM } from './memory-state.ts'
import { focusEntry } from './entry-focus.ts'
import { capacityText } from './entry-texts.ts'

/** How full one file is. When it is nearly full, also what would be removed first. */
export function Capacity({ capacity }: { capacity: MemoryCapacity }): ReactNode {
  const id = useId()
  const placeName = usePlaceName()
  const { used, limit, tokens } = capacity
  const share = limit === 0 ? 1 : used / limit
  const isFull = share >= NEARLY_FULL
  const [makesRoom, setMakesRoom] = useState(false)
  return (
    <div className="mb-4">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4 text-xs">
        <span id={id} className="font-medium text-ink-2">
          {placeName(capacity)}
        </span>
        <span className="text-ink-3">
          {capacityText(formatCount(used), formatCount(limit), formatCount(tokens))}
        </span>
      </div>
      <meter aria-labelledby={id} max={limit} value={used} className="sr-only">
        {formatShare(share)}
      </meter>
      <div aria-hidden="true" className="meter">
        <span
          className={cx('meter-fill', isFull && 'bg-warn')}
          style={{ inlineSize: formatPercent(share) }}
        />
      </div>
      {isFull && <FirstToGo ids={capacity.firstToGo} />}
      {share >= WANTS_ROOM && (
        <button type="button" className="btn btn-secondary mt-2" onClick={() => setMakesRoom(true)}>
          Make room…
        </button>
      )}
      {makesRoom && <MakeRoomDialog place={capacity} onClose={() => setMakesRoom(false)} />}
    </div>
  )
}

const formatPercent = (share: number) => `${Math.min(100, share * 100)}%`

function FirstToGo({ ids }: { ids: readonly string[] }) {
  const entries = useMemory(memory => memory.view?.entries)
  const reveal = useMemory(memory => memory.reveal)
  const first = ids.map(id => entries?.find(entry => entry.id === id)).filter(entry => entry !== undefined)
  const show = (entry: MemoryEntry) => {
    reveal(entry)
    requestAnimationFrame(() => focusEntry(entry.id))
  }
  if (first.length === 0) return null
  return (
    <div className="mt-2 text-xs text-ink-2">
      <p>Nearly full. If something has to go, these would go first:</p>
      <ul className="mt-0.5">
        {first.map(entry => (
          <li key={entry.id}>
            <button
              type="button"
              dir="auto"
              className="link-btn max-w-full truncate"
              onClick={() => show(entry)}
            >
              {entry.text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
