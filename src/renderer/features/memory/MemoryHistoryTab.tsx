import { Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MemoryRevision } from '../../../shared/contract/learned/memory.ts'
import { goTo } from '../../route.ts'
import { WordDiff } from '../../ui/text/TextDiff.tsx'
import { oneLine } from '../../ui/text/format-values.ts'
import { When } from '../../ui/text/InlineText.tsx'
import { More } from '../../ui/Progress.tsx'
import { useEntry, useRevisions, usePlaceName, useMemoryActions } from './use-memory.ts'
import { SourceChip, actorNames, changeLabels } from './entries/entry-labels.tsx'
import { placeNamed } from './memory-state.ts'
import { Problem } from '../../ui/Banner.tsx'

/** The revisions of all entries, newest first. */
export function MemoryHistoryTab(): ReactNode {
  const list = useRevisions()
  return (
    <>
      {list.problem !== null && <Problem text={`The history could not be read: ${list.problem}`} />}
      {list.items?.length === 0 && (
        <p className="text-sm text-ink-3">
          Nothing has changed yet. Every change is listed here, and you can undo each one.
        </p>
      )}
      <ol aria-label="Changes" className="entry-list">
        {rowsOf(list.items ?? []).map(parts => (
          <Row key={parts[0].id} parts={parts} />
        ))}
      </ol>
      <More list={list} />
    </>
  )
}

/** The content of one row: one revision, or all parts of a merge. */
type Parts = [MemoryRevision, ...MemoryRevision[]]

function rowsOf(revisions: readonly MemoryRevision[]): Parts[] {
  const rows: Parts[] = []
  for (const revision of revisions) {
    const last = rows.at(-1)
    if (revision.mergeId !== null && last?.[0].mergeId === revision.mergeId) last.push(revision)
    else rows.push([revision])
  }
  return rows
}

/** The label of a change. An undone merge has no removal among its parts. */
function labelOf(parts: Parts): string {
  const [{ actor, op, mergeId }] = parts
  const who = actorNames[actor]
  if (mergeId === null) return changeLabels[op](who)
  return parts.some(part => part.op === 'remove') ? `Merged by ${who}` : `Split by ${who}`
}

/** One row: author, action, time, the texts before and after, and Undo. */
function Row({ parts }: { parts: Parts }): ReactNode {
  const [revision] = parts
  const { op, entryId, sessionId, messageId, undoneBy, undoes } = revision
  const placeName = usePlaceName()
  const { undo } = useMemoryActions()
  const present = useEntry(entryId)
  const what = labelOf(parts)
  const said = op === 'move' ? present?.text : (revision.after ?? revision.before)
  return (
    <li className="entry">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
          <span className="font-medium text-ink">{what}</span>
          <span>{placeName(revision)}</span>
          <When at={revision.at} />
          {sessionId !== null && <SourceChip sessionId={sessionId} messageId={messageId} />}
          {undoes !== null && <span>undoes an earlier change</span>}
          {undoneBy !== null && <span className="badge">undone</span>}
        </p>
        {parts.map(part => (
          <Change key={part.id} revision={part} said={present?.text} />
        ))}
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
          <Undo2 size={16} className="rtl:-scale-x-100" />
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
