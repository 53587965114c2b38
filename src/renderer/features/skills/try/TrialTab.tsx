import { MessageSquarePlus } from 'lucide-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
import type { Skill } from '../../../../shared/contract/learned/skills.ts'
import { toolsNote } from '../../../../shared/words/model-words.ts'
import { goTo } from '../../../route.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useHost, useHostStore, useLink } from '../../../rpc/host-context.tsx'
import { cx } from '../../../ui/style.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { formatCount } from '../../../ui/text/format-values.ts'
import { SAMPLES, useTrial, type Answer, type Run } from './use-trial.ts'
import { Problem } from '../../../ui/Banner.tsx'

function verdictText(chosen: number, all: number, model: string): string {
  if (all === 0) return `${model} gave no clear answer to any message. Another model may do better.`
  if (chosen === 0)
    return `${model} would load the skill for none of the messages. Another model may decide differently. If not, say in the description when to use the skill, in words that people write.`
  if (chosen === all && all > 2)
    return `${model} would load the skill for all ${formatCount(all)} messages. If some of them should not load it, the description promises too much.`
  return `${model} would load the skill for ${formatCount(chosen)} of ${formatCount(all)} messages.`
}

type Props = {
  id: string
  /** Starts a new chat with the skill. By default the tab writes the skill's command into a new chat. */
  onTry?: ((skill: Skill) => void) | undefined
}

/** Tests when a model would load the skill, and starts a chat to try it. */
export function TrialTab({ id, onTry }: Props): ReactNode {
  const skill = useAbout(id)
  return (
    <div className="grid gap-8 px-5 pt-4 pb-8">
      <Trigger key={id} id={id} skill={skill} />
      <TryIt skill={skill} onTry={onTry} />
    </div>
  )
}

/** The skill, once it is loaded. */
function useAbout(id: string): Skill | undefined {
  const { client } = useLink()
  const [skill, setSkill] = useState<Skill>()
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    void attemptCall(client['skills.get']({ id }, { signal })).then(
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
          Would it trigger?
        </h3>
        <p className="text-sm text-ink-2">
          Five messages that someone might write. Talaria asks your chat model which skill it would load for
          each. Some should lead to this skill, and some should not. Nothing is run. The answers are only that
          model’s opinion: in a chat it may still load no skill.
        </p>
        {!isOffered && (
          <p className="mt-1 text-sm text-warn">
            This skill is off or blocked, so chats do not use it now. This test treats it as if it were on.
          </p>
        )}
      </div>
      {problem !== '' && <Problem text={`No samples could be made. ${problem} Write your own.`} />}
      {samples === undefined ? (
        <output className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          Thinking of samples…
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
      <ToolsNote />
      <div className="flex flex-wrap items-center gap-2">
        {isRunning ? (
          <button type="button" className="btn btn-secondary" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="button" className="btn btn-primary" disabled={isEmpty} onClick={() => void ask()}>
            {run ? 'Ask again' : 'Ask the model'}
          </button>
        )}
        <button
          type="button"
          className="btn btn-quiet"
          disabled={isRunning || samples === undefined}
          onClick={load}
        >
          Other samples
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
          aria-label={`Sample ${number}`}
          aria-describedby={said ? id : undefined}
          placeholder="A message that someone might write"
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

/** The last run's answer to a sample, if the sample is unchanged since. */
function saidOf(sample: string, run: Run | undefined): { text: string; isThis: boolean } | undefined {
  if (!run) return undefined
  const at = run.samples.indexOf(sample)
  if (at < 0) return undefined
  const answer = run.answers.find(each => each.sample === sample)
  if (answer) return { text: inWords(answer), isThis: answer.isThis }
  if (run.state !== 'running') return undefined
  const isNext = at === run.answers.length
  return { text: isNext ? 'asking…' : 'waiting', isThis: false }
}

function inWords({ isThis, chosen, unclear }: Answer): string {
  if (unclear) return 'gave no clear answer'
  if (isThis) return 'loads this skill'
  return chosen === null ? 'loads no skill' : `loads “${chosen}” instead`
}

function Verdict({ run }: { run: Run | undefined }) {
  const chosen = run?.answers.filter(answer => answer.isThis).length ?? 0
  const all = run?.answers.length ?? 0
  // Unclear answers do not count for or against the skill.
  const clear = run?.answers.filter(answer => !answer.unclear).length ?? 0
  return (
    <>
      <output className="text-sm">
        {run?.state === 'running' && (
          <span className="flex items-center gap-2 text-ink-2">
            <Spinner />
            {`Asking… ${formatCount(all)} of ${formatCount(run.samples.length)}`}
          </span>
        )}
        {run?.state === 'stopped' && 'Stopped.'}
        {run?.state === 'over' && run.problem === '' && all > 0 && (
          <strong className="font-semibold">{verdictText(chosen, clear, run.answers[0]?.model ?? '')}</strong>
        )}
      </output>
      {run !== undefined && run.problem !== '' && (
        <Problem text={`The model could not be asked. ${run.problem}`} />
      )}
    </>
  )
}

/**
 * A note for models that call no tools on their own: in a chat they will not load the skill, whatever they
 * say here.
 */
function ToolsNote() {
  const note = useHost(({ models, defaultModelId }) => {
    const model = models.find(({ id }) => id === defaultModelId)
    return model && toolsNote(model)
  })
  return note === undefined ? null : <p className="text-sm text-warn">{note}</p>
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
    // The command is a draft in the composer, which also keeps the empty chat from being removed.
    const written = made.ok ? await updateSession(made.value.id, { draft: `/${skill.name} ` }) : made
    setBusy(false)
    if (!written.ok) return setProblem(written.fault.message)
    goTo({ chatId: written.value.id })
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.composer-field')?.focus())
  }
  return (
    <section aria-labelledby={heading} className="grid max-w-3xl gap-3">
      <div>
        <h3 id={heading} className="text-sm font-semibold">
          Try it
        </h3>
        <p className="text-sm text-ink-2">
          A new chat with the skill already named. Write what you want and send it. You can delete the chat
          afterwards.
        </p>
      </div>
      {problem !== '' && <Problem text={`The chat could not be started. ${problem}`} />}
      <button
        type="button"
        className="btn btn-secondary justify-self-start"
        disabled={busy || !skill}
        onClick={() => skill && void begin(skill)}
      >
        {busy ? <Spinner /> : <MessageSquarePlus size={16} />}
        Try it in a new chat
      </button>
    </section>
  )
}
