import { useState, type ReactNode } from 'react'
import type { AnswerOffer, AssistantMessage } from '../../../../shared/contract/chats/messages.ts'
import { sayOffer } from '../../../../shared/words/answer-words.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { tellTrouble } from '../branches/MessageActions.tsx'
import { useChat, useSession } from '../store/open-chats.ts'

type Props = {
  message: AssistantMessage
  offer: AnswerOffer
  /** True if no further message follows: only then do the buttons work. */
  last: boolean
}

/** A note below an answer for which nothing ran, or that leaves something to do, with buttons that do it. */
export function OfferedCalls({ message, offer, last }: Props): ReactNode {
  const pick = useChat(chat => chat.pick)
  const isAgent = useSession()?.origin === 'sub_agent'
  const [isBusy, setBusy] = useState(false)
  const press = async (choice: number) => {
    setBusy(true)
    tellTrouble(await pick(message.id, choice))
    setBusy(false)
  }
  const choices = last && !isAgent ? offer.choices : []
  // Once the chat has continued, only the note that nothing was checked is still useful.
  if (offer.why === 'rest' && choices.length === 0) return null
  return (
    <section aria-label="About this answer" className="mt-2 grid gap-1.5">
      <p className="text-sm text-ink-2">{sayOffer(offer)}</p>
      {choices.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {choices.map(({ label }, at) => (
            <button
              key={label}
              type="button"
              disabled={isBusy}
              className="btn btn-secondary h-auto max-w-full py-1 text-start whitespace-normal"
              onClick={() => void press(at)}
            >
              <span dir="auto" className="min-w-0 break-words">
                {showHidden(label)}
              </span>
            </button>
          ))}
        </div>
      )}
    </section>
  )
}
