import { Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MemoryRevision } from '../../../shared/contract/memory.ts'
import { go } from '../../route.ts'
import { WordDiff } from '../../ui/TextDiff.tsx'
import { SourceChip } from './Chips.tsx'
import { useEntry, usePlaceName } from './memory-context.ts'
import { placeNamed } from './memory-state.ts'
import { oneLine } from '../../ui/format.ts'
import { useMemoryActions } from './use-memory-actions.ts'
import { When } from '../../ui/InlineText.tsx'
import { actorNames, changeVerbs } from './entry-texts.ts'

/** One revision: author, action, time, the text before and after, and Undo. */
export function RevisionRow({ revision }: { revision: MemoryRevision }): ReactNode {
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
            onClick={() => go({ page: 'memory', entryId })}
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
