import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { Cite } from '../../../shared/contract/connections/web.ts'
import { tellObeyedChange } from '../../../shared/words/obeyed-words.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { showTitle, showUnseen } from '../../../shared/visible-text/show-unseen.ts'
import { linkCitations } from '../../../shared/markdown/web-citations.ts'
import Markdown from '../../markdown/Markdown.tsx'
import { Unfolded } from '../../ui/text/fold-text.tsx'
import { formulasAreSet } from '../../markdown/math/formula-frames.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { fitWide } from './fit-wide.ts'
import { readPrintedChat, type PrintedChat, type PrintedMessage, type What } from './chat-text.ts'

type Props = What & {
  chatId: string
  /** Print only this answer, with the question before it. */
  only?: number
  onDone: () => void
}

/** Prints a chat: renders all of it for print media only, until the system's dialog closes. */
export default function PrintChat({ chatId, branches, tools, only, onDone }: Props): ReactNode {
  const { client } = useLink()
  const [chat, setChat] = useState<PrintedChat>()
  const endPrinting = useEffectEvent(onDone)
  useEffect(() => {
    let isLeft = false
    void attemptCall(readPrintedChat(client, { chat: chatId, branches, tools })).then(read => {
      if (isLeft) return
      if (read.ok) setChat(only === undefined ? read.value : withOnly(read.value, only))
      else {
        showToast(read.fault.message, { level: 'error' })
        endPrinting()
      }
    })
    return () => {
      isLeft = true
    }
  }, [client, chatId, branches, tools, only])
  useEffect(() => {
    if (!chat) return undefined
    let isLeft = false
    const print = async () => {
      if (document.querySelector('.printed-chat .formula-source')) await formulasAreSet()
      await document.fonts.ready
      if (isLeft) return
      fitWide(document.querySelector<HTMLElement>('.printed-chat'))
      window.print()
      endPrinting()
    }
    void print()
    return () => {
      isLeft = true
    }
  }, [chat])
  return chat ? createPortal(<Printed chat={chat} />, document.body) : null
}

function Printed({ chat: { title, createdAt, model, messages } }: { chat: PrintedChat }) {
  return (
    <article className="printed-chat" aria-hidden="true">
      <Unfolded value>
        <h1 dir="auto">{showTitle(title)}</h1>
        <p>
          {new Date(createdAt).toLocaleString()} · <bdi>{model}</bdi>
        </p>
        {messages.map((message, at) => (
          <section key={message.id}>
            {beginsBranch(message, messages[at - 1]) && <h2>Another branch</h2>}
            <h3>
              {speakerOf(message)}{' '}
              <span className="printed-time">{new Date(message.at).toLocaleString()}</span>
            </h3>
            <Body message={message} />
          </section>
        ))}
      </Unfolded>
    </article>
  )
}

/** One answer of a chat, and the question before it. */
function withOnly(chat: PrintedChat, id: number): PrintedChat {
  const at = chat.messages.findIndex(message => message.id === id)
  const asked = chat.messages.slice(0, Math.max(0, at)).findLast(({ role }) => role === 'user')
  return { ...chat, messages: [...(asked ? [asked] : []), ...chat.messages.slice(at, at + 1)] }
}

const beginsBranch = (message: PrintedMessage, before: PrintedMessage | undefined) =>
  message.isOnPath === false && message.parentId !== before?.id

function speakerOf(message: PrintedMessage): string {
  if (message.role === 'user') return 'You'
  return message.role === 'tool' ? `Result of ${message.name}` : message.model || 'Assistant'
}

function Body({ message }: { message: PrintedMessage }) {
  if (message.role === 'user') return <p className="whitespace-pre-wrap">{showUnseen(message.text)}</p>
  if (message.role === 'tool')
    return (
      <>
        <pre>{showHidden(message.text)}</pre>
        {message.obeyed?.map(change => (
          <p key={`${change.path} ${change.kept}`}>{showHidden(tellObeyedChange(change))}</p>
        ))}
      </>
    )
  return (
    <>
      {message.text !== '' && (
        <Markdown text={linkCitations(message.text, message.cites)} live={false} below={3} />
      )}
      <Cites cites={message.cites ?? []} />
      {message.calls.map(call => (
        <div key={call.id}>
          <p>{`Used ${call.name}`}</p>
          {/* Without tool output, an export only names the calls. */}
          {'arguments' in call && <pre>{showHidden(JSON.stringify(call.arguments, null, 1))}</pre>}
        </div>
      ))}
    </>
  )
}

/** The pages that an answer cites, with their addresses. */
function Cites({ cites }: { cites: readonly Cite[] }) {
  if (cites.length === 0) return null
  return (
    <div className="printed-sources">
      <p>Sources</p>
      <ol>
        {cites.map(({ n, title, address, date }) => (
          <li key={`${n} ${address}`} value={n}>
            <bdi>{showHidden(title)}</bdi> {showHidden(address)} {date}
          </li>
        ))}
      </ol>
    </div>
  )
}
