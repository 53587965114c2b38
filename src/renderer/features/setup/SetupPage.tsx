import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useTransfers } from '../../rpc/use-lists.ts'
import { useAnswer } from '../../rpc/use-answer.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { ModelDownload } from './ModelDownload.tsx'
import { ComputerStep, DoneStep, WelcomeStep } from './SetupSteps.tsx'
import { LearningStep, useLearningChoice } from './LearningStep.tsx'
import { ModelStep, type Ways } from './ModelStep.tsx'

type Props = Ways & {
  /** Notices from the host, and the notice of a lost connection. */
  banners?: ReactNode
  /** The list of all network requests. */
  ledger?: ReactNode
  /** Called when the user finishes the setup and starts a chat. */
  onStart?: () => void
}

const STEPS = ['welcome', 'computer', 'model', 'learning', 'done'] as const
const TITLES = {
  welcome: 'Welcome to Talaria',
  computer: 'This computer',
  model: 'A model',
  learning: 'How should it learn?',
  done: 'Ready',
}

/** The first-run setup: five steps, each of which can be skipped. Choices apply immediately. */
export function SetupPage({ banners, ledger, onStart, ...ways }: Props): ReactNode {
  const { client } = useLink()
  const [at, setAt] = useState(0)
  const [busy, setBusy] = useState(false)
  const [looks, setLooks] = useState(0)
  // Starts early, so that the result is usually ready when its step opens.
  const machine = useAnswer('machine.look', {}, { isOnce: true, by: String(looks) })
  const learning = useLearningChoice()
  const count = useId()
  const step = STEPS[at]!
  const isLast = at === STEPS.length - 1

  const finish = async () => {
    setBusy(true)
    const done = await attemptCall(client['setup.finish']({}))
    setBusy(false)
    if (!done.ok) showToast(`That did not work: ${done.fault.message}`, { level: 'error' })
    else if (isLast) onStart?.()
  }
  const next = async () => {
    if (isLast) return finish()
    if (step === 'learning') {
      setBusy(true)
      const saved = await learning.save()
      setBusy(false)
      if (!saved) return
    }
    setAt(at + 1)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) void next()
  }

  return (
    <main aria-label="First steps" className="flex h-dvh min-h-0 flex-col bg-canvas">
      {banners}
      {/* The key resets the scroll position for each step. */}
      <div key={step} className="min-h-0 flex-1 scroll-pb-20 overflow-y-auto px-4 pt-6">
        <form className="mx-auto flex min-h-full w-full max-w-2xl flex-col" onSubmit={submit}>
          <div className="mb-6 flex min-h-8 items-center justify-between text-xs text-ink-3">
            <p id={count}>{`Step ${at + 1} of ${STEPS.length}`}</p>
            {!isLast && (
              <button type="button" className="btn btn-quiet" disabled={busy} onClick={() => void finish()}>
                Skip all of this
              </button>
            )}
          </div>
          <Title describedBy={count}>{TITLES[step]}</Title>
          <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-5">
            {step === 'welcome' && <WelcomeStep ledger={ledger} />}
            {step === 'computer' && <ComputerStep machine={machine} onRetry={() => setLooks(looks + 1)} />}
            {step === 'model' && <ModelStep {...ways} machine={machine?.ok ? machine.value : undefined} />}
            {step === 'learning' && <LearningStep choice={learning} />}
            {step === 'done' && <DoneStep />}
            <OnItsWay inCards={step === 'model'} />
          </div>
          {/* Keeps its position when a transfer appears above it. */}
          <div className="sticky bottom-0 mt-3 flex flex-wrap items-center justify-end gap-2 bg-canvas pt-3 pb-6">
            {at > 0 && (
              <button type="button" className="btn btn-quiet -ms-3 me-auto" onClick={() => setAt(at - 1)}>
                Back
              </button>
            )}
            {step === 'learning' && (
              <button type="button" className="btn btn-secondary" onClick={() => setAt(at + 1)}>
                Skip
              </button>
            )}
            <button type="submit" className="btn btn-primary px-5" disabled={busy}>
              {isLast ? 'Start your first chat' : 'Continue'}
            </button>
          </div>
        </form>
      </div>
    </main>
  )
}

/** Takes the focus, so that a screen reader starts here and the next Tab enters the step. */
function Title({ describedBy, children }: { describedBy: string; children: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <h1
      ref={ref}
      tabIndex={-1}
      aria-describedby={describedBy}
      className="mb-4 text-xl font-semibold outline-none"
    >
      {children}
    </h1>
  )
}

/** Shows the transfers in every step, except downloads in the model step: its cards show those. */
function OnItsWay({ inCards }: { inCards: boolean }) {
  const transfers = useTransfers()
  const shown = transfers.filter(({ state, kind }) => state !== 'done' && !(inCards && kind === 'download'))
  if (shown.length === 0) return null
  return (
    <section aria-label="Model download">
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {shown.map(transfer => (
          <li key={transfer.id} className="rounded-xl border border-line px-4 py-3">
            <ModelDownload transfer={transfer} named />
          </li>
        ))}
      </ul>
    </section>
  )
}
