import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { useSkills } from './skills-context.ts'
import { skillsText } from './strings.ts'

const text = skillsText.opinion

type Opinion = Outcome<Awaited<ReturnType<HostClient['skills.secondOpinion']>>>

/** What a model thinks of a skill, on demand, and always told as just that. */
export function SecondOpinion({ id }: { id: string }): ReactNode {
  const ask = useSkills(skills => skills.secondOpinion)
  const [answer, setAnswer] = useState<Opinion>()
  const [busy, setBusy] = useState(false)
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])

  const begin = async () => {
    const over = new AbortController()
    asking.current = over
    setBusy(true)
    const given = await ask(id, over.signal)
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
          {text.asking}
          <button type="button" className="btn btn-quiet" onClick={stop}>
            {text.stop}
          </button>
        </p>
      ) : (
        <button type="button" className="btn btn-secondary" onClick={() => void begin()}>
          {answer ? text.again : text.ask}
        </button>
      )}
      <div aria-live="polite" className="w-full">
        {answer && !busy && <Answer answer={answer} />}
      </div>
    </div>
  )
}

function Answer({ answer }: { answer: Opinion }) {
  if (!answer.ok) return <p className="text-sm text-danger">{answer.fault.message}</p>
  const { model, verdict, text: said } = answer.value
  return (
    <figure className="opinion">
      <figcaption className="text-xs text-ink-3">
        <span className="font-semibold text-ink-2">{text.title}</span> {text.by(model)}
      </figcaption>
      <p className="text-sm font-medium">{text.verdicts[verdict]}</p>
      {said !== '' && (
        <p dir="auto" className="text-sm break-words whitespace-pre-wrap text-ink-2">
          {said}
        </p>
      )}
      <p className="text-xs text-ink-3">{text.note}</p>
    </figure>
  )
}
