import { useId, useState, type ReactNode } from 'react'
import type { MemoryCapacity, MemoryEntry } from '../../../../shared/contract/learned/memory.ts'
import { cx } from '../../../ui/style.ts'
import { formatCount, formatShare, oneLine } from '../../../ui/text/format-values.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useMemory, useMemoryChanges, usePlaceName, useView } from '../use-memory.ts'
import { WANTS_ROOM, isIn, isNearlyFull, usedShare, type Place } from '../memory-state.ts'
import { focusEntry } from './entry-focus.ts'
import { capacityText } from './entry-labels.tsx'
import { similarPairs, type Pair } from './merge-entries.ts'
import { MergeDialog } from './SimilarEntries.tsx'
import { Problem } from '../../../ui/Banner.tsx'

/** How full a file is and, if it is nearly full, which entries to remove first. */
export function Capacity({ capacity }: { capacity: MemoryCapacity }): ReactNode {
  const id = useId()
  const placeName = usePlaceName()
  const { used, limit, tokens } = capacity
  const share = usedShare(capacity)
  const isFull = isNearlyFull(capacity)
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
  const entries = useView()?.entries
  const reveal = useMemory(memory => memory.reveal)
  const first = ids.map(id => entries?.find(entry => entry.id === id)).filter(entry => entry !== undefined)
  const show = (entry: MemoryEntry) => {
    reveal(entry)
    requestAnimationFrame(() => focusEntry(entry.id))
  }
  if (first.length === 0) return null
  return (
    <div className="mt-2 text-xs text-ink-2">
      <p>Nearly full. To make room, remove these first:</p>
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

/** Suggests what to remove from a nearly full file. The user decides on each entry. */
function MakeRoomDialog({ place, onClose }: { place: Place; onClose: () => void }): ReactNode {
  const view = useView()
  const placeName = usePlaceName()
  const [pair, setPair] = useState<Pair>()
  const capacity = view?.capacity.find(each => isIn(each, place))
  const entries = view?.entries ?? []
  const pairs = similarPairs(entries, place)
  // A merge is undone from a toast, which this modal would block. So the merge dialog replaces this dialog.
  if (pair) return <MergeDialog {...pair} onClose={onClose} />
  return (
    <Dialog title={`Make room: ${placeName(place)}`} closeLabel="Close" onClose={onClose} width="medium">
      <div className="grid gap-5">
        {capacity && (
          <output className="text-sm text-ink-2">
            {capacityText(
              formatCount(capacity.used),
              formatCount(capacity.limit),
              formatCount(capacity.tokens),
            )}
          </output>
        )}
        {pairs.length > 0 && (
          <section className="grid gap-2">
            <h3 className="text-sm font-medium">Entries you could merge</h3>
            <ul className="grid gap-2">
              {pairs.map(({ kept, other }) => (
                <li key={`${kept.id} ${other.id}`} className="room-row">
                  <div className="grid min-w-0 flex-1 gap-1">
                    <p dir="auto" className="line-clamp-2 break-words">
                      {kept.text}
                    </p>
                    <p dir="auto" className="line-clamp-2 break-words">
                      {other.text}
                    </p>
                  </div>
                  <button
                    type="button"
                    className="btn btn-secondary shrink-0"
                    aria-label={`Merge “${oneLine(kept.text, 60)}” and “${oneLine(other.text, 60)}”…`}
                    onClick={() => setPair({ kept, other })}
                  >
                    Merge…
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
        <FirstRemovals first={entriesWith(capacity?.firstToGo ?? [], entries)} />
      </div>
    </Dialog>
  )
}

const entriesWith = (ids: readonly string[], entries: readonly MemoryEntry[]) =>
  ids.map(id => entries.find(entry => entry.id === id)).filter(entry => entry !== undefined)

/** The row of an archived entry stays and offers Undo in the same place. */
function FirstRemovals({ first }: { first: readonly MemoryEntry[] }) {
  const entries = useView()?.entries ?? []
  const { ask, change, bringBack } = useMemoryChanges()
  const [touched, setTouched] = useState<readonly MemoryEntry[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const isTouched = (entry: MemoryEntry) => touched.some(each => each.id === entry.id)
  const rows = [...touched, ...first.filter(entry => !isTouched(entry))].toSorted(
    (a, b) => a.updatedAt - b.updatedAt,
  )
  const toggle = async (entry: MemoryEntry, isThere: boolean) => {
    if (!isTouched(entry)) setTouched([...touched, entry])
    const answer = await (isThere ? change(ask('memory.remove', { ids: [entry.id] })) : bringBack(entry.id))
    setProblem(answer.ok ? null : answer.fault.message)
  }
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-medium">Entries to archive first</h3>
      {rows.length === 0 && <p className="text-sm text-ink-3">Everything here is locked.</p>}
      <Problem className="text-sm whitespace-pre-wrap" text={problem} />
      <ul className="grid gap-2">
        {rows.map(entry => {
          const isThere = entries.some(each => each.id === entry.id)
          const name = oneLine(entry.text, 60)
          return (
            <li key={entry.id} className="room-row">
              <div className="min-w-0 flex-1">
                <p dir="auto" className="line-clamp-3 break-words">
                  {entry.text}
                </p>
                {!isThere && <p className="text-xs text-ink-3">In the archive</p>}
              </div>
              <button
                type="button"
                className="btn btn-secondary shrink-0"
                aria-label={isThere ? `Archive “${name}”` : `Restore “${name}”`}
                onClick={() => void toggle(entry, isThere)}
              >
                {isThere ? 'Archive' : 'Restore'}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
