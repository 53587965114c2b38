import { ShieldAlert, ShieldCheck, Terminal, TriangleAlert } from 'lucide-react'
import { memo, useId, type ReactNode } from 'react'
import type { SkillCandidate } from '../../../../shared/contract/learned/skill-imports.ts'
import { cx } from '../../../ui/style.ts'
import { Icon } from '../../../ui/IconButton.tsx'
import { CandidateDetail } from './CandidateDetail.tsx'
import { nameOf } from './import-choices.ts'
import { useImport } from './skill-import-store.ts'
import { countOf } from '../../../ui/text/format-values.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'

const VERDICT_NAMES = { safe: 'nothing found', caution: 'caution', dangerous: 'dangerous' } as const

type Props = { candidate: SkillCandidate; wrong: 'wrong' | 'taken' | undefined }

/** A row for one candidate, which expands to its details. */
export const CandidateRow = memo(function CandidateRow({ candidate, wrong }: Props): ReactNode {
  const id = useId()
  const { path, description, refused } = candidate
  const choice = useImport(state => state.choices[path])
  const opened = useImport(state => state.opened.has(path))
  const select = useImport(state => state.select)
  const open = useImport(state => state.open)
  if (!choice) return null
  const name = nameOf(candidate, choice) || candidate.name
  return (
    <>
      <div className="flex items-start gap-3 px-3.5 py-2.5">
        <input
          type="checkbox"
          aria-label={`Import “${candidate.name}”`}
          className="mt-1 size-4 shrink-0 accent-accent"
          checked={choice.act !== 'skip'}
          disabled={refused !== null}
          onChange={event => select([path], event.target.checked)}
        />
        {/* The whole row opens the details, but screen readers announce only the name as the button. */}
        <div className="relative flex min-w-0 flex-1 items-start gap-2">
          <div className="min-w-0 flex-1">
            <button
              type="button"
              aria-expanded={opened}
              aria-controls={opened ? id : undefined}
              aria-describedby={`${id}-about`}
              className="block max-w-full truncate rounded-md text-start text-sm font-medium after:absolute after:inset-0"
              onClick={() => open(path, !opened)}
            >
              {showHidden(name)}
            </button>
            {!opened && (
              <p dir="auto" className="truncate text-xs text-ink-3">
                {showHidden(description)}
              </p>
            )}
            <p id={`${id}-about`} className="mt-1 flex flex-wrap gap-1.5">
              <Badges candidate={candidate} on={choice.on} wrong={wrong} />
            </p>
          </div>
          <span className={cx('mt-1 text-ink-3 transition-transform', opened && 'rotate-180')}>
            <Icon name="chevron" />
          </span>
        </div>
      </div>
      {opened && (
        <div id={id} className="px-3.5 pb-4">
          <CandidateDetail candidate={candidate} choice={choice} wrong={wrong} />
        </div>
      )}
    </>
  )
})

function Badges({ candidate, on, wrong }: Props & { on: boolean }) {
  const { refused, scan, files, issues, replaces } = candidate
  if (refused !== null) return <span className="badge text-danger">cannot be installed</span>
  const scripts = files.filter(file => file.kind === 'script').length
  const remarks = issues.filter(issue => issue.level !== 'info').length
  return (
    <>
      <span className="badge">{on ? 'on' : 'off'}</span>
      <Verdict verdict={scan.verdict} />
      {candidate.publisher !== null && <span className="badge">trusted publisher</span>}
      {scripts > 0 && (
        <span className="badge gap-1 text-warn">
          <Terminal size={12} />
          {countOf(scripts, 'script', 'scripts')}
        </span>
      )}
      {replaces !== null && (
        <span className={cx('badge', wrong && 'text-danger')}>
          {replaces.origin === 'imported' ? 'replaces one' : 'name taken'}
        </span>
      )}
      {remarks > 0 && <span className="badge">{countOf(remarks, 'remark', 'remarks')}</span>}
    </>
  )
}

const verdicts = {
  safe: { Sign: ShieldCheck, color: 'text-good' },
  caution: { Sign: TriangleAlert, color: 'text-warn' },
  dangerous: { Sign: ShieldAlert, color: 'text-danger' },
}

function Verdict({ verdict }: { verdict: SkillCandidate['scan']['verdict'] }) {
  const { Sign, color } = verdicts[verdict]
  return (
    <span className={cx('badge gap-1', color)}>
      <Sign size={12} />
      {VERDICT_NAMES[verdict]}
    </span>
  )
}
