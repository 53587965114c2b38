import type { ReactNode } from 'react'
import type { SkillCandidate } from '../../../../shared/contract/skill-imports.ts'
import { Switch } from '../../../ui/Switch.tsx'
import { TextDiff } from '../../../ui/TextDiff.tsx'
import { Findings } from '../Findings.tsx'
import { CandidateFiles } from './CandidateFiles.tsx'
import type { Choice } from './choices.ts'
import { Clash } from './Clash.tsx'
import { useImport } from './import-context.ts'
import { importText } from './strings.ts'

const text = importText.detail

type Props = {
  candidate: SkillCandidate
  choice: Choice
  wrong: 'wrong' | 'taken' | undefined
  /** A newer version of a skill: there is no choice of its name, and what would change stands first. */
  isUpdate?: boolean
}

/** Everything about one candidate that helps to decide. */
export function CandidateDetail({ candidate, choice, wrong, isUpdate = false }: Props): ReactNode {
  const { path, description, refused, scan, issues, licence } = candidate
  return (
    <div className="grid min-w-0 gap-4">
      {isUpdate && candidate.replaces && <SkillChanges changes={candidate.replaces.changes} />}
      <p dir="auto" className="text-sm break-words whitespace-pre-wrap">
        {description === '' ? <span className="text-ink-3">{text.noDescription}</span> : description}
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
        <h4 className="text-xs font-semibold text-ink-3">{text.scan}</h4>
        <p className={`text-sm ${scan.verdict === 'dangerous' ? 'text-danger' : ''}`}>
          {text.verdicts[scan.verdict]}
        </p>
        <Findings findings={scan.findings} />
      </section>
      {issues.length > 0 && (
        <section className="grid gap-1">
          <h4 className="text-xs font-semibold text-ink-3">{text.form}</h4>
          <ul className="grid list-disc gap-0.5 ps-5 text-sm">
            {issues.map(issue => (
              <li key={`${issue.line} ${issue.rule} ${issue.text}`} className="break-words">
                {issue.text}
                {issue.line !== null && <span className="text-ink-3"> ({text.line(issue.line)})</span>}
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
        <dt className="text-ink-3">{text.licence}</dt>
        <dd className="break-words">{licence ?? text.noLicence}</dd>
        {path !== '' && (
          <>
            <dt className="text-ink-3">{text.within}</dt>
            <dd dir="ltr" className="font-mono break-all">
              {path}
            </dd>
          </>
        )}
      </dl>
    </div>
  )
}

function OnSwitch({ candidate, choice }: { candidate: SkillCandidate; choice: Choice }) {
  const choose = useImport(state => state.choose)
  const { on } = importText
  const hint = !choice.on ? on.why(candidate) : candidate.on ? on.on : on.forced
  return (
    <Switch
      label={on.label}
      hint={candidate.on && !choice.on ? '' : hint}
      on={choice.on}
      onChange={next => choose(candidate.path, { on: next })}
    />
  )
}

/** Files before and after, each as a difference. */
function SkillChanges({ changes }: { changes: NonNullable<SkillCandidate['replaces']>['changes'] }) {
  return (
    <section className="grid min-w-0 gap-2">
      <h4 className="text-xs font-semibold text-ink-3">{text.changes}</h4>
      {changes.length === 0 && <p className="text-sm text-ink-3">{text.noChanges}</p>}
      {changes.map(({ path, before, after, binary }) => (
        <div key={path} className="grid min-w-0 gap-1">
          <p className="text-xs text-ink-2">
            <span dir="ltr" className="font-mono break-all">
              {path}
            </span>
            {!binary && before === null && ` · ${text.added}`}
            {!binary && after === null && ` · ${text.removed}`}
          </p>
          {binary ? (
            <p className="text-xs text-ink-3">{text.binary}</p>
          ) : (
            <TextDiff
              label={text.diff(path)}
              before={before ?? ''}
              after={after ?? ''}
              sameLines={importText.sameLines}
              className="max-h-60"
            />
          )}
        </div>
      ))}
    </section>
  )
}
