import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SkillIssue } from '../../../../shared/contract/learned/skills.ts'
import { cx } from '../../../ui/style.ts'
import { countOf } from '../../../ui/text/format-values.ts'
import { useDraft } from './draft-context.ts'
import { SKILL_FILE } from './buffers.ts'

const LEVELS = { error: 'Error', warning: 'Warning', info: 'Hint' } as const

/** Format issues of SKILL.md during editing. An issue with a line links to it. */
export function Issues(): ReactNode {
  const issues = useDraft(draft => draft.issues)
  const problem = useDraft(draft => draft.checkProblem)
  const jump = useDraft(draft => draft.jump)
  const count = (level: SkillIssue['level']) => issues.filter(issue => issue.level === level).length
  const errors = count('error')
  const warnings = count('warning')
  const counts = [
    errors > 0 && countOf(errors, 'error', 'errors'),
    warnings > 0 && countOf(warnings, 'warning', 'warnings'),
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <section className="min-w-0">
      <div className="mb-1.5 flex items-baseline gap-2">
        <h3 className="text-sm font-semibold">Format</h3>
        <output className="text-xs text-ink-3">{counts}</output>
      </div>
      {problem !== '' && <p className="text-xs text-ink-3">{`It could not be checked. ${problem}`}</p>}
      {problem === '' && issues.length === 0 && <p className="text-sm text-ink-3">No problems found.</p>}
      <ul aria-label="Check results" className="grid gap-0.5">
        {issues.map(issue => (
          <li key={`${issue.line} ${issue.rule} ${issue.text}`}>
            {issue.line === null ? (
              <Sentence issue={issue} className="px-2 py-1" />
            ) : (
              <button
                type="button"
                className="w-full rounded-md px-2 py-1 text-start hover:bg-hover"
                onClick={() => void jump(SKILL_FILE, issue.line ?? 1)}
              >
                <Sentence issue={issue} />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const signs = { error: CircleAlert, warning: TriangleAlert, info: Info }
const colors = { error: 'text-danger', warning: 'text-warn', info: 'text-ink-3' }

function Sentence({ issue, className }: { issue: SkillIssue; className?: string }) {
  const Sign = signs[issue.level]
  return (
    <span className={cx('flex items-start gap-2 text-sm', className)}>
      <Sign size={14} aria-hidden="true" className={cx('mt-1 shrink-0', colors[issue.level])} />
      <span className="min-w-0 break-words">
        <span className="sr-only">{LEVELS[issue.level]}. </span>
        {issue.line !== null && <span className="text-ink-3">{`Line ${issue.line}: `}</span>}
        {issue.text}
      </span>
    </span>
  )
}
