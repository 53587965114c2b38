import { BookOpen, Brain, Check, FilePen, X, type LucideIcon } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { goTo } from '../../../route.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useHostStore, useLink } from '../../../rpc/host-context.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { isBusy } from '../store/chat-state.ts'
import { useChat, useModel } from '../store/open-chats.ts'
import {
  closeTour,
  markTried,
  outcomeOf,
  stepAfter,
  stepIn,
  starterSteps,
  stepTexts,
  useTour,
  type StepId,
  type StepOutcome,
} from './tour.ts'

const icons: Partial<Record<StepId, LucideIcon>> = { remember: Brain, file: FilePen, skill: BookOpen }

/**
 * Things to try with the built-in model, until all were tried or the tour is closed. Each shows a feature
 * that only Talaria has.
 */
export function TourStarters({ onStarted }: { onStarted: () => void }): ReactNode {
  const send = useChat(chat => chat.send)
  const { tried } = useTour()
  return (
    <div className="flex items-start gap-1">
      <ul aria-label="Things to try" className="grid min-w-0 flex-1">
        {starterSteps.map(({ id, ask }) => {
          const Icon = icons[id] ?? Brain
          return (
            <li key={id}>
              <button
                type="button"
                className="starter"
                onClick={() => {
                  onStarted()
                  void send(ask)
                }}
              >
                <Icon size={16} className="shrink-0 text-ink-3" />
                <span className="min-w-0 flex-1">
                  <span className="sr-only">{`${stepTexts[id].title}: `}</span>
                  {ask}
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
      <IconButton small label="Close the tour" onClick={closeTour}>
        <X size={16} />
      </IconButton>
    </div>
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
      <p className="min-w-0 flex-1 basis-64 empty:hidden">
        {outcome === 'done' ? stepTexts[step.id].done : outcomeTexts[outcome]}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {outcome === 'failed' && (
          <button type="button" className="btn" onClick={() => void ask(step.ask)}>
            Try again
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
          <X size={16} />
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
