import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { Spinner } from '../../ui/Progress.tsx'
import { useSkills } from './skills-context.ts'

const VERDICTS = {
  harmless: 'It finds the skill harmless.',
  doubtful: 'It has doubts.',
  harmful: 'It finds the skill harmful.',
  unclear: 'It gave no clear answer.',
} as const

type Opinion = Outcome<Awaited<ReturnType<HostClient['skills.secondOpinion']>>>

/** A model's opinion of a skill, on demand and always labelled as an opinion. */
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
        <span className="font-semibold text-ink-2">A model’s opinion, not a check</span> by {model}
      </figcaption>
      <p className="text-sm font-medium">{VERDICTS[verdict]}</p>
      {said !== '' && (
        <p dir="auto" className="text-sm break-words whitespace-pre-wrap text-ink-2">
          {said}
        </p>
      )}
      <p className="text-xs text-ink-3">
        A model can be wrong, and what it reads can be written to fool it. It changes nothing here.
      </p>
    </figure>
  )
}
