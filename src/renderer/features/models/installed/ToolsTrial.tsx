import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { Model, ToolsTest } from '../../../../shared/contract/models/model.ts'
import { toolsBadge } from '../../../../shared/words/model-words.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { When } from '../../../ui/text/InlineText.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { isLocal } from '../models-state.ts'
import { placeElements } from '../../../ui/text/place-elements.tsx'

/** A test started in this window: its steps so far, and why it ended early. */
type Trial = { state: 'running' | 'over' | 'stopped'; steps: readonly ToolsTest[]; problem: string }

/** The known facts about a model's use of tools, and a test that finds them out. */
export function ToolsTrial({ model }: { model: Model }): ReactNode {
  const id = useId()
  const { trial, start, stop } = useTrialOf(model.id)
  const isRunning = trial?.state === 'running'
  const { tools } = model
  return (
    <section aria-labelledby={id} className="grid justify-items-start gap-2">
      <h2 id={id} className="text-xs font-semibold text-ink-2">
        Tools
      </h2>
      <p className="text-sm">
        {toolsBadge(model)}
        {tools && (
          <span className="text-ink-3">
            {placeElements(' · {own} of {all} calls without help, tested {when}', {
              own: tools.byItself,
              all: tools.of,
              when: <When at={tools.at} />,
            })}
          </span>
        )}
      </p>
      <p className="text-xs text-ink-2">
        Talaria asks the model for three tool calls, as in a chat. Nothing is run.
        {isLocal(model)
          ? ' The model is loaded for the test, but never replaces another one.'
          : ' The questions are sent to its server.'}
      </p>
      <button
        type="button"
        className="btn btn-secondary"
        aria-label={`${isRunning ? 'Stop' : 'Test tools'}: ${model.name}`}
        onClick={() => (isRunning ? stop() : void start())}
      >
        {isRunning ? 'Stop' : 'Test tools'}
      </button>
      <output className="grid gap-1 text-sm">{trial && <Steps trial={trial} />}</output>
    </section>
  )
}

/** A test of one model. It ends when its card is closed. */
function useTrialOf(id: string) {
  const { client } = useLink()
  const [trial, setTrial] = useState<Trial>()
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])

  async function start() {
    running.current.abort()
    const { signal } = (running.current = new AbortController())
    setTrial({ state: 'running', steps: [], problem: '' })
    const change = (change: (trial: Trial) => Partial<Trial>) => {
      if (!signal.aborted) setTrial(trial => trial && { ...trial, ...change(trial) })
    }
    const follow = async () => {
      for await (const step of client['model.test']({ id }, { signal }))
        change(({ steps }) => ({ steps: [...steps, step] }))
    }
    const outcome = await attemptCall(follow())
    change(() => ({ state: 'over', problem: outcome.ok ? '' : outcome.fault.message }))
  }
  function stop() {
    running.current.abort()
    setTrial(trial => trial && { ...trial, state: 'stopped' })
  }
  return { trial, start, stop }
}

function Steps({ trial: { state, steps, problem } }: { trial: Trial }): ReactNode {
  const answers = steps.filter(step => step.step === 'answered')
  const verdict = steps.find(step => step.step === 'verdict')
  return (
    <>
      {answers.map(({ tool, how, problem }) => (
        <p
          key={tool}
          className={how === 'by itself' ? 'text-good' : how === 'not' ? 'text-danger' : 'text-warn'}
        >
          <code>{tool}</code> {HOW[how]}
          {how === 'not' && problem !== null && `: ${problem}`}
        </p>
      ))}
      {state === 'running' && (
        <p className="flex items-center gap-2 text-ink-2">
          <Spinner />
          {doingText(steps.at(-1))}
        </p>
      )}
      {state === 'stopped' && <p className="text-ink-2">Stopped. Nothing was saved.</p>}
      {problem !== '' && <p className="text-danger">{problem}</p>}
      {verdict && <p className="text-ink-2">{`${verdict.text} ${verdict.fix}`.trim()}</p>}
    </>
  )
}

const HOW = {
  'by itself': 'called without help',
  'begun for it': 'called only with help',
  not: 'not called',
} as const

function doingText(step: ToolsTest | undefined): string {
  if (step?.step === 'loading') return 'Loading the model…'
  if (step?.step === 'asking') return `Asking for a call to ${step.tool}, ${step.number} of ${step.of}…`
  return 'Asking…'
}
