import { Globe } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { whyNoWeb } from '../../../../shared/words/web-words.ts'
import { tellTrouble } from '../branches/MessageActions.tsx'
import { useChat, useModel, useSession } from '../store/open-chats.ts'
import { useWebOff, useWebSwitch } from './use-web.ts'

/** The command that a model is told to name if a task needs the web while it is off. */
const NAMED = '/web on'

/** A button below an answer that asks for the web while it is off: it turns the web on and asks again. */
export function WebOffer({ messageId, text }: { messageId: number; text: string }): ReactNode {
  return text.includes(NAMED) ? <Offer messageId={messageId} /> : null
}

function Offer({ messageId }: { messageId: number }) {
  const session = useSession()
  const model = useModel()
  const retry = useChat(chat => chat.retry)
  const switchWeb = useWebSwitch()
  const isOff = useWebOff()
  const [isBusy, setBusy] = useState(false)
  if (!session || isOff !== true || (model && whyNoWeb(model) !== undefined)) return null
  const switchOn = async () => {
    setBusy(true)
    const done = await switchWeb(true, session.id)
    if (done) tellTrouble(await retry(messageId))
    setBusy(false)
  }
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-ink-3">
      <button type="button" className="btn btn-secondary" disabled={isBusy} onClick={() => void switchOn()}>
        <Globe size={16} /> Turn the web on and answer again
      </button>
      Only in this chat. Search words and page addresses leave this computer.
    </p>
  )
}
