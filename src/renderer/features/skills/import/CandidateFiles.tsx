import { FileText, Terminal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { SkillCandidate } from '../../../../shared/contract/learned/skill-imports.ts'
import { TextDiff } from '../../../ui/text/TextDiff.tsx'
import { formatBytes } from '../../../ui/text/format-values.ts'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { useImport } from './skill-import-store.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'

/** The difference of each file. */
export function SkillChanges({ changes }: { changes: NonNullable<SkillCandidate['replaces']>['changes'] }) {
  return (
    <section className="grid min-w-0 gap-2">
      <h4 className="text-xs font-semibold text-ink-3">What would change</h4>
      {changes.length === 0 && <p className="text-sm text-ink-3">It is the same as the existing skill.</p>}
      {changes.map(({ path, before, after, binary }) => (
        <div key={path} className="grid min-w-0 gap-1">
          <p className="text-xs text-ink-2">
            <span dir="ltr" className="font-mono break-all">
              {showHidden(path)}
            </span>
            {!binary && before === null && ` · new`}
            {!binary && after === null && ` · removed`}
          </p>
          {binary ? (
            <p className="text-xs text-ink-3">This is not a text file. It would be replaced.</p>
          ) : (
            <TextDiff
              label={`Changes to ${path}`}
              before={before ?? ''}
              after={after ?? ''}
              className="max-h-60"
            />
          )}
        </div>
      ))}
    </section>
  )
}

/** The files of a candidate. A click shows the text of a file. */
export function CandidateFiles({ candidate }: { candidate: SkillCandidate }): ReactNode {
  const [shown, setShown] = useState<string | null>(null)
  return (
    <section className="grid min-w-0 gap-1.5">
      <h4 className="text-xs font-semibold text-ink-3">Files</h4>
      <ul className="grid max-h-48 gap-0.5 overflow-y-auto">
        {candidate.files.map(({ path, bytes, kind }) => (
          <li key={path}>
            <button
              type="button"
              aria-expanded={path === shown}
              className="flex w-full min-w-0 items-center gap-2 rounded-md px-2 py-0.5 text-start text-sm hover:bg-hover aria-expanded:bg-active"
              onClick={() => setShown(path === shown ? null : path)}
            >
              {kind === 'script' ? (
                <Terminal size={14} className="shrink-0 text-warn" />
              ) : (
                <FileText size={14} className="shrink-0 text-ink-3" />
              )}
              <span dir="ltr" className="min-w-0 flex-1 truncate font-mono text-xs">
                {showHidden(path)}
              </span>
              {kind === 'script' && <span className="badge text-warn">script</span>}
              <span className="shrink-0 text-xs text-ink-2">{formatBytes(bytes)}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown !== null && <TextOfFile key={shown} candidate={candidate.path} path={shown} />}
    </section>
  )
}

/** The text of a file in quarantine. */
function TextOfFile({ candidate, path }: { candidate: string; path: string }) {
  const importId = useImport(({ step }) => (step.name === 'candidates' ? step.found.id : ''))
  const answer = useAnswer('skills.importFile', { importId, candidate, path }, { isOnce: true })
  if (!answer) return null
  const content = answer.ok ? answer.value.text : null
  if (content === null)
    return (
      <p className="text-xs text-ink-3">
        {answer.ok ? 'This file is not text, or is too long to show.' : answer.fault.message}
      </p>
    )
  return (
    <Scrollable
      as="pre"
      label={`Text of ${path}`}
      className="max-h-72 overflow-auto rounded-lg border border-line bg-side px-3 py-2 font-mono text-xs break-words whitespace-pre-wrap"
    >
      {content}
    </Scrollable>
  )
}
