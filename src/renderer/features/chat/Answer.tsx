import { ChartNoAxesColumn } from 'lucide-react'
import { lazy, memo, Suspense, type ReactNode } from 'react'
import type { AssistantMessage } from '../../../shared/contract/messages.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useChat } from './chats.ts'
import { Figures } from './Figures.tsx'
import { MakeSkillButton } from './MakeSkillButton.tsx'
import { Reasoning } from './Reasoning.tsx'
import { useOpened } from './remember.ts'
import { chatText } from './strings.ts'

// A host that ends at this moment cannot deliver it any more; the words are there all the same.
const Markdown = lazy(() => import('../../markdown/Markdown.tsx').catch(() => ({ default: AsItIs })))

type Props = {
  id: string
  message: AssistantMessage | null
  thoughtMs: number | null
  closing: boolean
}

/** A reply: from its first token, when it reads the live text, to the stored message, in the same place. */
export const Answer = memo(function Answer({ id, message, thoughtMs, closing }: Props): ReactNode {
  const live = message === null
  const text = useChat(chat => (message === null ? chat.live.text : message.text))
  const thinks = useChat(chat => (message === null ? chat.live.reasoning !== '' : message.reasoning !== ''))
  if (live && text === '' && !thinks) return null
  return (
    <article aria-label={chatText.talaria} className="group py-1.5">
      {thinks && <Reasoning id={id} stored={message?.reasoning ?? null} thoughtMs={thoughtMs} />}
      {text !== '' && <Prose text={text} live={live} />}
      {message?.interrupted && <p className="mt-1 text-sm text-ink-3 italic">{chatText.interrupted}</p>}
      {message && closing && <Toolbar id={id} message={message} />}
    </article>
  )
})

/** Markdown is fetched after the first paint; until it is there, the text stands as it is. */
function Prose({ text, live }: { text: string; live: boolean }) {
  return (
    <Suspense fallback={<AsItIs text={text} />}>
      <Markdown text={text} live={live} />
    </Suspense>
  )
}

function AsItIs({ text }: { text: string }) {
  return <div className="prose whitespace-pre-wrap">{text}</div>
}

function Toolbar({ id, message }: { id: string; message: AssistantMessage }) {
  const [open, setOpen] = useOpened(`${id}:figures`)
  return (
    <>
      <div className="toolbar -ms-1.5 mt-1">
        <CopyButton label={chatText.copyAnswer} doneLabel={chatText.copied} text={() => message.text} />
        <MakeSkillButton messageId={message.id} />
        {message.usage && (
          <IconButton
            small
            label={open ? chatText.hideStats : chatText.stats}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <ChartNoAxesColumn size={15} />
          </IconButton>
        )}
      </div>
      {open && message.usage && <Figures usage={message.usage} />}
    </>
  )
}
