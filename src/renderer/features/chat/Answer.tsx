import { ChartNoAxesColumn } from 'lucide-react'
import { lazy, memo, Suspense, type ReactNode } from 'react'
import type { AssistantMessage } from '../../../shared/contract/messages.ts'
import { CopyButton, IconButton } from '../../ui/IconButton.tsx'
import { useChat } from './chats.ts'
import { Figures } from './Figures.tsx'
import { MakeSkillButton } from './MakeSkillButton.tsx'
import { Reasoning } from './Reasoning.tsx'
import { useOpened } from './remember.ts'

// A host that exits at this moment cannot deliver the module. The text itself is already rendered.
const Markdown = lazy(() => import('../../markdown/Markdown.tsx').catch(() => ({ default: AsItIs })))

type Props = {
  id: string
  message: AssistantMessage | null
  thoughtMs: number | null
  closing: boolean
}

/** A reply, from live text at its first token to the stored message. It keeps its place in the transcript. */
export const Answer = memo(function Answer({ id, message, thoughtMs, closing }: Props): ReactNode {
  const live = message === null
  const text = useChat(chat => (message === null ? chat.live.text : message.text))
  const thinks = useChat(chat => (message === null ? chat.live.reasoning !== '' : message.reasoning !== ''))
  if (live && text === '' && !thinks) return null
  return (
    <article aria-label="Talaria" className="group py-1.5">
      {thinks && <Reasoning id={id} stored={message?.reasoning ?? null} thoughtMs={thoughtMs} />}
      {text !== '' && <Prose text={text} live={live} />}
      {message?.interrupted && (
        <p className="mt-1 text-sm text-ink-3 italic">This answer was cut short here.</p>
      )}
      {message && closing && <Toolbar id={id} message={message} />}
    </article>
  )
})

/** The Markdown renderer loads after the first paint. Until then the text is shown unformatted. */
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
        <CopyButton label="Copy answer" doneLabel="Copied" text={() => message.text} />
        <MakeSkillButton messageId={message.id} />
        {message.usage && (
          <IconButton
            small
            label={open ? 'Hide figures' : 'Show figures'}
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
