import { Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MemoryRevision } from '../../../shared/contract/memory.ts'
import { usePaged } from '../../rpc/use-asked.ts'
import { goTo } from '../../route.ts'
import { WordDiff } from '../../ui/TextDiff.tsx'
import { oneLine } from '../../ui/format.ts'
import { When } from '../../ui/InlineText.tsx'
import { olderThan } from './Detail.tsx'
import { More } from '../../ui/Progress.tsx'
import { useMemory, useEntry, usePlaceName, useMemoryActions } from './use-memory.ts'
import { SourceChip, actorNames, changeVerbs } from './entry-labels.tsx'
import { placeNamed } from './memory-state.ts'
import { Problem } from '../../ui/Banner.tsx'

/** The revisions of all entries, newest first. */
export function MemoryHistoryTab(): ReactNode {
  const history = useMemory(memory => memory.history)
  const loadedAt = useMemory(memory => memory.loadedAt)
  const list = usePaged<MemoryRevision>(
    (known, limit, signal) => history({ limit, ...olderThan(known) }, signal),
    `${loadedAt}`,
  )
  return (
    <>
      {list.problem !== null && <Problem text={`The history could not be read: ${list.problem}`} />}
      {list.items?.length === 0 && (
        <p className="text-sm text-ink-3">
          Nothing has changed yet. Every change is listed here, and you can undo it.
        </p>
      )}
      <ol aria-label="Changes" className="entry-list">
        {list.items?.map(revision => (
          <RevisionRow key={revision.id} revision={revision} />
        ))}
      </ol>
      <More list={list} />
    </>
  )
}

/** One revision: author, action, time, the text before and after, and Undo. */
function RevisionRow({ revision }: { revision: MemoryRevision }): ReactNode {
  const { actor, op, entryId, sessionId, messageId, undoneBy, undoes } = revision
  const placeName = usePlaceName()
  const { undo } = useMemoryActions()
  const present = useEntry(entryId)
  const what = `${actorNames[actor]} ${changeVerbs[op]}`
  const said = op === 'move' ? present?.text : (revision.after ?? revision.before)
  return (
    <li className="entry">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
          <span className="font-medium text-ink">{what}</span>
          <span>{placeName(revision)}</span>
          <When at={revision.at} />
          {sessionId !== null && <SourceChip sessionId={sessionId} messageId={messageId} />}
          {undoes !== null && <span>this undoes an earlier change</span>}
          {undoneBy !== null && <span className="badge">undone</span>}
        </p>
        <Change revision={revision} said={present?.text} />
        {present && (
          <button
            type="button"
            className="link-btn justify-self-start text-xs"
            onClick={() => goTo({ page: 'memory', entryId })}
          >
            Show the entry
          </button>
        )}
      </div>
      {undoneBy === null && (
        <button
          type="button"
          aria-label={`Undo: ${what} “${oneLine(said ?? '', 60)}”`}
          className="btn btn-quiet self-start"
          onClick={() => void undo(revision.id)}
        >
          <Undo2 size={15} className="rtl:-scale-x-100" />
          Undo
        </button>
      )}
    </li>
  )
}

function Change({ revision, said }: { revision: MemoryRevision; said: string | undefined }) {
  const placeName = usePlaceName()
  const { op, before, after } = revision
  if (op === 'move') {
    const name = (place: string | null) => placeName(placeNamed(place ?? ''))
    return (
      <p className="text-sm">
        {said !== undefined && <span dir="auto">{said} – </span>}
        {`From ${name(before)} to ${name(after)}`}
      </p>
    )
  }
  if (op === 'lock' || op === 'unlock')
    return (
      <p dir="auto" className="text-sm break-words whitespace-pre-wrap">
        {after}
      </p>
    )
  return (
    <p className="text-sm">
      <WordDiff before={before} after={after} />
    </p>
  )
}
