import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { attempt } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { useAsked } from '../../rpc/use-asked.ts'
import { showToast } from '../../ui/toasts.ts'
import { ComingRow } from './ComingRow.tsx'
import { ComputerStep } from './ComputerStep.tsx'
import { DoneStep } from './DoneStep.tsx'
import { LearningStep } from './LearningStep.tsx'
import { ModelStep, type Ways } from './ModelStep.tsx'
import { setupText } from './strings.ts'
import { useLearningChoice } from './use-learning-choice.ts'
import { WelcomeStep } from './WelcomeStep.tsx'

type Props = Ways & {
  /** What the host has to say, and that the line to it broke. */
  banners?: ReactNode
  /** The list of everything that was sent. */
  ledger?: ReactNode
  /** The person went through to the end and wants to chat. */
  onStart?: () => void
}

const STEPS = ['welcome', 'computer', 'model', 'learning', 'done'] as const

/** The first run: five quiet screens, each of which can be skipped. What is chosen counts at once. */
export function SetupPage({ banners, ledger, onStart, ...ways }: Props): ReactNode {
  const { client } = useLink()
  const [at, setAt] = useState(0)
  const [busy, setBusy] = useState(false)
  const [looks, setLooks] = useState(0)
  // Begins at once, so that it is mostly known by the time it is shown.
  const machine = useAsked(() => attempt(client['machine.look']({})), `machine ${looks}`)
  const learning = useLearningChoice()
  const count = useId()
  const step = STEPS[at]!
  const isLast = at === STEPS.length - 1

  const finish = async () => {
    setBusy(true)
    const done = await attempt(client['setup.finish']({}))
    setBusy(false)
    if (!done.ok) showToast(setupText.failed(done.fault.message), { level: 'error' })
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
    <main aria-label={setupText.region} className="flex h-dvh min-h-0 flex-col bg-canvas">
      {banners}
      {/* A step begins at its top, wherever the one before it was left. */}
      <div key={step} className="min-h-0 flex-1 overflow-y-auto px-4 py-6">
        <form className="mx-auto flex min-h-full w-full max-w-2xl flex-col" onSubmit={submit}>
          <div className="mb-6 flex min-h-8 items-center justify-between text-xs text-ink-3">
            <p id={count}>{setupText.step(at + 1, STEPS.length)}</p>
            {!isLast && (
              <button type="button" className="btn btn-quiet" disabled={busy} onClick={() => void finish()}>
                {setupText.skipAll}
              </button>
            )}
          </div>
          <Title describedBy={count}>{setupText[step].title}</Title>
          <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-5">
            {step === 'welcome' && <WelcomeStep ledger={ledger} />}
            {step === 'computer' && <ComputerStep machine={machine} onRetry={() => setLooks(looks + 1)} />}
            {step === 'model' && <ModelStep {...ways} machine={machine?.ok ? machine.value : undefined} />}
            {step === 'learning' && <LearningStep choice={learning} />}
            {step === 'done' && <DoneStep />}
            <OnItsWay inCards={step === 'model'} />
          </div>
          <div className="mt-6 flex flex-wrap items-center justify-end gap-2">
            {at > 0 && (
              <button type="button" className="btn btn-quiet -ms-3 me-auto" onClick={() => setAt(at - 1)}>
                {setupText.back}
              </button>
            )}
            {step === 'learning' && (
              <button type="button" className="btn btn-secondary" onClick={() => setAt(at + 1)}>
                {setupText.skip}
              </button>
            )}
            <button type="submit" className="btn btn-primary px-5" disabled={busy}>
              {isLast ? setupText.done.start : setupText.next}
            </button>
          </div>
        </form>
      </div>
    </main>
  )
}

/** Takes the focus, so that a screen reader begins there and the next Tab leads into the step. */
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

/** What comes in goes on while the person does; the step with the cards shows its downloads there. */
function OnItsWay({ inCards }: { inCards: boolean }) {
  const transfers = useHost(host => host.transfers)
  const shown = transfers.filter(({ state, kind }) => state !== 'done' && !(inCards && kind === 'download'))
  if (shown.length === 0) return null
  return (
    <section aria-label={setupText.coming.label}>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {shown.map(transfer => (
          <li key={transfer.id} className="rounded-xl border border-line px-4 py-3">
            <ComingRow transfer={transfer} named />
          </li>
        ))}
      </ul>
    </section>
  )
}
