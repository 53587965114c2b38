import { Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Skill, SkillFileChange, SkillRevision } from '../../../../shared/contract/learned/skills.ts'
import { usePages } from '../../../rpc/use-answer.ts'
import { countOf, formatMoment } from '../../../ui/text/format-values.ts'
import { When } from '../../../ui/text/InlineText.tsx'
import { ChatLink, actorNames, revisionLabels } from '../skill-labels.tsx'
import { TextDiff } from '../../../ui/text/TextDiff.tsx'
import { useSkillActions } from '../use-skills.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Problem } from '../../../ui/Banner.tsx'
import { More } from '../../../ui/Progress.tsx'

/** How many changes to read at a time. */
const PAGE = 50

/** The history of a skill, newest first, with differences, undo and restore. */
export function HistoryTab({ skill, text: present }: { skill: Skill; text: string }): ReactNode {
  const revisions = usePages(
    'skills.history',
    (known: readonly SkillRevision[]) => ({
      key: skill.key,
      limit: PAGE,
      ...(known.length > 0 && { before: known.at(-1)!.id }),
    }),
    ({ revisions: items, more }) => ({ items, more }),
  )
  return (
    <div className="skill-tab">
      {revisions.problem !== null && (
        <Problem className="mb-3 text-sm" text={`The history could not be read: ${revisions.problem}`} />
      )}
      {revisions.items?.length === 0 && <p className="text-sm text-ink-3">Nothing has changed yet.</p>}
      <ol aria-label="Changes" className="grid gap-5">
        {revisions.items?.map(revision => (
          <Revision key={revision.id} revision={revision} present={present} />
        ))}
      </ol>
      <More list={revisions} />
    </div>
  )
}

/** Operations that leave a version to restore. */
const versions = new Set<SkillRevision['op']>(['create', 'edit', 'restore', 'import', 'reset'])

function Revision({ revision, present }: { revision: SkillRevision; present: string }) {
  const { actor, op, at, note, sessionId, messageId, files, undoes, undoneBy } = revision
  const { undo, restore } = useSkillActions()
  const what = revisionLabels[op](actorNames[actor])
  const isPresent = files.find(file => file.path.toLowerCase() === 'skill.md')?.after === present
  return (
    <li id={`revision-${revision.id}`} className="grid gap-2 border-s-2 border-line ps-3">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
        <span className="font-medium text-ink">{what}</span>
        <When at={at} />
        {sessionId !== null && <ChatLink sessionId={sessionId} messageId={messageId} />}
        {isPresent && <span className="badge">current version</span>}
        {undoes !== null && <span>undoes an earlier change</span>}
        {undoneBy !== null && <span className="badge">undone</span>}
      </p>
      {note !== '' && (
        <p dir="auto" className="text-sm break-words">
          {note}
        </p>
      )}
      {files.length > 0 && <Changes files={files} />}
      <div className="flex flex-wrap gap-2">
        {undoneBy === null && (
          <button
            type="button"
            aria-label={`Undo: ${what}`}
            className="btn btn-secondary"
            onClick={() => void undo(revision.id)}
          >
            <Undo2 size={16} className="rtl:-scale-x-100" />
            Undo
          </button>
        )}
        {versions.has(op) && !isPresent && files.some(file => file.after !== null) && (
          <button
            type="button"
            aria-label={`Restore this version from ${formatMoment(at)}`}
            className="btn btn-quiet"
            onClick={() => void restore(revision)}
          >
            Restore this version
          </button>
        )}
      </div>
    </li>
  )
}

/** Changes to several files, or a whole file added or removed, start collapsed. */
function Changes({ files }: { files: readonly SkillFileChange[] }) {
  const [first] = files
  const isSmall = files.length === 1 && first?.before != null && first.after !== null
  return (
    <details open={isSmall}>
      <summary className="link-btn w-max max-w-full text-xs">
        {files.length === 1 ? first?.path : countOf(files.length, 'file', 'files')}
      </summary>
      <ul className="mt-2 grid gap-3">
        {files.map(file => (
          <li key={file.path} className="min-w-0">
            {files.length > 1 && (
              <p dir="ltr" className="mb-1 text-start font-mono text-xs break-all">
                {showHidden(file.path)}
              </p>
            )}
            {file.binary ? (
              <p className="text-sm text-ink-3">This file is not text, so its changes cannot be shown.</p>
            ) : (
              <TextDiff
                label={`What changed in ${file.path}`}
                before={file.before ?? ''}
                after={file.after ?? ''}
              />
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
