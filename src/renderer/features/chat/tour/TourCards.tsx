import { BookOpen, Brain, Check, FilePen, X, type LucideIcon } from 'lucide-react'
import { useEffect, useId, type ReactNode } from 'react'
import { goTo } from '../../../route.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useHostStore, useLink } from '../../../rpc/host-context.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { isBusy } from '../chat-state.ts'
import { useChat, useModel } from '../chats.ts'
import {
  closeTour,
  markTried,
  outcomeOf,
  stepAfter,
  stepIn,
  steps,
  stepTexts,
  useTour,
  type StepId,
  type StepOutcome,
} from './tour.ts'

const icons: Partial<Record<StepId, LucideIcon>> = { remember: Brain, file: FilePen, skill: BookOpen }

/** The starters for the built-in model. Each shows a feature that only Talaria has. */
export function TourStarters({ onStarted }: { onStarted: () => void }): ReactNode {
  const send = useChat(chat => chat.send)
  const { tried } = useTour()
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="mx-auto grid w-full max-w-lg gap-2.5">
      <div className="text-center">
        <h3 id={heading} className="text-sm font-medium">
          See it work in a minute
        </h3>
        <p className="text-sm text-balance text-ink-3">
          Three things to try with the built-in demo model. Click one; nothing leaves this computer.
        </p>
      </div>
      <ul className="grid gap-2">
        {steps
          .filter(({ needs }) => needs === undefined)
          .map(({ id, ask }) => {
            const Icon = icons[id] ?? Brain
            return (
              <li key={id}>
                <button
                  type="button"
                  className="tour-starter"
                  onClick={() => {
                    onStarted()
                    void send(ask)
                  }}
                >
                  <Icon size={17} className="mt-0.5 shrink-0 text-ink-3" />
                  <span className="min-w-0 flex-1">
                    <span className="block font-medium">{stepTexts[id].title}</span>
                    <span className="block text-ink-3">{ask}</span>
                  </span>
                  {tried.has(id) && (
                    <span className="flex shrink-0 items-center gap-1 text-xs text-ok">
                      <Check size={14} />
                      Tried
                    </span>
                  )}
                </button>
              </li>
            )
          })}
      </ul>
    </section>
  )
}

const outcomeTexts = {
  denied: 'You denied it, so nothing changed. You decide every time.',
  failed: 'That did not work: this model is very small. Try again, or continue.',
} satisfies Partial<Record<StepOutcome, string>>

/** Shown below the answer to a tour question: what happened, where to see it, and the next step. */
export function TourNext({ onAddModel }: { onAddModel: () => void }): ReactNode {
  const messages = useChat(chat => chat.messages)
  const busy = useChat(chat => isBusy(chat) || chat.pending !== null)
  const model = useModel()
  const { closed } = useTour()
  const ask = useNewChat(model?.id)
  const found = closed || busy || !model?.demo ? undefined : stepIn(messages)
  const outcome = found && found.answered.length > 0 ? outcomeOf(found.step, found.answered) : undefined
  const triedId = outcome === undefined || outcome === 'failed' ? undefined : found?.step.id
  useEffect(() => {
    if (triedId !== undefined) markTried(triedId)
  }, [triedId])
  if (!found || outcome === undefined) return null

  const { step } = found
  const next = stepAfter(step, outcome)
  return (
    <section aria-label="Tour" className="tour-next">
      <p className="min-w-0 flex-1 basis-64">
        {outcome === 'done' ? stepTexts[step.id].done : outcomeTexts[outcome]}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {outcome === 'failed' && (
          <button type="button" className="btn" onClick={() => void ask(step.ask)}>
            Try again
          </button>
        )}
        {outcome === 'done' && step.id === 'remember' && (
          <button type="button" className="btn" onClick={() => goTo({ page: 'memory' })}>
            Open Memory
          </button>
        )}
        {outcome === 'done' && step.id === 'skill' && (
          <button type="button" className="btn" onClick={() => goTo({ page: 'skills' })}>
            Open Skills
          </button>
        )}
        {next ? (
          <button type="button" className="btn btn-primary" onClick={() => void ask(next.ask)}>
            {stepTexts[next.id].next}
          </button>
        ) : (
          <button type="button" className="btn btn-primary" onClick={onAddModel}>
            Add a bigger model
          </button>
        )}
        <IconButton small label="Close the tour" onClick={closeTour}>
          <X size={15} />
        </IconButton>
      </div>
    </section>
  )
}

/** Ask a question in a new chat with a model, and show that chat. */
function useNewChat(modelId: string | undefined) {
  const { client } = useLink()
  const host = useHostStore()
  return async (text: string) => {
    const made = await host.getState().createSession(modelId === undefined ? {} : { modelId })
    if (!made.ok) return showToast(made.fault.message, { level: 'error' })
    const sent = await attemptCall(client['chat.send']({ sessionId: made.value.id, text }))
    if (!sent.ok) showToast(sent.fault.message, { level: 'error' })
    goTo({ chatId: made.value.id })
  }
}
