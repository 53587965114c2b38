import { type ReactNode } from 'react'
import type { SkillCandidate } from '../../../../shared/contract/learned/skill-imports.ts'
import { Switch } from '../../../ui/fields/Choice.tsx'
import { formatCount } from '../../../ui/text/format-values.ts'
import { Findings } from '../detail/Findings.tsx'
import type { Choice } from './import-choices.ts'
import { CandidateFiles, SkillChanges } from './CandidateFiles.tsx'
import { Clash } from './Clash.tsx'
import { useImport } from './skill-import-store.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'

const whyOff = ({ files, scan }: SkillCandidate) => {
  const hasScripts = files.some(file => file.kind === 'script')
  if (scan.verdict === 'safe')
    return hasScripts
      ? 'It stays off at first, because it has scripts.'
      : 'It stays off, like the existing skill.'
  return hasScripts
    ? 'It stays off at first, because it has scripts and the scan found something.'
    : 'It stays off at first, because the scan found something.'
}

/** What the verdict means for this skill. */
function verdictOf({ scan: { verdict, findings }, publisher }: SkillCandidate): string {
  if (verdict === 'dangerous')
    return 'The scan found dangerous passages. The skill stays off until you accept them.'
  if (verdict === 'caution')
    return publisher === null
      ? 'Caution: read these lines before you import it.'
      : 'Caution: some lines need care. You are not asked, because you trust its publisher.'
  return findings.length > 0 ? 'Safe. The findings below need no action.' : 'Nothing suspicious was found.'
}

type Props = {
  candidate: SkillCandidate
  choice: Choice
  wrong: 'wrong' | 'taken' | undefined
  /** Shows an update: the name is fixed and the changes come first. */
  isUpdate?: boolean
}

/** The details of a candidate, for the decision to install it. */
export function CandidateDetail({ candidate, choice, wrong, isUpdate = false }: Props): ReactNode {
  const { path, description, refused, scan, issues, licence } = candidate
  return (
    <div className="grid min-w-0 gap-4">
      {isUpdate && candidate.replaces && <SkillChanges changes={candidate.replaces.changes} />}
      <p dir="auto" className="text-sm break-words whitespace-pre-wrap">
        {description === '' ? <span className="text-ink-3">It has no description.</span> : description}
      </p>
      {refused !== null && (
        <p role="note" className="text-sm text-danger">
          {refused}
        </p>
      )}
      {candidate.replaces !== null && refused === null && !isUpdate && (
        <Clash candidate={candidate} choice={choice} wrong={wrong} />
      )}
      {refused === null && choice.act !== 'skip' && <OnSwitch candidate={candidate} choice={choice} />}
      <section className="grid gap-2">
        <h4 className="text-xs font-semibold text-ink-3">Security scan</h4>
        <p className={`text-sm ${scan.verdict === 'dangerous' ? 'text-danger' : ''}`}>
          {verdictOf(candidate)}
        </p>
        <Findings findings={scan.findings} />
      </section>
      {issues.length > 0 && (
        <section className="grid gap-1">
          <h4 className="text-xs font-semibold text-ink-3">Format</h4>
          <ul className="grid list-disc gap-0.5 ps-5 text-sm">
            {issues.map(issue => (
              <li key={`${issue.line} ${issue.rule} ${issue.text}`} className="break-words">
                {issue.text}
                {issue.line !== null && (
                  <span className="text-ink-3">{` · line ${formatCount(issue.line)}`}</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {!isUpdate && candidate.replaces && choice.act === 'replace' && (
        <SkillChanges changes={candidate.replaces.changes} />
      )}
      <CandidateFiles candidate={candidate} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs">
        <dt className="text-ink-3">Publisher</dt>
        <dd className="break-words">
          {candidate.publisher === null
            ? 'not in your list of trusted publishers'
            : `trusted: ${candidate.publisher}`}
        </dd>
        <dt className="text-ink-3">Licence</dt>
        <dd className="break-words">{licence ?? 'none given'}</dd>
        {path !== '' && (
          <>
            <dt className="text-ink-3">Located in</dt>
            <dd dir="ltr" className="font-mono break-all">
              {showHidden(path)}
            </dd>
          </>
        )}
      </dl>
    </div>
  )
}

function OnSwitch({ candidate, choice }: { candidate: SkillCandidate; choice: Choice }) {
  const choose = useImport(state => state.choose)
  const hint = !choice.on
    ? whyOff(candidate)
    : candidate.on
      ? 'Every chat can use it as soon as it is installed.'
      : 'You switch it on despite the findings above.'
  return (
    <Switch
      label="Switch it on right away"
      hint={candidate.on && !choice.on ? '' : hint}
      on={choice.on}
      onChange={next => choose(candidate.path, { on: next })}
    />
  )
}
