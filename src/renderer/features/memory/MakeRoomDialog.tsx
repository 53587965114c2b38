import { useState, type ReactNode } from 'react'
import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatCount } from '../../ui/format.ts'
import { useMemory, usePlaceName } from './memory-context.ts'
import { isIn, type Place } from './memory-state.ts'
import { similarPairs, type Pair } from './merge.ts'
import { MergeDialog } from './MergeDialog.tsx'
import { shorten } from './shorten.ts'
import { memoryText } from './strings.ts'

const text = memoryText.room

/** What could go from a file that is nearly full: the person chooses, entry by entry, and nothing goes by itself. */
export function MakeRoomDialog({ place, onClose }: { place: Place; onClose: () => void }): ReactNode {
  const view = useMemory(memory => memory.view)
  const placeName = usePlaceName()
  const [pair, setPair] = useState<Pair>()
  const capacity = view?.capacity.find(each => isIn(each, place))
  const entries = view?.entries ?? []
  const pairs = similarPairs(entries, place)
  // Once two are one, the way back is in the corner of the page, which an open dialog would keep out of reach.
  if (pair) return <MergeDialog {...pair} onClose={onClose} />
  return (
    <Dialog
      title={text.title(placeName(place))}
      closeLabel={memoryText.close}
      onClose={onClose}
      width="medium"
    >
      <div className="grid gap-5">
        {capacity && (
          <output className="text-sm text-ink-2">
            {memoryText.capacityOf(
              formatCount(capacity.used),
              formatCount(capacity.limit),
              formatCount(capacity.tokens),
            )}
          </output>
        )}
        {pairs.length > 0 && (
          <section className="grid gap-2">
            <h3 className="text-sm font-medium">{text.pairs}</h3>
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
                    aria-label={text.mergeOf(shorten(kept.text), shorten(other.text))}
                    onClick={() => setPair({ kept, other })}
                  >
                    {memoryText.merge.open}
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

/** A row stays when its entry goes, with the way back in the same place. */
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
      <h3 className="text-sm font-medium">{text.first}</h3>
      {rows.length === 0 && <p className="text-sm text-ink-3">{text.allLocked}</p>}
      {problem !== null && (
        <p role="alert" className="text-sm whitespace-pre-wrap text-danger">
          {problem}
        </p>
      )}
      <ul className="grid gap-2">
        {rows.map(entry => {
          const isThere = entries.some(each => each.id === entry.id)
          const name = shorten(entry.text)
          return (
            <li key={entry.id} className="room-row">
              <div className="min-w-0 flex-1">
                <p dir="auto" className="line-clamp-3 break-words">
                  {entry.text}
                </p>
                {!isThere && <p className="text-xs text-ink-3">{text.archived}</p>}
              </div>
              <button
                type="button"
                className="btn btn-secondary shrink-0"
                aria-label={isThere ? text.archiveOf(name) : memoryText.archive.restoreOf(name)}
                onClick={() => void toggle(entry, isThere)}
              >
                {isThere ? memoryText.bulk.archive : memoryText.archive.restore}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
