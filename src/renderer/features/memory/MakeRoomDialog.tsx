import { useState, type ReactNode } from 'react'
import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatCount, oneLine } from '../../ui/format.ts'
import { useMemory, usePlaceName } from './memory-context.ts'
import { isIn, type Place } from './memory-state.ts'
import { similarPairs, type Pair } from './merge.ts'
import { MergeDialog } from './MergeDialog.tsx'
import { capacityText } from './entry-texts.ts'

/** Suggests what to remove from a nearly full file. The user decides on each entry. */
export function MakeRoomDialog({ place, onClose }: { place: Place; onClose: () => void }): ReactNode {
  const view = useMemory(memory => memory.view)
  const placeName = usePlaceName()
  const [pair, setPair] = useState<Pair>()
  const capacity = view?.capacity.find(each => isIn(each, place))
  const entries = view?.entries ?? []
  const pairs = similarPairs(entries, place)
  // A merge is undone from a toast, which this modal would block. So the merge dialog replaces it.
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
            <h3 className="text-sm font-medium">These could be one</h3>
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
        <FirstToGo first={entriesWith(capacity?.firstToGo ?? [], entries)} />
      </div>
    </Dialog>
  )
}

const entriesWith = (ids: readonly string[], entries: readonly MemoryEntry[]) =>
  ids.map(id => entries.find(entry => entry.id === id)).filter(entry => entry !== undefined)

/** The row of an archived entry stays and offers Undo in the same place. */
function FirstToGo({ first }: { first: readonly MemoryEntry[] }) {
  const entries = useMemory(memory => memory.view?.entries) ?? []
  const remove = useMemory(memory => memory.remove)
  const bringBack = useMemory(memory => memory.bringBack)
  const [touched, setTouched] = useState<readonly MemoryEntry[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const isTouched = (entry: MemoryEntry) => touched.some(each => each.id === entry.id)
  const rows = [...touched, ...first.filter(entry => !isTouched(entry))].toSorted(
    (a, b) => a.updatedAt - b.updatedAt,
  )
  const toggle = async (entry: MemoryEntry, isThere: boolean) => {
    if (!isTouched(entry)) setTouched([...touched, entry])
    const answer = await (isThere ? remove([entry.id]) : bringBack(entry.id))
    setProblem(answer.ok ? null : answer.fault.message)
  }
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-medium">These would go first</h3>
      {rows.length === 0 && <p className="text-sm text-ink-3">Everything here is locked.</p>}
      {problem !== null && (
        <p role="alert" className="text-sm whitespace-pre-wrap text-danger">
          {problem}
        </p>
      )}
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
