import { MessageSquarePlus } from 'lucide-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
import type { Skill } from '../../../../shared/contract/skills.ts'
import { go } from '../../../route.ts'
import { attempt } from '../../../rpc/attempt.ts'
import { useHostStore, useLink } from '../../../rpc/host-context.tsx'
import { cx } from '../../../ui/cx.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { trialText } from './strings.ts'
import { SAMPLES, useTrial, type Answer, type Run } from './use-trial.ts'

type Props = {
  id: string
  /** Begins a new chat with the skill; by itself the tab writes its command into a new chat. */
  onTry?: ((skill: Skill) => void) | undefined
}

/** Whether a model would load the skill when it should, and a chat to try it in. */
export function TrialTab({ id, onTry }: Props): ReactNode {
  const skill = useAbout(id)
  return (
    <div className="grid gap-8 px-5 pt-4 pb-8">
      <Trigger key={id} id={id} skill={skill} />
      <TryIt skill={skill} onTry={onTry} />
    </div>
  )
}

/** What is known of a skill, as soon as it is. */
function useAbout(id: string): Skill | undefined {
  const { client } = useLink()
  const [skill, setSkill] = useState<Skill>()
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    void attempt(client['skills.get']({ id }, { signal })).then(
      answer => answer.ok && !signal.aborted && setSkill(answer.value.skill),
    )
    return () => over.abort()
  }, [client, id])
  return skill?.id === id ? skill : undefined
}

function Trigger({ id, skill }: { id: string; skill: Skill | undefined }) {
  const heading = useId()
  const { samples, problem, run, load, ask, write, stop } = useTrial(id)
  const isRunning = run?.state === 'running'
  const isEmpty = samples?.every(sample => sample.trim() === '') ?? true
  const isOffered = !skill || (skill.enabled && skill.blocked === null && skill.shadowedBy === null)
  return (
    <section aria-labelledby={heading} className="grid max-w-3xl min-w-0 gap-3">
      <div>
        <h3 id={heading} className="text-sm font-semibold">
          {trialText.trigger}
        </h3>
        <p className="text-sm text-ink-2">{trialText.triggerSays}</p>
        {!isOffered && <p className="mt-1 text-sm text-warn">{trialText.notOffered}</p>}
      </div>
      {problem !== '' && (
        <p role="alert" className="text-sm text-danger">
          {trialText.samplesFailed(problem)}
        </p>
      )}
      {samples === undefined ? (
        <output className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          {trialText.loading}
        </output>
      ) : (
        <ol className="grid gap-2">
          {Array.from({ length: SAMPLES }, (_, at) => (
            <Sample
              key={at}
              number={at + 1}
              text={samples[at] ?? ''}
              run={run}
              disabled={isRunning}
              onWrite={text => write(at, text)}
            />
          ))}
        </ol>
      )}
      <Verdict run={run} />
      <div className="flex flex-wrap items-center gap-2">
        {isRunning ? (
          <button type="button" className="btn btn-secondary" onClick={stop}>
            {trialText.stop}
          </button>
        ) : (
          <button type="button" className="btn btn-primary" disabled={isEmpty} onClick={() => void ask()}>
            {run ? trialText.again : trialText.run}
          </button>
        )}
        <button
          type="button"
          className="btn btn-quiet"
          disabled={isRunning || samples === undefined}
          onClick={load}
        >
          {trialText.fresh}
        </button>
      </div>
    </section>
  )
}

type SampleProps = {
  number: number
  text: string
  run: Run | undefined
  disabled: boolean
  onWrite: (text: string) => void
}

function Sample({ number, text, run, disabled, onWrite }: SampleProps) {
  const id = useId()
  const said = saidOf(text.trim(), run)
  return (
    <li className="grid items-start gap-x-3 gap-y-1 @container">
      <div className="grid gap-x-3 gap-y-1 @md:grid-cols-[minmax(0,1fr)_12rem]">
        <textarea
          rows={1}
          dir="auto"
          maxLength={2_000}
          aria-label={trialText.sample(number)}
          aria-describedby={said ? id : undefined}
          placeholder={trialText.samplePlaceholder}
          value={text}
          readOnly={disabled}
          className="field field-sizing-content max-h-40 min-h-8.5 resize-none"
          onChange={event => onWrite(event.target.value)}
        />
        <p
          id={id}
          className={cx('self-center text-sm break-words', said?.isThis ? 'text-good' : 'text-ink-2')}
        >
          {said?.text}
        </p>
      </div>
    </li>
  )
}

/** What the last run says of a sample, as long as it stands there as it was asked. */
function saidOf(sample: string, run: Run | undefined): { text: string; isThis: boolean } | undefined {
  if (!run) return undefined
  const at = run.samples.indexOf(sample)
  if (at < 0) return undefined
  const answer = run.answers.find(each => each.sample === sample)
  if (answer) return { text: inWords(answer), isThis: answer.isThis }
  if (run.state !== 'running') return undefined
  const isNext = at === run.answers.length
  return { text: isNext ? trialText.asking : trialText.waiting, isThis: false }
}

function inWords({ isThis, chosen, unclear }: Answer): string {
  if (unclear) return trialText.unclear
  if (isThis) return trialText.chosen
  return chosen === null ? trialText.none : trialText.other(chosen)
}

function Verdict({ run }: { run: Run | undefined }) {
  const chosen = run?.answers.filter(answer => answer.isThis).length ?? 0
  const all = run?.answers.length ?? 0
  // What was not understood says nothing of the skill.
  const clear = run?.answers.filter(answer => !answer.unclear).length ?? 0
  return (
    <>
      <output className="text-sm">
        {run?.state === 'running' && (
          <span className="flex items-center gap-2 text-ink-2">
            <Spinner />
            {trialText.running(all, run.samples.length)}
          </span>
        )}
        {run?.state === 'stopped' && trialText.stopped}
        {run?.state === 'over' && run.problem === '' && all > 0 && (
          <strong className="font-semibold">
            {trialText.verdict(chosen, clear, run.answers[0]?.model ?? '')}
          </strong>
        )}
      </output>
      {run !== undefined && run.problem !== '' && (
        <p role="alert" className="text-sm text-danger">
          {trialText.failed(run.problem)}
        </p>
      )}
    </>
  )
}

function TryIt({ skill, onTry }: { skill: Skill | undefined; onTry: Props['onTry'] }) {
  const heading = useId()
  const host = useHostStore()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const begin = async (skill: Skill) => {
    if (onTry) return onTry(skill)
    setBusy(true)
    setProblem('')
    const { createSession, updateSession } = host.getState()
    const made = await createSession(skill.project === null ? {} : { workspace: skill.project })
    // The command stands in the composer, and the chat is kept for its sake.
    const written = made.ok ? await updateSession(made.value.id, { draft: `/${skill.name} ` }) : made
    setBusy(false)
    if (!written.ok) return setProblem(written.fault.message)
    go({ chatId: written.value.id })
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.composer-field')?.focus())
  }
  return (
    <section aria-labelledby={heading} className="grid max-w-3xl gap-3">
      <div>
        <h3 id={heading} className="text-sm font-semibold">
          {trialText.tryTitle}
        </h3>
        <p className="text-sm text-ink-2">{trialText.trySays}</p>
      </div>
      {problem !== '' && (
        <p role="alert" className="text-sm text-danger">
          {trialText.tryFailed(problem)}
        </p>
      )}
      <button
        type="button"
        className="btn btn-secondary justify-self-start"
        disabled={busy || !skill}
        onClick={() => skill && void begin(skill)}
      >
        {busy ? <Spinner /> : <MessageSquarePlus size={15} />}
        {trialText.try}
      </button>
    </section>
  )
}
