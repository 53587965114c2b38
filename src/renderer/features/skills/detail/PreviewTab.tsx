import { CircleAlert, CircleX, Info } from 'lucide-react'
import { lazy, Suspense, type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import type { SkillDetail, SkillIssue } from '../../../../shared/contract/learned/skills.ts'
import type { HostClient } from '../../../../shared/contract/index.ts'
import { goTo } from '../../../route.ts'
import type { Outcome } from '../../../rpc/attempt.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { Findings } from './Findings.tsx'
import { Prerequisites } from './Prerequisites.tsx'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { useSkills } from '../use-skills.ts'
import { NO_DESCRIPTION } from '../skill-labels.tsx'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'

const LEVELS = { error: 'Error', warning: 'Warning', info: 'Note' } as const

const VERDICTS = {
  safe: 'Nothing suspicious was found.',
  caution: 'Some passages are worth reading.',
  dangerous: 'The scan found dangerous passages.',
} as const

const AsItIs = ({ text }: { text: string }) => (
  <p className="break-words whitespace-pre-wrap">{showHidden(text)}</p>
)
const Markdown = lazy(() => import('../../../markdown/Markdown.tsx').catch(() => ({ default: AsItIs })))

type Props = { detail: SkillDetail; scan: Ref<HTMLHeadingElement> }

/** The description, text and scan findings of a skill. `scan` is the heading of the findings. */
export function PreviewTab({ detail, scan }: Props): ReactNode {
  const { skill, body, issues } = detail
  const look = useSkills(skills => skills.look)
  const jump = (path: string, line: number | null) => {
    look({ id: skill.id, path, line })
    goTo({ page: 'skills', skillId: skill.id, tab: 'files' })
  }
  // Findings come before the text, so that the user sees them first.
  const isSafe = detail.scan.verdict === 'safe'
  const says = (
    <section key="says">
      <h3 className="skill-heading">What it says</h3>
      {body.trim() === '' ? (
        <p className="text-sm text-ink-3">It has no text besides its description.</p>
      ) : (
        <div className="skill-prose">
          <Suspense fallback={<AsItIs text={body} />}>
            <Markdown text={body} live={false} below={3} isFile />
          </Suspense>
        </div>
      )}
    </section>
  )
  const scanned = (
    <section key="scanned">
      <h3 ref={scan} tabIndex={-1} className="skill-heading outline-none">
        Security scan
      </h3>
      <p className="mb-2 text-sm">{VERDICTS[detail.scan.verdict]}</p>
      <Findings findings={detail.scan.findings} onJump={({ path, line }) => jump(path, line)} />
      {skill.hasScripts && (
        <p className="mt-2 text-xs text-ink-3">
          It has scripts. The agent can only run them as commands, which need your approval like any other.
        </p>
      )}
      <SecondOpinion id={skill.id} />
    </section>
  )
  return (
    <div className="skill-tab gap-6">
      <section>
        <h3 className="skill-heading">When it is used</h3>
        <p dir="auto" className="text-base break-words">
          {skill.description || NO_DESCRIPTION}
        </p>
        <p className="mt-1 text-xs text-ink-3">The model sees only this sentence until it loads the skill.</p>
        <Facts skill={skill} />
      </section>
      <Prerequisites skill={skill} />
      {issues.length > 0 && (
        <section>
          <h3 className="skill-heading">Format</h3>
          <Issues issues={issues} onJump={line => jump('SKILL.md', line)} />
        </section>
      )}
      {isSafe ? [says, scanned] : [scanned, says]}
    </div>
  )
}

function Facts({ skill }: Pick<SkillDetail, 'skill'>) {
  const facts = [
    ['Tags', skill.tags],
    ['Needs these tools', skill.requires],
    ['Only on', skill.platforms],
  ] as const
  const given = facts.filter(([, values]) => values.length > 0)
  if (given.length === 0) return null
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1.5 text-sm">
      {given.map(([name, values]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="flex min-w-0 flex-wrap gap-1.5">
            {[...new Set(values)].map(value => (
              <span key={value} className="memory-chip text-xs break-all">
                {value}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const signs = { error: CircleX, warning: CircleAlert, info: Info }
const looks = { error: 'text-danger', warning: 'text-warn', info: 'text-ink-3' }

/** Format issues, each with a link to its line. */
function Issues({ issues, onJump }: { issues: readonly SkillIssue[]; onJump: (line: number) => void }) {
  return (
    <ul aria-label="Format" className="grid gap-1.5">
      {issues.map(issue => {
        const Sign = signs[issue.level]
        return (
          <li key={`${issue.line} ${issue.rule} ${issue.text}`} className="flex items-start gap-2 text-sm">
            <Sign size={16} className={`mt-0.5 shrink-0 ${looks[issue.level]}`} />
            <span className="min-w-0 flex-1 break-words">
              <span className="sr-only">{LEVELS[issue.level]}: </span>
              {issue.text}{' '}
              {issue.line !== null && (
                <button type="button" className="link-btn text-xs" onClick={() => onJump(issue.line ?? 1)}>
                  {`line ${issue.line}`}
                </button>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

const OPINIONS = {
  harmless: 'The model finds the skill harmless.',
  doubtful: 'The model has doubts.',
  harmful: 'The model finds the skill harmful.',
  unclear: 'The model gave no clear answer.',
} as const

type Opinion = Outcome<Awaited<ReturnType<HostClient['skills.secondOpinion']>>>

/** A model's opinion of a skill, on demand and always labelled as an opinion. */
function SecondOpinion({ id }: { id: string }): ReactNode {
  const { ask } = useAnswers()
  const [answer, setAnswer] = useState<Opinion>()
  const [busy, setBusy] = useState(false)
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])

  const begin = async () => {
    const over = new AbortController()
    asking.current = over
    setBusy(true)
    const given = await ask('skills.secondOpinion', { id }, over.signal)
    if (over.signal.aborted) return
    setBusy(false)
    setAnswer(given)
  }
  const stop = () => {
    asking.current?.abort()
    setBusy(false)
  }
  return (
    <div className="mt-3 grid justify-items-start gap-2">
      {busy ? (
        <p className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          The model is reading…
          <button type="button" className="btn btn-quiet" onClick={stop}>
            Stop
          </button>
        </p>
      ) : (
        <button type="button" className="btn btn-secondary" onClick={() => void begin()}>
          {answer ? 'Ask again' : 'Ask the model for a second opinion'}
        </button>
      )}
      <div aria-live="polite" className="w-full">
        {answer && !busy && <GivenOpinion answer={answer} />}
      </div>
    </div>
  )
}

function GivenOpinion({ answer }: { answer: Opinion }) {
  if (!answer.ok) return <p className="text-sm text-danger">{answer.fault.message}</p>
  const { model, verdict, text: said } = answer.value
  return (
    <figure className="opinion">
      <figcaption className="text-xs text-ink-3">
        <span className="font-semibold text-ink-2">A model’s opinion, not a check</span>
        {` · ${model}`}
      </figcaption>
      <p className="text-sm font-medium">{OPINIONS[verdict]}</p>
      {said !== '' && (
        <p dir="auto" className="text-sm break-words whitespace-pre-wrap text-ink-2">
          {said}
        </p>
      )}
      <p className="text-xs text-ink-3">
        A model can be wrong, and a skill can be written to fool it. This opinion changes nothing.
      </p>
    </figure>
  )
}
