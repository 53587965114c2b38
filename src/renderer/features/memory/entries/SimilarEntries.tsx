import { useMemo, useState, type ReactNode, useId } from 'react'
import { flushSync } from 'react-dom'
import type { MemoryEntry } from '../../../../shared/contract/learned/memory.ts'
import type { Fault } from '../../../../shared/rpc.ts'
import { goTo } from '../../../route.ts'
import { oneLine } from '../../../ui/text/format-values.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { keyText } from '../../../ui/keyboard/keys.ts'
import { usePlaceName, useMemoryActions, useView } from '../use-memory.ts'
import { isIn } from '../memory-state.ts'
import { similarTo, joinTexts, type Pair } from './merge-entries.ts'
import { LongText } from './LongText.tsx'
import { focusEntry } from './entry-focus.ts'
import { Problem } from '../../../ui/Banner.tsx'

/** Entries similar to this one, each with a Merge button. */
export function SimilarEntries({ entry }: { entry: MemoryEntry }): ReactNode {
  const entries = useView()?.entries
  const similar = useMemo(() => similarTo(entry, entries ?? []), [entry, entries])
  const placeName = usePlaceName()
  const [pair, setPair] = useState<Pair>()
  return (
    <>
      {similar.length > 0 && (
        <section className="grid gap-2">
          <h3 className="text-xs font-medium text-ink-3">Similar entries</h3>
          <ul className="grid gap-2.5">
            {similar.map(other => (
              <li key={other.id} className="flex items-start justify-between gap-3">
                <div className="min-w-0 flex-1">
                  <button
                    type="button"
                    dir="auto"
                    className="link-btn line-clamp-3 text-sm break-words"
                    onClick={() => goTo({ page: 'memory', entryId: other.id })}
                  >
                    {other.text}
                  </button>
                  {!isIn(other, entry) && <p className="text-xs text-ink-3">{placeName(other)}</p>}
                </div>
                <button
                  type="button"
                  className="btn btn-secondary shrink-0"
                  aria-label={`Merge with “${oneLine(other.text, 60)}”…`}
                  onClick={() => setPair({ kept: entry, other })}
                >
                  Merge…
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {pair && <MergeDialog {...pair} onClose={() => setPair(undefined)} />}
    </>
  )
}

const problemText = ({ code, message }: Fault) =>
  code === 'conflict'
    ? 'One of the two was changed or deleted in the meantime. Close this and check them again.'
    : `Neither entry was changed. ${message}`

/** Merges two entries: one gets the text written here, the other is archived. */
export function MergeDialog({ kept, other, onClose }: Pair & { onClose: () => void }): ReactNode {
  const id = useId()
  const { merge } = useMemoryActions()
  // Snapshots of both entries: later changes are reported instead of overwritten.
  const [seen] = useState({ kept, other })
  const [written, setWritten] = useState(() => joinTexts(kept.text, other.text))
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const keys = `${keyText('mod+enter')} merges, ${keyText('escape')} leaves both unchanged.`

  const isReady = !busy && written.trim() !== ''
  const save = async () => {
    if (!isReady) return
    setBusy(true)
    const answer = await merge(seen.kept, seen.other, written)
    setBusy(false)
    if (!answer.ok) return setProblem(problemText(answer.fault))
    // Close the dialog synchronously. On a busy machine React may not have closed it a frame later, and then
    // nothing behind it can take the focus.
    flushSync(onClose)
    focusEntry(kept.id)
  }

  return (
    <Dialog title="Merge two entries" closeLabel="Close" onClose={onClose} width="medium">
      <div className="grid gap-3">
        <p id={id} className="text-sm text-ink-2">
          The two become one entry with this text, and the other goes to the archive. You can undo both
          changes.
        </p>
        <LongText
          value={written}
          label="Text of the merged entry"
          hint={keys}
          describedBy={id}
          invalid={problem !== null}
          onChange={written => {
            setWritten(written)
            setProblem(null)
          }}
          onSave={() => void save()}
          onCancel={onClose}
        />
        <Problem className="text-sm whitespace-pre-wrap" text={problem} />
        <div className="flex flex-wrap items-center justify-end gap-2">
          <span aria-hidden="true" className="me-auto text-xs text-ink-3">
            {keys}
          </span>
          <DialogButtons label="Merge" disabled={!isReady} onClick={() => void save()} onCancel={onClose} />
        </div>
      </div>
    </Dialog>
  )
}
