import { Brain, ChartNoAxesColumn, Printer, Ruler, Sparkles } from 'lucide-react'
import { lazy, memo, Suspense, type ReactNode } from 'react'
import type { AssistantMessage, Usage } from '../../../../shared/contract/chats/messages.ts'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { BY_TALARIA } from '../../../../shared/words/answer-words.ts'
import { linkCitations } from '../../../../shared/markdown/web-citations.ts'
import { printAnswer } from '../../../print-request.ts'
import { goTo } from '../../../route.ts'
import {
  formatCount,
  formatDuration,
  formatRate,
  formatShare,
  oneLine,
} from '../../../ui/text/format-values.ts'
import { useKept } from '../../../ui/row-state.tsx'
import { CopyButton, IconButton } from '../../../ui/IconButton.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import {
  CopyChatButton,
  EditButton,
  MessageEditor,
  RetryButton,
  tellTrouble,
  VersionArrows,
} from '../branches/MessageActions.tsx'
import { useChat, useModel, useOpenChat, useSession } from '../store/open-chats.ts'
import { contextShare } from '../context/ContextFigure.tsx'
import { countsOf } from '../composer/DraftNotes.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { OfferedCalls } from './OfferedCalls.tsx'
import { AdviceFold } from './AdviceFold.tsx'
import { Sources } from '../web/WebPages.tsx'
import { WebOffer } from '../web/WebOffer.tsx'
import { placeElements } from '../../../ui/text/place-elements.tsx'

// A host that exits at this moment cannot deliver the module. The text itself is already rendered.
const Markdown = lazy(() => import('../../../markdown/Markdown.tsx').catch(() => ({ default: AsItIs })))

type Props = {
  id: string
  message: AssistantMessage | null
  thoughtMs: number | null
  closing: boolean
  /** True if no further message follows. */
  last: boolean
}

/** A reply, from live text at its first token to the stored message. It keeps its place in the transcript. */
export const Answer = memo(function Answer({ id, message, thoughtMs, closing, last }: Props): ReactNode {
  const live = message === null
  const text = useChat(chat => (message === null ? chat.live.text : message.text))
  const thinks = useChat(chat => (message === null ? chat.live.reasoning !== '' : message.reasoning !== ''))
  const isEdited = useChat(chat => message !== null && chat.editing?.messageId === message.id)
  if (live && text === '' && !thinks) return null
  if (isEdited)
    return (
      <article aria-label="Talaria" className="py-1.5">
        <MessageEditor label="The answer" action="Save" />
      </article>
    )
  return (
    <article aria-label="Talaria" className="group py-1.5">
      {thinks && <Reasoning id={id} stored={message?.reasoning ?? null} thoughtMs={thoughtMs} />}
      {text !== '' && <Prose text={linkCitations(text, message?.cites)} live={live} />}
      <Sources cites={message?.cites} />
      {message?.advice && <AdviceFold id={id} advice={message.advice} />}
      {message && closing && last && <WebOffer messageId={message.id} text={text} />}
      {message?.byTalaria ? (
        <p data-label="" className="mt-1 text-xs text-ink-3">
          {BY_TALARIA}
        </p>
      ) : (
        message && closing && <Writer name={message.model} />
      )}
      {message?.offer && closing && <OfferedCalls message={message} offer={message.offer} last={last} />}
      {message?.interrupted && (
        <p className="mt-1 text-sm text-ink-3 italic">This answer was cut short here.</p>
      )}
      {message?.edited && (
        <p data-label="" className="mt-1 text-xs text-ink-3">
          Edited by you
        </p>
      )}
      {last && !message?.void && (message?.interrupted || message?.cut) && <GoOnButton />}
      {message && closing && <Toolbar id={id} message={message} />}
    </article>
  )
})

/** The author of an answer, if it was not the model of the chat. */
function Writer({ name }: { name: string }) {
  const usual = useModel()?.name
  if (usual === undefined || name === '' || name === usual) return null
  return (
    <p data-label="" className="mt-1 text-xs break-words text-ink-3">
      {placeElements('Written by {name}', { name: <bdi>{name}</bdi> })}
    </p>
  )
}

/** The Markdown renderer loads after the first paint. Until then the text is shown unformatted. */
export function Prose({ text, live }: { text: string; live: boolean }) {
  return (
    <Suspense fallback={<AsItIs text={text} />}>
      <Markdown text={text} live={live} />
    </Suspense>
  )
}

function AsItIs({ text }: { text: string }) {
  return <div className="prose whitespace-pre-wrap">{text}</div>
}

/** Lets the model continue where its answer was cut off. */
function GoOnButton() {
  const goOn = useChat(chat => chat.goOn)
  return (
    <button type="button" className="btn btn-secondary mt-2" onClick={() => void goOn().then(tellTrouble)}>
      Continue
    </button>
  )
}

function Toolbar({ id, message }: { id: string; message: AssistantMessage }) {
  const [open, setOpen] = useKept(`${id}:figures`, false)
  const isAgent = useSession()?.origin === 'sub_agent'
  return (
    <>
      <div className="toolbar -ms-1.5 mt-1">
        <VersionArrows messageId={message.id} />
        <CopyButton label="Copy answer as Markdown" doneLabel="Copied" text={() => message.text} />
        {!isAgent && <EditButton messageId={message.id} text={message.text} label="Edit answer" />}
        {!isAgent && <RetryButton messageId={message.id} />}
        <CopyChatButton messageId={message.id} />
        <PrintButton messageId={message.id} />
        <MakeSkillButton messageId={message.id} />
        <FiguresButton open={open} onToggle={() => setOpen(!open)} />
      </div>
      {open && message.usage && <Figures usage={message.usage} />}
      {open && <p className="text-xs text-ink-3 tabular-nums">{countsOf(message.text)}</p>}
    </>
  )
}

/** Prints one answer, with the question before it. */
function PrintButton({ messageId }: { messageId: number }): ReactNode {
  const chatId = useChat(chat => chat.sessionId)
  if (chatId === null) return null
  return (
    <IconButton small label="Print this answer" onClick={() => printAnswer({ chatId, messageId })}>
      <Printer size={16} />
    </IconButton>
  )
}

const FIGURES = {
  figures: { show: 'Show figures', hide: 'Hide figures', Sign: ChartNoAxesColumn },
  length: { show: 'Show length', hide: 'Hide length', Sign: Ruler },
} as const

/** Shows and hides how long a message is, and what an answer cost. */
export function FiguresButton({
  open,
  onToggle,
  what = 'figures',
}: {
  open: boolean
  onToggle: () => void
  what?: 'figures' | 'length'
}): ReactNode {
  const { Sign, ...labels } = FIGURES[what]
  return (
    <IconButton small label={labels[open ? 'hide' : 'show']} aria-expanded={open} onClick={onToggle}>
      <Sign size={16} />
    </IconButton>
  )
}

const thoughtText = (ms: number | null) => (ms === null ? 'Thoughts' : `Thought for ${formatDuration(ms)}`)

/** The model's thoughts before an answer, collapsed, and their duration. `stored` is null until it ends. */
function Reasoning({
  id,
  stored,
  thoughtMs,
}: {
  id: string
  stored: string | null
  thoughtMs: number | null
}): ReactNode {
  const [open, setOpen] = useKept(`${id}:reasoning`, false)
  const liveMs = useChat(chat => (stored === null ? chat.live.thoughtMs : null))
  const thinking = stored === null && liveMs === null
  const title = thinking ? 'Thinking…' : thoughtText(thoughtMs ?? liveMs)
  return (
    <Disclosure
      open={open}
      onToggle={() => setOpen(!open)}
      className="mb-1"
      inline
      line={
        <>
          <Brain size={16} className="shrink-0" />
          <span className={thinking ? 'pulse' : ''}>{title}</span>
        </>
      }
    >
      {stored === null ? <LiveThoughts /> : <Thoughts text={stored} />}
    </Disclosure>
  )
}

function LiveThoughts() {
  return <Thoughts text={useChat(chat => chat.live.reasoning)} />
}

function Thoughts({ text }: { text: string }) {
  return (
    <div
      dir="auto"
      className="ms-2 mb-2 border-s-2 border-line ps-4 text-sm break-words whitespace-pre-wrap text-ink-2"
    >
      {text.trim()}
    </div>
  )
}

/** Puts a request to make a skill from a turn into the message field, for the user to edit and send. */
function MakeSkillButton({ messageId }: { messageId: number }): ReactNode {
  const { store } = useOpenChat()
  const { ask } = useAnswers()

  const write = async () => {
    const known = await ask('skills.list', {})
    if (known.ok && !known.value.learnFromChats) {
      return showToast('The agent is not allowed to write skills right now.', {
        action: { label: 'Skills', run: () => goTo({ page: 'skills' }) },
      })
    }
    const { draft, messages, setDraft } = store.getState()
    const question = messages.findLast(message => message.role === 'user' && message.id <= messageId)
    const request = `Make a skill of what we did here: “${oneLine(question?.text ?? '', 200)}”. Write down when to use it and the steps that worked, so that you can do it again.`
    // Keep the text already in the field.
    setDraft(draft.trim() === '' ? request : `${draft.trimEnd()}\n\n${request}`)
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.composer-field')?.focus())
  }
  return (
    <IconButton small label="Make a skill from this" onClick={() => void write()}>
      <Sparkles size={16} />
    </IconButton>
  )
}

/** The cost of one model call, on one line. */
function Figures({ usage }: { usage: Usage }): ReactNode {
  const share = contextShare(usage)
  const parts = [
    `${formatRate(usage.tokensPerSecond)} tok/s`,
    `first token ${formatDuration(usage.firstTokenMs)}`,
    `${formatCount(usage.outputTokens)} tokens`,
    ...(usage.reusedTokens > 0 ? [`${formatCount(usage.reusedTokens)} reused`] : []),
    ...(share === null ? [] : [`context ${formatShare(share)}`]),
  ]
  return <p className="text-xs text-ink-3 tabular-nums">{parts.join(' · ')}</p>
}
