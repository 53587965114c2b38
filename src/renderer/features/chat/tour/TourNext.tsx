import { X } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { go } from '../../../route.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { isBusy } from '../chat-state.ts'
import { useChat } from '../chats.ts'
import { showToast } from '../../../ui/toasts.ts'
import { attempt } from '../../../rpc/attempt.ts'
import { useHostStore, useLink } from '../../../rpc/host-context.tsx'
import { useModel } from '../session.ts'
import { outcomeOf, stepAfter, stepIn } from './steps.ts'
import { tourText as text } from './strings.ts'
import { closeTour, markTried, useTour } from './tour-store.ts'

/** Under the answer to a question of the tour: what just happened, where to see it, and what comes next. */
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
    <section aria-label={text.region} className="tour-next">
      <p className="min-w-0 flex-1 basis-64">
        {outcome === 'done' ? text.steps[step.id].done : text.outcomes[outcome]}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {outcome === 'failed' && (
          <button type="button" className="btn" onClick={() => void ask(step.ask)}>
            {text.again}
          </button>
        )}
        {outcome === 'done' && step.id === 'remember' && (
          <button type="button" className="btn" onClick={() => go({ page: 'memory' })}>
            {text.openMemory}
          </button>
        )}
        {outcome === 'done' && step.id === 'skill' && (
          <button type="button" className="btn" onClick={() => go({ page: 'skills' })}>
            {text.openSkills}
          </button>
        )}
        {next ? (
          <button type="button" className="btn btn-primary" onClick={() => void ask(next.ask)}>
            {text.steps[next.id].next}
          </button>
        ) : (
          <button type="button" className="btn btn-primary" onClick={onAddModel}>
            {text.addModel}
          </button>
        )}
        <IconButton small label={text.close} onClick={closeTour}>
          <X size={15} />
        </IconButton>
      </div>
    </section>
  )
}

/** Ask something in a new chat with a model, and show that chat. */
function useNewChat(modelId: string | undefined) {
  const { client } = useLink()
  const host = useHostStore()
  return async (text: string) => {
    const made = await host.getState().createSession(modelId === undefined ? {} : { modelId })
    if (!made.ok) return showToast(made.fault.message, { level: 'error' })
    const sent = await attempt(client['chat.send']({ sessionId: made.value.id, text }))
    if (!sent.ok) showToast(sent.fault.message, { level: 'error' })
    go({ chatId: made.value.id })
  }
}
