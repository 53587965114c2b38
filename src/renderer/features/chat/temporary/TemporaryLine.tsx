import { Hourglass } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { TEMPORARY_LINE } from '../../../../shared/text/temporary-chats.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { useActions, useAllActions } from '../../../use-actions.ts'
import { useChat, useSession } from '../store/open-chats.ts'

/**
 * A line above the message field of a temporary chat that explains it, with buttons to keep or end it.
 * Renders nothing for other chats.
 */
export function TemporaryLine({ onEnded }: { onEnded: () => void }): ReactNode {
  const session = useSession()
  const { client } = useLink()
  const [busy, setBusy] = useState(false)
  const isTemporary = session?.temporary === true
  async function after(call: Promise<unknown>, done: () => void) {
    setBusy(true)
    const outcome: Outcome<unknown> = await attemptCall(call)
    setBusy(false)
    if (outcome.ok) done()
    else showToast(outcome.fault.message, { level: 'error' })
  }
  const id = session?.id ?? ''
  const keep = () =>
    void after(client['session.keep']({ id }), () => showToast('This is now an ordinary chat.'))
  const end = () => void after(client['session.end']({ id }), onEnded)
  useActions({ 'chat.keep': isTemporary ? keep : undefined, 'chat.end': isTemporary ? end : undefined })
  if (!isTemporary) return null
  return (
    <section
      aria-label="Temporary chat"
      className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-0.5 px-3 py-1.5 text-sm text-ink-2"
    >
      <Hourglass size={14} aria-hidden="true" className="shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1 basis-48">{TEMPORARY_LINE}</span>
      <span className="ms-auto flex items-center gap-1">
        <button type="button" className="btn" disabled={busy} onClick={keep}>
          Keep this chat
        </button>
        <button type="button" className="btn" disabled={busy} onClick={end}>
          End temporary chat
        </button>
      </span>
    </section>
  )
}

/** The button that starts a temporary chat, beside the title of an empty chat. */
export function TemporaryButton(): ReactNode {
  const actions = useAllActions()
  const session = useSession()
  const isEmpty = useChat(chat => chat.messages.length === 0 && chat.pending === null)
  if (!isEmpty || session?.temporary) return null
  return (
    <IconButton
      label="New temporary chat"
      className="size-8"
      onClick={() => void actions?.now().get('chat.newTemporary')?.()}
    >
      <Hourglass size={16} />
    </IconButton>
  )
}
